/** Participants and their responses in FHIR R4, read only and pseudonymous (docs/fhir.md). */
import { holds, holdsAnywhere, noPlaces, type Places, scopeOf, visibleScopeOf } from '#access/caller'
import { placesOf } from '#conduct/participants/memberships'
import { participant } from '#conduct/participants/scope'
import type { ParticipantRow } from '#conduct/participants/store'
import { response } from '#conduct/responses/scope'
import { type ResponseRow, responseById, responsesOfParticipant } from '#conduct/responses/store'
import { readResponse } from '#conduct/responses/views'
import type { Db } from '#db/open'
import { rowWhere } from '#db/rows'
import { participants } from '#db/tables/index'
import { type Configuration, configuration } from '#design/configuration/configuration'
import { hiddenFrom } from '#design/hiddenFields/hiddenFields'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { type Id, isId } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { hourLinkMaker } from '#storage/links'
import { baseIn, idsIn } from './base'
import { bundleOf, patientsIn } from './bundle'
import { FhirResource, PatientQuery, ReadQuery, ResponseQuery, SubjectQuery } from './model'
import { pageWithin } from './pages'
import { patientResource, responseResource, subjectResource } from './resources'
import { type Context, scopesOf, searchParticipants, splitIds, visibleParticipant } from './search'

const searchPatients = operation({
  id: 'searchFhirPatients',
  method: 'GET',
  path: '/trials/:trialId/fhir/Patient',
  summary: 'Search for participants as FHIR Patients',
  description: 'Pseudonymous: without names, contacts and dates of birth.',
  fhir: true,
  scope: trial,
  needs: anywhere('trial.readParticipants'),
  reads: patientsIn,
  query: PatientQuery(),
  returns: FhirResource,
  run: (context) => {
    const [base, { query }] = [baseIn(context), context]
    const { rows, next } = searchParticipants(context, query)
    return bundleOf(base, 'Patient', query, { resources: rows.map((row) => patientResource(base, row)), next })
  },
})

const readPatient = operation({
  id: 'readFhirPatient',
  method: 'GET',
  path: '/trials/:trialId/fhir/Patient/:participantId',
  summary: 'Read a participant as a FHIR Patient',
  description: 'Pseudonymous: without names, contacts and dates of birth.',
  fhir: true,
  scope: participant,
  needs: 'trial.readParticipants',
  query: ReadQuery(),
  returns: FhirResource,
  run: (context) => patientResource(baseIn(context), context.participant),
})

const searchSubjects = operation({
  id: 'searchFhirResearchSubjects',
  method: 'GET',
  path: '/trials/:trialId/fhir/ResearchSubject',
  summary: 'Search for participations as FHIR ResearchSubjects',
  fhir: true,
  scope: trial,
  needs: anywhere('trial.readParticipants'),
  reads: patientsIn,
  query: SubjectQuery(),
  returns: FhirResource,
  run: (context) => {
    const [base, { query, trial }] = [baseIn(context), context]
    const isHere = query.study === undefined || idsIn(trial._id, 'ResearchStudy', query.study).includes(trial._id)
    const { rows, next } = isHere
      ? searchParticipants(context, query, [query.individual, query.patient])
      : { rows: [], next: undefined }
    return bundleOf(base, 'ResearchSubject', query, {
      resources: rows.map((row) => subjectResource(base, trial, row)),
      next,
    })
  },
})

const readSubject = operation({
  id: 'readFhirResearchSubject',
  method: 'GET',
  path: '/trials/:trialId/fhir/ResearchSubject/:participantId',
  summary: 'Read a participation as a FHIR ResearchSubject',
  fhir: true,
  scope: participant,
  needs: 'trial.readParticipants',
  query: ReadQuery(),
  returns: FhirResource,
  run: (context) => subjectResource(baseIn(context), context.trial, context.participant),
})

/** A response as the caller may see it. */
function visibleResponseResource(
  context: Context,
  config: Configuration,
  row: ResponseRow,
  owner: ParticipantRow | undefined,
) {
  const { db, now, services, access } = context
  const places: Places = row.participant === null ? noPlaces : placesOf(db, row.participant)
  const hidden = hiddenFrom(config, access, places)
  const link = hourLinkMaker(services, now)
  // The name that a person gave a file may be their own.
  const read = readResponse(db, config, row, owner, hidden, undefined, (storedName) => link(storedName, storedName))
  return responseResource(baseIn(context), config, read)
}

type ResponseSearch = { _id?: string; subject?: string; patient?: string; questionnaire?: string }

/** Whether a search names single responses or a participant. Any other is an export. */
const isNarrow = ({ _id, subject, patient }: ResponseSearch): boolean => (_id ?? subject ?? patient) !== undefined

/** The responses of a participant that a search asks for, by `_id`. */
const responsesIn = (db: Db, _id: Id, stages: readonly string[] | undefined): ResponseRow[] =>
  responsesOfParticipant(db, _id).filter((row) => !stages || stages.includes(row.stage))

/** The stages that a search names; undefined if it names none. */
const stagesIn = (trial: Id, questionnaire: string | undefined): string[] | undefined =>
  questionnaire === undefined ? undefined : idsIn(trial, 'Questionnaire', questionnaire)

type ResponseMatch = { row: ResponseRow; participant: ParticipantRow | undefined }

/** The responses that a narrow search names, by `_id`. */
function namedResponses(context: Context, { _id, subject, patient, questionnaire }: ResponseSearch): ResponseMatch[] {
  const { db, trial, access } = context
  const stages = stagesIn(trial._id, questionnaire)
  const owners = [subject, patient].flatMap((each) => (each === undefined ? [] : [idsIn(trial._id, 'Patient', each)]))
  const rows =
    _id === undefined
      ? [...new Set(owners[0])].flatMap((each) => (isId(each) ? responsesIn(db, each, stages) : []))
      : splitIds(_id).flatMap((each) => (isId(each) ? (responseById(db, each) ?? []) : []))
  return rows
    .filter((row) => row.trial === trial._id && (!stages || stages.includes(row.stage)))
    .filter(({ participant }) => owners.every((some) => participant !== null && some.includes(participant)))
    .toSorted((a, b) => (a._id < b._id ? -1 : 1))
    .flatMap((row): ResponseMatch[] => {
      if (row.participant === null)
        return visibleScopeOf(access) === 'all' && holds(access, 'readParticipantStudyData')
          ? [{ row, participant: undefined }]
          : []
      const participant = visibleParticipant(context, row.participant, 'readParticipantStudyData')
      return participant ? [{ row, participant }] : []
    })
}

/** A page of all responses that the caller may export. */
function allResponses({ db, trial, access }: Context, token: string, count: number, stages: string[] | undefined) {
  if (!holdsAnywhere(access, 'exportData')) throw refuse.missingPermission(['trial.exportData'])
  const scopes = [...scopesOf(access, 'readParticipantStudyData'), scopeOf(access, ['exportData'])]
  return pageWithin<ResponseRow>({ db, trial: trial._id, scopes }, token, count, ({ _id, responseCount }) =>
    responseCount ? responsesIn(db, _id, stages) : [],
  )
}

const searchResponses = operation({
  id: 'searchFhirResponses',
  method: 'GET',
  path: '/trials/:trialId/fhir/QuestionnaireResponse',
  summary: 'Search for responses as FHIR QuestionnaireResponses',
  description:
    'Without `_id`, `subject` or `patient` it is an export, which needs `trial.exportData` and has an audit entry. Answers that the caller may not see are left out.',
  fhir: true,
  scope: trial,
  needs: anywhere('trial.readParticipantStudyData'),
  logs: (query) => (isNarrow(query) ? undefined : 'exportFhir'),
  reads: patientsIn,
  query: ResponseQuery(),
  returns: FhirResource,
  run: (context) => {
    const { db, trial, query, record } = context
    const { _after = '', _count = 50, questionnaire } = query
    const stages = stagesIn(trial._id, questionnaire)
    const narrow = isNarrow(query) ? namedResponses(context, query).filter(({ row }) => row._id > _after) : undefined
    const { found, next } = narrow
      ? { found: narrow.slice(0, _count), next: narrow.length > _count ? narrow[_count - 1]!.row._id : undefined }
      : allResponses(context, _after, _count, stages)
    if (!narrow) record({ event: { responses: found.length, ...(stages && { stages }) } })
    const config = configuration(db, trial)
    const resources = found.map(({ row, participant }) => visibleResponseResource(context, config, row, participant))
    return bundleOf(baseIn(context), 'QuestionnaireResponse', query, { resources, next })
  },
})

const readFhirResponse = operation({
  id: 'readFhirResponse',
  method: 'GET',
  path: '/trials/:trialId/fhir/QuestionnaireResponse/:responseId',
  summary: 'Read a response as a FHIR QuestionnaireResponse',
  description: 'Answers that the caller may not see are left out.',
  fhir: true,
  scope: response,
  needs: 'trial.readParticipantStudyData',
  query: ReadQuery(),
  returns: FhirResource,
  run: (context) => {
    const { db, trial, response } = context
    const owner = response.participant === null ? undefined : rowWhere(db, participants, { _id: response.participant })
    return visibleResponseResource(context, configuration(db, trial), response, owner)
  },
})

export const fhirParticipantOperations = [
  searchPatients,
  readPatient,
  searchSubjects,
  readSubject,
  searchResponses,
  readFhirResponse,
] as const
