/** What the page of a review asks the server. */
import { type Answer, ask } from '#web/kit/api/send'
import type { Translator } from '../texts'

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

export const readReview = (translator: Translator): Promise<Answer<Review>> => ask<Review>(translator, 'GET', path())

export const readPreview = (translator: Translator): Promise<Answer<Preview>> =>
  ask<Preview>(translator, 'GET', `${path()}/preview`)

export const sendDecision = (translator: Translator, body: unknown): Promise<Answer<{ decision: Decision }>> =>
  ask<{ decision: Decision }>(translator, 'POST', path(), { body })
