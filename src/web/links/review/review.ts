/** What the page of a review asks the server. */
import { type Answer, ask } from '#web/common/api'
import type { Speaker } from '../texts'

export type Status = 'draft' | 'approved' | 'rejected'
export type Decision = Exclude<Status, 'draft'>

export type Review = {
  trialName: string
  requestedBy: string
  linksUntil: string
  message: string | null
  role: string | null
  file: { name: string }
  version: { number: number; name: string; createdAt: string; size: number; sha256: string; url: string }
  earlierVersions: readonly { number: number; createdAt: string; status: Status }[]
}
export type Preview = { url: string; mimeType: string }

const path = () => `/file-reviews/${location.pathname.split('/').at(-1)}`

export const readReview = (speaker: Speaker): Promise<Answer<Review>> => ask<Review>(speaker, 'GET', path())

export const readPreview = (speaker: Speaker): Promise<Answer<Preview>> =>
  ask<Preview>(speaker, 'GET', `${path()}/preview`)

export const sendDecision = (speaker: Speaker, body: unknown): Promise<Answer<{ decision: Decision }>> =>
  ask<{ decision: Decision }>(speaker, 'POST', path(), { body })

/** The address on this server, whatever name the person reached it by. */
export function here(url: string): string {
  const { pathname, search } = new URL(url, location.origin)
  return pathname + search
}
