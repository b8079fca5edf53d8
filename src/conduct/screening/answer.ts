/** The form that follows a consent, before and after the first sign-in (docs/consent.md, "Screening"). */
import { saveScreeningResponse, screeningOfConsent } from '#conduct/consents/screeningStore'
import { answerLanguage, formTexts, withLanguages } from '#conduct/participants/language'
import type { ParticipantRow } from '#conduct/participants/store'
import { receiptOf, submitAnonymously } from '#conduct/responses/anonymousSubmission'
import { adoptFiles, consentUploadOwner, fileOfConsent, storedNamesIn } from '#conduct/responses/files'
import { messagesOnDevice } from '#conduct/responses/messagesOnDevice'
import { move } from '#conduct/responses/move'
import { addedFields } from '#conduct/responses/originalForm'
import { formVersion, shownComponents } from '#conduct/responses/stageDetail'
import { nextRecurrence, responseAt, responseById } from '#conduct/responses/store'
import { setCompletionAnchors } from '#conduct/responses/submission'
import { zoneOf } from '#conduct/timeline/progress'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import type { SentAnswer } from '#design/forms/form'
import type { Trial } from '#design/trials/store'
import type { Note, RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { HOUR, type Instant } from '#kernel/time'
import { bytesUploadedFor, uploadedBytes, usableFile } from '#storage/store'
import type { ScreeningScope } from './scope'

type ScreeningContext = RequestContext & ScreeningScope & { headers: Record<string, string> }

function formIn(context: ScreeningContext) {
  const { db, trial, screening } = context
  const language = answerLanguage({ ...context, participant: { language: null } })
  const config = configuration(db, trial).in(language)
  return { config, language, stage: found(config.stages.get(screening.stage), 'stage') }
}

/** The response that came before, as long as it has no participant. */
function earlierResponse(db: Db, response: Id | null) {
  const row = response === null ? undefined : responseById(db, response)
  return row?.participant === null ? row : undefined
}

/** The form for a person who is not a participant yet, without earlier answers. It is open while it is enabled, since no timeline has begun. */
export function openScreening<More extends object>(context: ScreeningContext, more: More) {
  const { db, services, now, trial, screening } = context
  const { config, language, stage } = formIn(context)
  const earlier = earlierResponse(db, screening.response)
  const videoUrl = (storedName: string, name: string) => services.storage.downloadUrl(storedName, name, now + HOUR)
  const detail = {
    ...more,
    ...stage,
    ...{ stage: stage._id, stageRecurrence: 0, description: stage.description ?? '', adHoc: stage.adHoc },
    ...{ completed: earlier !== undefined, completedAt: earlier?.createdAt ?? null },
    ...{ enableAt: null, expired: false, opened: 'screening', answered: [], zone: zoneOf({ timezone: null }, trial) },
    postSubmissionText: stage.postSubmissionText ?? null,
    version: formVersion(config, stage),
    added: earlier ? addedFields(db, config, earlier) : null,
    components: shownComponents(db, config, stage, undefined, videoUrl),
    ...messagesOnDevice(config, stage, { isAmended: earlier !== undefined, knowsAnswers: false }),
  }
  return withLanguages(trial, language, detail, () => formTexts(config, stage._id))
}

/** The most bytes of files from a person who is not a participant yet. The limit is needed because anybody may consent. */
const MOST_BYTES = 1024 ** 3

/** Refuses (400) another file of so many bytes, if the files of the consent would be too large together. */
export function requireRoom({ db, now, screening: { consent, response } }: ScreeningContext, size: number): void {
  const used =
    bytesUploadedFor(db, consentUploadOwner(consent), now) +
    (response === null ? 0 : uploadedBytes(db, 'participant', response, now))
  if (used + size > MOST_BYTES) throw refuse.bad('screeningFilesFull', undefined, { quota: MOST_BYTES, used, size })
}

/**
 * Stores the answers of a person who is not a participant yet: a response without a participant, which the consent names. Sent again, they replace
 * those before.
 * @throws 403 if the form is disabled, and as any submission
 */
export function submitScreening(
  context: ScreeningContext & { record(note: Note): void },
  sent: Readonly<Record<Id, SentAnswer>>,
) {
  const { db, trial, screening, consent, record } = context
  const { config, stage } = formIn(context)
  if (!stage.enabled) throw refuse.forbidden('closed')
  const existing = earlierResponse(db, screening.response)
  const by = { _id: 'screening', type: 'participant' } as const
  const fileOf = (storedName: string) =>
    fileOfConsent(db, storedName, consent._id) ?? (existing && usableFile(db, storedName, 'participant', existing._id))
  const answers = { trial, config, stage: stage._id, sent, by, existing, fileOf }
  const { row, messages, event } = submitAnonymously(context, answers)
  adoptFiles(db, consent._id, row._id, storedNamesIn(sent))
  if (!existing) saveScreeningResponse(db, trial._id, consent._id, row._id)
  record({ event: { ...event, by: 'screening', consent: consent._id } })
  return receiptOf(stage, messages)
}

/**
 * Gives the response that came with a consent to the participant who signed in with it. It stays with the consent only if they
 * have answered the form already, or the database is locked.
 */
export function bindScreening(
  { db, now, record }: { db: Db; now: Instant; record(note: Note): void },
  trial: Trial,
  consent: Id,
  participant: ParticipantRow,
): void {
  // Of files that arrived, and whose answers have not yet.
  adoptFiles(db, consent, participant._id)
  const row = earlierResponse(db, screeningOfConsent(db, consent)?.response ?? null)
  if (!row || trial.isDatabaseLocked) return
  const config = configuration(db, trial)
  const isTaken = responseAt(db, participant._id, row.stage, 0) !== undefined
  if (isTaken && !config.stages.get(row.stage)?.adHoc) return
  const stageRecurrence = isTaken ? nextRecurrence(db, participant._id, row.stage) : 0
  const by = { _id: participant._id, type: 'participant' } as const
  const moved = move(db, row, { participant: participant._id, stageRecurrence }, by, now)
  const set = setCompletionAnchors(db, config, participant._id, row.stage, stageRecurrence, row.createdAt)
  record({
    ...{
      type: 'allocateResponse',
      chain: trial._id,
      participant: participant._id,
      by: { participant: participant._id },
    },
    event: { responseId: row._id, consent, ...moved, ...set },
  })
}
