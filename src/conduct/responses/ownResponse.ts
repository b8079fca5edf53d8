/** How participants open and submit a stage. The same rules hold for a signed-in participant and for a stage link. */

import { withSigningLink } from '#conduct/consents/ownConsents'
import { neededConsent } from '#conduct/consents/required'
import { answerLanguage, formTexts, withLanguages } from '#conduct/participants/language'
import type { ParticipantRow } from '#conduct/participants/store'
import { timelineInput, zoneOf } from '#conduct/timeline/progress'
import type { Db } from '#db/open'
import { type Configuration, configuration } from '#design/configuration/configuration'
import type { SentAnswer } from '#design/forms/form'
import { type HiddenFieldTest, isSensitive } from '#design/hiddenFields/hiddenFields'
import { completionKey, timelineOf } from '#design/schedule/rules'
import type { SharedTrial } from '#design/trials/store'
import type { Note, RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { found, Problem, refuse } from '#kernel/problem'
import { HOUR } from '#kernel/time'
import { messagesView } from './anonymousSubmission'
import { openedToken } from './lateAnswers'
import { messagesOnDevice } from './messagesOnDevice'
import { occurrenceAt, stageAt } from './occurrence'
import { addedFields } from './originalForm'
import { checkOwnConsent } from './ownConsent'
import { requireOpen } from './ownOpening'
import { answeredFields, formVersion, shownComponents } from './stageDetail'
import { responseAt } from './store'
import { submitWithEffects } from './submission'
import { readResponse } from './views'

type OpenContext = Pick<RequestContext, 'db' | 'services' | 'now' | 'acceptLanguage'> & {
  trial: SharedTrial
  participant: ParticipantRow
  headers: Record<string, string>
}

/**
 * A stage as a participant sees it.
 * @param path `<stageId>` or `<stageId>::<n>`
 * @param showsEarlierAnswers whether earlier answers are shown
 * @param by the response to the holder of a link does not say which questions are answered
 * @param more what else is in the answer
 * @throws 404 if the stage is not shown to the participant
 */
export function openStage<More extends object>(
  context: OpenContext,
  path: string,
  showsEarlierAnswers: boolean,
  by: 'account' | 'link',
  more: More,
) {
  const { db, services, now, trial, participant } = context
  const language = answerLanguage(context)
  const config = configuration(db, trial).in(language)
  const { stage, n } = stageAt(config, path)
  const entries = timelineOf(config.timeline, timelineInput(db, participant, trial, now))
  const entry = found(
    entries.find(
      (entry) => entry.visible && entry.stage === stage._id && [null, n ?? 0].includes(entry.stageRecurrence),
    ),
    'stage',
  )
  const stageRecurrence = n ?? 0
  const existing =
    stage.adHoc && n === undefined ? undefined : responseAt(db, participant._id, stage._id, stageRecurrence)
  const own = stage.adHoc && n !== undefined ? adHocSubmission(db, participant._id, stage._id, n) : {}
  const previousOf = showsEarlierAnswers ? { participant: participant._id } : undefined
  const videoUrl = (storedName: string, name: string) => services.storage.downloadUrl(storedName, name, now + HOUR)
  const detail = {
    ...more,
    ...stage,
    ...entry,
    ...own,
    zone: zoneOf(participant, trial),
    version: formVersion(config, stage),
    opened: openedToken(services.seal, { participant: participant._id, stage: stage._id, stageRecurrence }, now),
    answered: by === 'account' && existing ? answeredFields(db, config, existing) : [],
    added: existing ? addedFields(db, config, existing) : null,
    consent: withSigningLink(services, trial, neededConsent(db, { trial, participant }, stage.requiresConsent)),
    postSubmissionText: stage.postSubmissionText ?? null,
    components: shownComponents(db, config, stage, previousOf, videoUrl),
    ...messagesOnDevice(config, stage, { isAmended: existing !== undefined, knowsAnswers: by === 'account' }),
  }
  return withLanguages(trial, language, detail, () => formTexts(config, stage._id))
}

/** The fields that the n-th submission of an ad hoc stage has in place of the stage's. Its `_id` is the path to amend it. */
function adHocSubmission(db: Db, participant: Id, stage: Id, n: number) {
  const { createdAt } = found(responseAt(db, participant, stage, n), 'response')
  return { _id: completionKey(stage, n), stageRecurrence: n, completed: true, completedAt: createdAt }
}

/**
 * The fields that are hidden in the response to an amendment: earlier and computed values. The holder of a link sees only what
 * they sent. A signed-in participant sees the rest too, except restricted and PII fields: staff can create links and
 * sign-ins, and not all staff may see every answer.
 */
const hiddenInAmendment = (
  config: Configuration,
  sent: Record<Id, SentAnswer>,
  by: 'account' | 'link',
): HiddenFieldTest => {
  const isOld = (dataType: Id) =>
    sent[dataType]?.value === undefined || config.dataTypes.get(dataType)?.format === 'calculation'
  return by === 'link' ? isOld : (dataType) => isOld(dataType) && isSensitive(config, dataType)
}

/** The fields that are hidden in the response to a submission; those that participants are not asked always are. */
function hiddenInReceipt(
  config: Configuration,
  stage: Id,
  sent: Record<Id, SentAnswer>,
  amendedBy: 'account' | 'link' | undefined,
): HiddenFieldTest | undefined {
  const { hidden } = config.form(stage)
  const inAmendment = amendedBy && hiddenInAmendment(config, sent, amendedBy)
  if (!hidden.size) return inAmendment
  return (dataType) => hidden.has(dataType) || inAmendment?.(dataType) === true
}

type OpenedForm = { opened?: string; version?: string }
type SubmitContext = RequestContext & OpenContext & { record(note: Note): void }

/** A refusal, which also says if the form is not the one that was filled in. @param version of the form that was */
function changedFormRefusal(
  reason: unknown,
  config: Configuration,
  path: string,
  version: string | undefined,
): unknown {
  if (!(reason instanceof Problem) || version === undefined) return reason
  const current = formVersion(config, stageAt(config, path).stage)
  if (version === current) return reason
  const { status, body, headers } = reason
  const message = `${body.message} The form has changed since it was opened.`
  return new Problem(
    status,
    { ...body, message, details: { ...body.details, formChanged: true, version: current } },
    headers,
  )
}

/** Refuses (403) an archived or withdrawn participant. */
export function requireTakingPart({ isArchived, isWithdrawn }: ParticipantRow): void {
  if (isArchived) throw refuse.forbidden('archived')
  if (isWithdrawn) throw refuse.forbidden('withdrawn')
}

/**
 * Submits or amends a participant's own response (docs/forms.md, "Submissions").
 * @throws 403 for an archived or withdrawn participant, without a consent that is needed and outside the time window, 404 for a stage
 * that is not shown
 */
export function submitOwn(
  context: SubmitContext,
  path: string,
  sent: Record<Id, SentAnswer>,
  { opened, version }: OpenedForm,
  by: 'account' | 'link',
) {
  const { db, services, trial, participant, now, key } = context
  const config = configuration(db, trial).in(answerLanguage(context))
  stageAt(config, path) // An unknown stage is 404 even for a participant who may not submit.
  requireTakingPart(participant)
  const occurrence = occurrenceAt(db, config, participant._id, path)
  try {
    const ownSubmission = {
      db,
      seal: services.seal,
      now,
      trial,
      participant,
      configuration: config,
      occurrence,
      sent,
      opened,
    }
    const consent = checkOwnConsent(ownSubmission)
    const answeredAt = requireOpen(ownSubmission) ?? consent.answeredAt
    const { row, known, ignoredNotice, messages } = submitWithEffects(context, {
      configuration: config,
      ...occurrence,
      sent,
      hidden: (dataType) => isSensitive(config, dataType),
      by: { _id: participant._id, type: 'participant' },
      updateNote: null,
      entry: key,
      answeredAt,
      consent,
    })
    const hidden = hiddenInReceipt(config, occurrence.stage, sent, occurrence.existing && by)
    return {
      ...readResponse(db, config, row, participant, hidden, known),
      ...ignoredNotice,
      postSubmissionText: config.stages.get(occurrence.stage)!.postSubmissionText ?? null,
      ...messagesView(messages),
    }
  } catch (reason) {
    throw changedFormRefusal(reason, config, path, version)
  }
}
