/** Erasures as acts of staff: what they need, and what is recorded. */
import type { Staff } from '#access/caller'
import type { ConsentRow } from '#conduct/consents/consentStore'
import type { ParticipantRow } from '#conduct/participants/store'
import { staffAuthor } from '#conduct/responses/events'
import { endConnections } from '#conduct/wearables/connection'
import type { SecondPersonEvent } from '#design/secondRequests/rules'
import type { Note } from '#http/operation'
import { refuse } from '#kernel/problem'
import { erasePersonalInformation } from './erase'
import { eraseConsentWithoutParticipant } from './eraseConsent'
import { performErasure } from './perform'

type Context = Parameters<typeof performErasure>[0] & { caller: Staff; record(note: Note): void }

/** What the erasure of a participant depends on. */
export const participantState = ({ isWithdrawn, erasedAt }: ParticipantRow) => ({ isWithdrawn, erasedAt })

/** Refuses (400) the erasure of participants who have not withdrawn. */
export function requireWithdrawn({ isWithdrawn }: ParticipantRow): void {
  if (!isWithdrawn) throw refuse.bad('notWithdrawn')
}

/** Erases the personal information of a participant. @param second who asked, if it needed a second person */
export function eraseParticipant(
  context: Context & { participant: ParticipantRow },
  reason: string,
  second?: SecondPersonEvent,
): void {
  const { db, now, caller, participant, record } = context
  endConnections(db, participant._id, now)
  const event = performErasure(context, staffAuthor(caller.user), (erasure) =>
    erasePersonalInformation({ ...erasure, participant: participant._id }),
  )
  const type = second && { type: 'erasePersonalInformation' }
  record({ ...type, event: { reason, ...event, ...second }, participant: participant._id })
}

/** What the erasure of a consent depends on. */
export const consentState = ({ participant, withdrawnAt, erasedAt }: ConsentRow) => ({
  participant,
  withdrawnAt,
  erasedAt,
})

/** Refuses (400) the erasure of a consent of a participant, of one that was not withdrawn, and of one that was erased. */
export function requireErasable({ participant, withdrawnAt, erasedAt }: ConsentRow): void {
  if (participant !== null) throw refuse.bad('consentOfParticipant')
  if (withdrawnAt === null) throw refuse.bad('consentNotWithdrawn')
  if (erasedAt !== null) throw refuse.bad('consentErased')
}

/** Erases a consent of somebody who never became a participant. @param second who asked, if it needed a second person */
export function eraseConsent(
  context: Context & { consent: ConsentRow },
  reason: string,
  second?: SecondPersonEvent,
): void {
  const { caller, consent, record } = context
  const event = performErasure(context, staffAuthor(caller.user), (erasure) =>
    eraseConsentWithoutParticipant(erasure, consent),
  )
  const whole = { consent: consent._id, fileHash: consent.fileHash, reason, ...event, ...second }
  record({ ...(second && { type: 'eraseConsent' }), event: whole })
}
