/** What becomes of the data of somebody who withdraws: what they choose, of what the study offers (docs/consent.md, "Withdrawal"). */
import { type ConsentRow, changeConsent, consentById } from '#conduct/consents/consentStore'
import { unassignedScreeningResponses } from '#conduct/consents/screeningStore'
import { removeEntry } from '#conduct/foodDiary/change'
import { diaryOf } from '#conduct/foodDiary/store'
import { auditNoteOf } from '#conduct/participants/auditNote'
import { consentWithdrawnAt } from '#conduct/participants/consentStateStore'
import { changeParticipant } from '#conduct/participants/updateStore'
import { erasePersonalInformation } from '#conduct/personalData/erase'
import { eraseConsentWithoutParticipant } from '#conduct/personalData/eraseConsent'
import { performErasure } from '#conduct/personalData/perform'
import type { Author } from '#conduct/responses/events'
import { type ResponseRow, responseById, responsesOfParticipant } from '#conduct/responses/store'
import { removeResponse } from '#conduct/review/remove'
import { endConnections } from '#conduct/wearables/connection'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import { settingsOf } from '#design/trials/rules'
import type { withdrawalChoices } from '#design/trials/settingsModel'
import type { Trial } from '#design/trials/store'
import type { Note, RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'

export type Choice = (typeof withdrawalChoices)[number]

/** What the study offers. While the database is locked, nothing of it can change. */
export function choicesOf(trial: Trial): Choice[] {
  const { consentWithdrawalChoices } = settingsOf(trial)
  return trial.isDatabaseLocked ? ['keep'] : [...new Set(consentWithdrawalChoices)]
}

type Context = RequestContext & { trial: Trial; record(note: Note): void; after(effect: () => void): void }

const REASON = 'The person withdrew their consent, and chose this.'

/**
 * Carries out a choice for these consents of one person, which are withdrawn. If the participant still has another consent, nothing
 * is removed: `isDone` is false.
 */
export function applyChoice(context: Context, choice: Choice, consents: readonly ConsentRow[]): { isDone: boolean } {
  const { db } = context
  const people = [...new Set(consents.map(({ participant }) => participant))]
  if (choice !== 'keep' && people.some((_id) => _id !== null && consentWithdrawnAt(db, _id) === null))
    return { isDone: false }
  for (const { _id, withdrawalChoice } of consents)
    if (withdrawalChoice === null || withdrawalChoice === 'keep') changeConsent(db, _id, { withdrawalChoice: choice })
  if (choice === 'keep') return { isDone: true }
  for (const _id of people) {
    if (_id !== null) removeParticipantData(context, choice, _id)
    else
      for (const consent of consents)
        if (consent.participant === null) removeDataWithoutParticipant(context, choice, consent)
  }
  return { isDone: true }
}

function remove(context: Context, responses: readonly ResponseRow[], by: Author, more: Omit<Note, 'event'>): void {
  for (const response of responses) {
    const event = removeResponse(context, response, by, REASON)
    context.record({ ...more, type: 'deleteResponse', event: { responseId: response._id, ...event } })
  }
}

/** Who removes files, for the job that does it. */
const erasureContext = (context: Context, _id: Id) => ({ ...context, caller: { user: { _id } } })

/** The person leaves the study: a participant without contact details or answers is asked nothing. */
function removeParticipantData(context: Context, choice: Exclude<Choice, 'keep'>, _id: Id): void {
  const { db, now, record } = context
  const participant = rowById(db, participants, _id)
  if (!participant) return
  const by: Author = { _id, type: 'participant' }
  const who = { by: { participant: _id }, participant: _id }
  if (!participant.isWithdrawn) {
    const left = changeParticipant(db, _id, { isWithdrawn: true })
    record({ ...who, type: 'updateParticipant', ...auditNoteOf(participant, left) })
  }
  endConnections(db, _id, now)
  if (choice === 'deleteAnswers') {
    remove(context, responsesOfParticipant(db, _id), by, who)
    for (const entry of diaryOf(db, _id))
      removeEntry({ db, record: (note) => record({ ...who, ...note, type: 'deleteFoodDiaryEntry' }) }, entry)
  } else if (participant.erasedAt === null) {
    const event = performErasure(erasureContext(context, _id), by, (erasure) =>
      erasePersonalInformation({ ...erasure, participant: _id }),
    )
    record({ ...who, type: 'erasePersonalInformation', event: { reason: REASON, ...event } })
  }
}

function removeDataWithoutParticipant(
  context: Context,
  choice: Exclude<Choice, 'keep'>,
  { _id, fileHash }: ConsentRow,
): void {
  const { db, record } = context
  const by: Author = { _id, type: 'participant' }
  if (choice === 'deleteAnswers') {
    const responses = unassignedScreeningResponses(db, _id).flatMap((response) => responseById(db, response) ?? [])
    remove(context, responses, by, { by: 'nobody' })
    return
  }
  const consent = consentById(db, _id)
  if (!consent || consent.erasedAt !== null) return
  const event = performErasure(erasureContext(context, _id), by, (erasure) =>
    eraseConsentWithoutParticipant(erasure, consent),
  )
  record({ type: 'eraseConsent', by: 'nobody', event: { consent: _id, fileHash, reason: REASON, ...event } })
}
