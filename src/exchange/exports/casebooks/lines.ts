/** What a casebook needs, and its words for moments and people. */
import type { ExportContext } from '#exchange/exports/context'
import type { PackageDescription } from '#exchange/exports/packages/readme'
import type { Id } from '#kernel/id'
import { type Instant, instantText } from '#kernel/time'
import type { Question } from './answers'
import type { Line } from './model'

/** What each casebook needs. */
export type CasebookContext = {
  from: ExportContext
  about: PackageDescription
  withHistory: boolean
  questions(stage: Id): Question[]
  person(_id: Id | null): string
}

export const factLine = (name: string, text: string): Line => ({ as: 'fact', name, text })
export const smallLine = (text: string): Line => ({ as: 'small', text })

/** A moment to the second, in UTC. */
export const moment = (at: Instant): string => `${instantText(at).slice(0, 19).replace('T', ' ')} UTC`

/** Who sent something, as a casebook names them. */
export const senderText = (
  { person }: CasebookContext,
  { createdBy, createdByType }: { createdBy: Id; createdByType: string },
) => (createdByType === 'participant' ? 'the participant' : person(createdBy))
