/** Keeps an entry that the study refused, for a decision of the study team (docs/offline.md, "Held entries"). */
import { neededConsent, ownConsentRefusal } from '#conduct/consents/required'
import { hasChosenRemoval } from '#conduct/consents/requiredStore'
import type { ParticipantRow } from '#conduct/participants/store'
import { checkAnswerTimes, openedAt, timesOf } from '#conduct/responses/lateAnswers'
import type { ParticipantSubmission } from '#conduct/responses/model'
import type { Db } from '#db/open'
import { insert } from '#db/rows'
import { heldEntries } from '#db/tables/index'
import { configuration } from '#design/configuration/configuration'
import { parseOccurrence } from '#design/schedule/rules'
import type { SharedTrial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { ValueOf } from '#wire/schema'
import { notificationTime } from './notify'
import { type HeldEntryRow, heldEntryOf, isStored, lastNotificationTime, MOST_HELD, waitingCount } from './store'

type HoldContext = Pick<RequestContext, 'db' | 'id' | 'now'> & { trial: { _id: Id }; participant: { _id: Id } }

/** @param path the occurrence as the device named it; @param code and `message` of the refusal */
type RefusedEntry = {
  entry: string
  path: string
  response: object
  code: string | null
  message?: string | null | undefined
  /** The member of staff who reads in a copy that the participant saved. */
  broughtBy?: Id
}

/** Refuses (403) an entry of a participant who has withdrawn: nothing more is collected. */
export function requireNotWithdrawn({ isWithdrawn }: Pick<ParticipantRow, 'isWithdrawn'>): void {
  if (isWithdrawn) throw refuse.forbidden('withdrawn')
}

type ConsentCheckContext = { db: Db; services: Pick<Services, 'seal'>; trial: SharedTrial; participant: ParticipantRow }

/**
 * Refuses (403) an entry without the consent that the form needs: an entry that may not be sent is not held for the study team
 * either. Answers from before they withdrew it are held, as they are taken.
 * @param path the occurrence as the device named it; @param opened the proof of when the form was opened
 */
export function requireEntryConsent(
  { db, services, trial, participant }: ConsentCheckContext,
  {
    path,
    response,
    opened,
  }: Pick<RefusedEntry, 'path'> & { response: ValueOf<typeof ParticipantSubmission>; opened?: string },
): void {
  const named = parseOccurrence(path)
  const keys = named && configuration(db, trial).stages.get(named.stageId)?.requiresConsent
  const needed = neededConsent(db, { trial, participant }, keys ?? [])
  if (!needed) return
  const { withdrawnAt } = needed
  if (!named || withdrawnAt === null || hasChosenRemoval(db, participant._id)) throw ownConsentRefusal(needed)
  const form = { participant: participant._id, stage: named.stageId, stageRecurrence: named.n ?? 0 }
  const given = checkAnswerTimes({
    enableAt: 0,
    expiresAt: withdrawnAt,
    openedAt: opened === undefined ? undefined : openedAt(services.seal, form, opened),
    times: timesOf(Object.keys(response), response),
    newest: undefined,
  })
  if (typeof given === 'string') throw ownConsentRefusal(needed, { late: given })
}

/**
 * Holds an entry once; `event` is for the audit entry.
 * @throws 400 if the study has stored it, if it is held with other content, or if too many wait
 */
export function storeHeldEntry(
  { db, id, now, trial, participant }: HoldContext,
  { entry, path, response, code, message = null, broughtBy }: RefusedEntry,
): { held: HeldEntryRow; event: Record<string, unknown> } {
  const text = JSON.stringify(response)
  const known = heldEntryOf(db, participant._id, entry)
  if (known && (known.path !== path || known.body !== text)) throw refuse.bad('otherEntry')
  if (known) return { held: known, event: { heldEntry: known._id, unchanged: true } }
  if (isStored(db, participant._id, entry)) throw refuse.repeatedEntry()
  if (waitingCount(db, participant._id) >= MOST_HELD) throw refuse.bad('tooManyHeld', { most: MOST_HELD })
  const about = { trial: trial._id, participant: participant._id, entry, path, code, message, body: text }
  // The member of staff who imports a copy decides about it, or asks a colleague who may: no e-mail is needed.
  const notification = broughtBy
    ? { broughtBy, tellAt: now, isTold: true }
    : { tellAt: notificationTime(now, lastNotificationTime(db, trial._id)) }
  const held = insert(db, heldEntries, { _id: id(), createdAt: now, ...about, status: 'held', ...notification })
  return { held, event: { heldEntry: held._id, entryId: entry, path, ...(code ? { code } : {}) } }
}
