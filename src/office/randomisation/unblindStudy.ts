/** The unblinding of a study. */
import type { SecondPersonEvent } from '#design/secondRequests/rules'
import type { Note } from '#http/operation'
import { refuse } from '#kernel/problem'
import { mailStudyUnblinded } from './notices'
import { type RandomisationRow, revealArms, updateRandomisation } from './store'

/** What the unblinding depends on. */
export const unblindingState = ({ status, unblindedAt }: RandomisationRow) => ({ status, unblindedAt })

/** Refuses (400) to unblind a randomisation that is open, or unblinded already. */
export function requireClosed({ name, status, unblindedAt }: RandomisationRow): void {
  if (unblindedAt !== null) throw refuse.bad('randomisationUnblinded', { name })
  if (status !== 'closed') throw refuse.bad('randomisationOpen', { name })
}

type UnblindingContext = Parameters<typeof mailStudyUnblinded>[0] & {
  randomisation: RandomisationRow
  record(note: Note): void
}

/** Publishes the list and the arms, records it and tells the people named. @param second who asked, if it needed a second person */
export function unblind(context: UnblindingContext, reason: string, second?: SecondPersonEvent): RandomisationRow {
  const { db, now, randomisation, record } = context
  const { _id, name, commitment } = randomisation
  const participants = revealArms(db, _id)
  const after = updateRandomisation(db, _id, { unblindedAt: now })
  const event = { name, commitment, participants, reason, ...second }
  record({ ...(second && { type: 'unblindRandomisation' }), event })
  mailStudyUnblinded(context, reason)
  return after
}
