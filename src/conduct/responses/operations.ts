import type { Access, Places, Staff } from '#access/caller'
import { requireConsent } from '#conduct/consents/required'
import { participant } from '#conduct/participants/scope'
import type { ParticipantRow } from '#conduct/participants/store'
import { ParticipantReading, StageReading } from '#conduct/review/model'
import { reviewOf, visibleEvents } from '#conduct/review/review'
import { zoneOf } from '#conduct/timeline/progress'
import type { Db } from '#db/open'
import { type Configuration, configuration } from '#design/configuration/configuration'
import { type HiddenFieldTest, hiddenFrom } from '#design/hiddenFields/hiddenFields'
import type { SharedTrial } from '#design/trials/store'
import { operation, type RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { hourLinkMaker } from '#storage/links'
import type { LinkMaker } from '#storage/storage'
import { byQuery, flag, maybe, shape, type ValueOf } from '#wire/schema'
import { deleteDraft, draftsOf, isReasonRecorded, saveDraft } from './draftStore'
import { draftAnswersText, draftNumberOf, draftRecurrenceOf, readDraft } from './drafts'
import { staffAuthor } from './events'
import { fileUrlOf } from './files'
import { ignoredAnswersIn, ignoredAuditFields, ignoredFields } from './ignoredAnswers'
import { submissionsIn } from './layout'
import { History, SavedDraft, StaffSubmission, SubmissionReceipt } from './model'
import { occurrenceAt } from './occurrence'
import { response } from './scope'
import {
  layoutById,
  type ResponseRow,
  responsesOfParticipant,
  sourceSubmissionsOf,
  submissionMetaByNumber,
  submissionsOf,
} from './store'
import { submitWithEffects } from './submission'
import { changesOf, isScoreHidden, readResponse, visibleNote } from './views'

type EntryContext = RequestContext<Staff, { stageId: Id }> & {
  trial: SharedTrial
  participant: ParticipantRow
  access: Access
  places: Places
  body: ValueOf<typeof StaffSubmission>
  record(note: Record<string, unknown>): void
}

/** Refuses (403) an entry without the consent that the form needs. Drafts are entries, too. */
const requireEntryConsent = (
  { db, body, ...of }: Pick<EntryContext, 'db' | 'trial' | 'participant' | 'body'>,
  { stages }: Configuration,
  stage: Id,
) => requireConsent(db, of, stages.get(stage)?.requiresConsent, body.withoutConsentReason)

function saveAsDraft({ db, trial, participant, body, params, caller, now, record }: EntryContext) {
  const config = configuration(db, trial)
  const occurrence = occurrenceAt(db, config, participant._id, params.stageId)
  const { stage } = occurrence
  const consent = requireEntryConsent({ db, trial, participant, body }, config, stage)
  const stageRecurrence = draftNumberOf(config, occurrence)
  const response = draftAnswersText(config.form(stage), body.response, {
    now,
    zone: zoneOf(participant, trial),
  })
  const draft = { stage, stageRecurrence, savedAt: now, response, updateNote: body.updateNote ?? null }
  const author = caller.user._id
  const since = saveDraft(db, participant._id, author, draft)
  const ignored = ignoredAnswersIn(config, stage, body.response)
  const event = { stage, stageRecurrence: draftRecurrenceOf(stageRecurrence), ...ignoredAuditFields(ignored) }
  // The trail has its beginning and its end, and each reason to go on without a consent; in between it may be saved every few seconds.
  const reason = consent.event.withoutConsent?.reason
  const of = { trial: trial._id, participant: participant._id, author, stage }
  const isNewReason = reason !== undefined && since !== undefined && !isReasonRecorded(db, { ...of, since, reason })
  if (since === undefined || isNewReason) record({ type: 'saveDraft', event: { ...event, ...consent.event } })
  return { ...readDraft(draft), ...ignoredFields(config, stage, ignored, 'user') }
}

function submitAsStaff(context: EntryContext) {
  const { db, services, now, trial, participant, body, params, caller } = context
  if (participant.isArchived) throw refuse.bad('archivedTakesNoData')
  const config = configuration(db, trial)
  const occurrence = occurrenceAt(db, config, participant._id, params.stageId)
  const hidden = hiddenFrom(config, context.access, context.places)
  const submitted = submitWithEffects(context, {
    configuration: config,
    ...occurrence,
    sent: body.response,
    hidden,
    by: staffAuthor(caller.user),
    updateNote: body.updateNote ?? null,
    needsNote: trial.settings.signOffNoteRequired === true,
    consent: requireEntryConsent(context, config, occurrence.stage),
  })
  const { row, known, ignoredNotice } = submitted
  const draft = deleteDraft(db, participant._id, row.stage, draftNumberOf(config, occurrence), caller.user._id)
  const { stage, stageRecurrence } = row
  if (draft) context.record({ type: 'submitDraft', event: { stage, stageRecurrence, ...draft } })
  const read = readResponse(db, config, row, participant, hidden, known, hourLinkMaker(services, now))
  return { ...read, ...ignoredNotice }
}

const enterResponse = operation({
  id: 'enterResponse',
  method: 'PUT',
  path: '/trials/:trialId/participants/:participantId/responses/:stageId',
  summary: 'Submit, amend or draft a response',
  description:
    'The stage is `<stageId>`, or `<stageId>::<n>` for an occurrence. Fields that are not sent keep their value. With `draft=true` the answers are saved as a draft that only its author sees.',
  scope: participant,
  needs: 'trial.writeParticipantStudyData',
  changes: 'data',
  logs: ({ draft }) => (draft ? undefined : 'submitResponse'),
  body: StaffSubmission,
  query: shape({ draft: maybe(flag()) }),
  returns: byQuery('draft', SubmissionReceipt, { true: SavedDraft }),
  run: (context) => (context.query.draft ? saveAsDraft(context) : submitAsStaff(context)),
})

const discardDraft = operation({
  id: 'discardDraft',
  method: 'DELETE',
  path: '/trials/:trialId/participants/:participantId/draftResponses/:stageId',
  summary: 'Discard one’s own draft',
  scope: participant,
  needs: 'trial.writeParticipantStudyData',
  changes: 'data',
  logs: 'discardDraft',
  returns: shape({}),
  run: ({ db, trial, participant, params, caller, record }) => {
    const config = configuration(db, trial)
    const occurrence = occurrenceAt(db, config, participant._id, params.stageId)
    const { stage } = occurrence
    const stageRecurrence = draftNumberOf(config, occurrence)
    const draft = found(deleteDraft(db, participant._id, stage, stageRecurrence, caller.user._id), 'draft')
    record({ event: { stage, stageRecurrence: draftRecurrenceOf(stageRecurrence), ...draft } })
    return {}
  },
})

const readParticipantResponses = operation({
  id: 'readParticipantResponses',
  method: 'GET',
  path: '/trials/:trialId/participants/:participantId/responses',
  summary: 'Read the responses of a participant',
  scope: participant,
  needs: 'trial.readParticipantStudyData',
  returns: ParticipantReading,
  run: ({ services, db, now, trial, participant, access, places, caller }) => {
    const config = configuration(db, trial)
    const hidden = hiddenFrom(config, access, places)
    const rows = responsesOfParticipant(db, participant._id)
    const known = submissionMetaByNumber(db, [
      ...new Set(rows.flatMap((row) => submissionsIn(sourceSubmissionsOf(row)))),
    ])
    const link = hourLinkMaker(services, now)
    return {
      responses: rows.map((row) => readResponse(db, config, row, participant, hidden, known, link)),
      ...reviewOf(db, rows, () => hidden, link),
      drafts: draftsOf(db, participant._id, caller.user._id).map((draft) => {
        const read = readDraft(draft)
        const shown = Object.entries(read.response).filter(([dataType]) => !hidden(dataType))
        return { ...read, response: Object.fromEntries(shown) }
      }),
      participant,
    }
  },
})

const readOneResponse = operation({
  id: 'readResponse',
  method: 'GET',
  path: '/trials/:trialId/responses/:responseId',
  summary: 'Read one response',
  scope: response,
  needs: 'trial.readParticipantStudyData',
  returns: StageReading,
  run: ({ services, db, now, trial, response, participant, access, places }) => {
    const config = configuration(db, trial)
    const hidden = hiddenFrom(config, access, places)
    const link = hourLinkMaker(services, now)
    return {
      responses: [readResponse(db, config, response, participant, hidden, undefined, link)],
      ...reviewOf(db, [response], () => hidden, link),
    }
  },
})

const readHistory = operation({
  id: 'readResponseHistory',
  method: 'GET',
  path: '/trials/:trialId/responses/:responseId/history',
  summary: 'Read every submission that built a response',
  description:
    'Oldest first: `history` has the changes of each submission, `events` what else happened (verified, signed, moved).',
  scope: response,
  needs: 'trial.readParticipantStudyData',
  returns: History,
  run: ({ services, db, now, trial, response, access, places }) => {
    const config = configuration(db, trial)
    const hidden = hiddenFrom(config, access, places)
    const history = historyOf(db, config, response, hidden, hourLinkMaker(services, now))
    return { history, events: visibleEvents(db, response._id, hidden) }
  },
})

function historyOf(db: Db, config: Configuration, response: ResponseRow, hidden: HiddenFieldTest, link: LinkMaker) {
  const rows = submissionsOf(db, response._id)
  const changes = changesOf(db, rows, hidden)
  return rows.map((row, at) => ({
    submission: row._id,
    createdAt: row.at,
    createdBy: row.createdBy,
    createdByType: row.createdByType,
    updateNote: visibleNote(db, row, hidden) ?? undefined,
    client: { address: row.address, device: row.device },
    ...(row.score === null || isScoreHidden(config, row.stage, layoutById(db, row.layout), hidden)
      ? {}
      : { score: row.score }),
    partialSubmission: row.partialSubmission,
    sentLate: row.sentLate || undefined,
    changes: changes[at]!.map((change) => ({
      ...change,
      url: fileUrlOf(db, config, response, change.dataType, change.value, link),
    })),
  }))
}

export const responseOperations = [
  enterResponse,
  discardDraft,
  readParticipantResponses,
  readOneResponse,
  readHistory,
] as const
