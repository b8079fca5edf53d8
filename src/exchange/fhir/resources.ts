/** The resources of a trial, made of its rows (docs/fhir.md). */
import type { ParticipantRow } from '#conduct/participants/store'
import type { readResponse } from '#conduct/responses/views'
import type { Configuration } from '#design/configuration/configuration'
import type { StageRow } from '#design/stages/store'
import type { Trial } from '#design/trials/store'
import { answerItems } from './answers'
import { identifier, moment, pseudonymous, type Resource, reference, trimmedString } from './base'
import { itemsOf } from './items'

const studyStatus = ({ isArchived, isDatabaseLocked }: Trial): string =>
  isArchived ? 'completed' : isDatabaseLocked ? 'closed-to-accrual-and-intervention' : 'active'

export const studyResource = (base: string, trial: Trial): Resource => ({
  resourceType: 'ResearchStudy',
  id: trial._id,
  identifier: [identifier(base, 'code', trial.code)],
  title: trimmedString(trial.name),
  status: studyStatus(trial),
  description: trimmedString(trial.description),
  sponsor: trimmedString(trial.settings.sponsor as string | null | undefined)
    ? { display: trimmedString(trial.settings.sponsor as string) }
    : undefined,
})

export function questionnaireResource(base: string, config: Configuration, stage: StageRow): Resource {
  const item = itemsOf(config, stage)
  return {
    resourceType: 'Questionnaire',
    id: stage._id,
    url: `${base}/Questionnaire/${stage._id}`,
    title: trimmedString(stage.name),
    status: stage.enabled ? 'active' : 'retired',
    subjectType: ['Patient'],
    date: moment(stage.createdAt),
    description: trimmedString(stage.description),
    item: item.length ? item : undefined,
  }
}

type ResponseContent = ReturnType<typeof readResponse>

/** A response that was moved to another participant, or judged, has the same answers as before: it was not amended. */
const responseStatus = ({ partialSubmission, createdAt, response }: ResponseContent): string => {
  if (partialSubmission) return 'in-progress'
  return Object.values(response).some((entry) => entry.createdAt > createdAt) ? 'amended' : 'completed'
}

/** @param read the response, without the answers that are hidden from the reader */
export function responseResource(base: string, config: Configuration, read: ResponseContent): Resource {
  const entries = Object.values(read.response)
  const isOwn = entries.length > 0 && entries.every(({ createdByType }) => createdByType === 'participant')
  const subject = read.participant === null ? undefined : reference('Patient', read.participant)
  const item = answerItems(config, read.stage, read.response)
  return {
    resourceType: 'QuestionnaireResponse',
    id: read._id,
    meta: { ...pseudonymous, lastUpdated: moment(read.updatedAt) },
    identifier: identifier(base, 'occurrence', `${read.stage}::${read.stageRecurrence}`),
    questionnaire: `${base}/Questionnaire/${read.stage}`,
    status: responseStatus(read),
    subject,
    authored: moment(read.updatedAt),
    source: isOwn ? subject : undefined,
    item: item.length ? item : undefined,
  }
}

/** A participant without anything that says who they are: the ID of the study is the only identifier. */
export const patientResource = (base: string, { _id, id, isArchived }: ParticipantRow): Resource => ({
  resourceType: 'Patient',
  id: _id,
  meta: pseudonymous,
  identifier: [identifier(base, 'participant-id', id)],
  active: !isArchived,
})

const subjectStatus = ({ isWithdrawn, isArchived, isUnallocated }: ParticipantRow): string =>
  isWithdrawn ? 'withdrawn' : isArchived ? 'off-study' : isUnallocated ? 'candidate' : 'on-study'

/** The participation of a participant. The arm is left out: the study may be blinded. */
export const subjectResource = (base: string, trial: Pick<Trial, '_id'>, row: ParticipantRow): Resource => ({
  resourceType: 'ResearchSubject',
  id: row._id,
  meta: pseudonymous,
  identifier: [identifier(base, 'participant-id', row.id)],
  status: subjectStatus(row),
  period: { start: moment(row.createdAt) },
  study: reference('ResearchStudy', trial._id),
  individual: reference('Patient', row._id),
})
