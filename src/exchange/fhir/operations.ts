/** The study and its forms in FHIR R4, read only (docs/fhir.md). */
import { consentsAfter } from '#conduct/consents/listStore'
import { consent } from '#conduct/consents/staffScope'
import { consentScopes } from '#conduct/consents/staffViews'
import { configuration } from '#design/configuration/configuration'
import type { StageRow } from '#design/stages/store'
import { type TrialScope, trial } from '#design/trials/scope'
import { anywhere, operation, type Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { baseIn, idsIn, type Resource } from './base'
import { bundleOf, patientsIn } from './bundle'
import { capabilityStatement } from './capability'
import { consentResource } from './consents'
import { ConsentQuery, FhirResource, ReadQuery, SearchQuery } from './model'
import { questionnaireResource, studyResource } from './resources'

/** Whether a search asks for this `_id`. */
const isIncluded = (ids: string | undefined, _id: string): boolean =>
  ids === undefined || ids.split(',').some((each) => each.trim() === _id)

const readCapabilities = operation({
  id: 'readFhirCapabilities',
  method: 'GET',
  path: '/trials/:trialId/fhir/metadata',
  summary: 'Read what the FHIR part of the API can do',
  fhir: true,
  scope: trial,
  needs: 'nothing',
  query: ReadQuery(),
  returns: FhirResource,
  run: (context) => capabilityStatement(baseIn(context), context.trial, context.services.version),
})

const searchStudies = operation({
  id: 'searchFhirResearchStudies',
  method: 'GET',
  path: '/trials/:trialId/fhir/ResearchStudy',
  summary: 'Search for the study as a FHIR ResearchStudy',
  fhir: true,
  scope: trial,
  needs: anywhere('trial.read'),
  query: SearchQuery(),
  returns: FhirResource,
  run: (context) => {
    const { trial, query } = context
    const isHere = isIncluded(query._id, trial._id) && (query._after ?? '') < trial._id
    const resources = isHere ? [studyResource(baseIn(context), trial)] : []
    return bundleOf(baseIn(context), 'ResearchStudy', query, { resources })
  },
})

/** The trial, if `:studyId` names it, too. */
const study: Scope<TrialScope, 'trialId' | 'studyId'> = (context) => {
  const inTrial = trial(context)
  if (context.params.studyId !== inTrial.trial._id) throw refuse.missing('study')
  return inTrial
}

const readStudy = operation({
  id: 'readFhirResearchStudy',
  method: 'GET',
  path: '/trials/:trialId/fhir/ResearchStudy/:studyId',
  summary: 'Read the study as a FHIR ResearchStudy',
  fhir: true,
  scope: study,
  needs: anywhere('trial.read'),
  query: ReadQuery(),
  returns: FhirResource,
  run: (context) => studyResource(baseIn(context), context.trial),
})

const searchQuestionnaires = operation({
  id: 'searchFhirQuestionnaires',
  method: 'GET',
  path: '/trials/:trialId/fhir/Questionnaire',
  summary: 'Search for the forms of a trial as FHIR Questionnaires',
  fhir: true,
  scope: trial,
  needs: 'nothing',
  query: SearchQuery(),
  returns: FhirResource,
  run: (context) => {
    const { db, trial, query } = context
    const { _count = 50, _after = '' } = query
    const config = configuration(db, trial)
    const rest = config.stageOrder
      .filter(({ _id }) => isIncluded(query._id, _id) && _id > _after)
      .toSorted((a, b) => (a._id < b._id ? -1 : 1))
    const resources = rest
      .slice(0, _count)
      .map((stage): Resource => questionnaireResource(baseIn(context), config, stage))
    return bundleOf(baseIn(context), 'Questionnaire', query, {
      resources,
      next: rest.length > _count ? rest[_count - 1]!._id : undefined,
    })
  },
})

/** A stage of the trial. */
const stage: Scope<TrialScope & { stage: StageRow }, 'trialId' | 'stageId'> = (context) => {
  const inTrial = trial(context)
  return {
    ...inTrial,
    stage: found(configuration(context.db, inTrial.trial).stages.get(context.params.stageId), 'stage'),
  }
}

const readQuestionnaire = operation({
  id: 'readFhirQuestionnaire',
  method: 'GET',
  path: '/trials/:trialId/fhir/Questionnaire/:stageId',
  summary: 'Read a form as a FHIR Questionnaire',
  fhir: true,
  scope: stage,
  needs: 'nothing',
  query: ReadQuery(),
  returns: FhirResource,
  run: (context) => questionnaireResource(baseIn(context), configuration(context.db, context.trial), context.stage),
})

const searchConsents = operation({
  id: 'searchFhirConsents',
  method: 'GET',
  path: '/trials/:trialId/fhir/Consent',
  summary: 'Search for consents as FHIR Consents',
  description: 'Pseudonymous: without names and addresses.',
  fhir: true,
  scope: trial,
  needs: anywhere('trial.readTrialConsents'),
  reads: patientsIn,
  query: ConsentQuery(),
  returns: FhirResource,
  run: (context) => {
    const { db, trial, access, query } = context
    const { _count = 50, _after = '' } = query
    const among = {
      ids: query._id?.split(',').map((each) => each.trim()),
      participants: query.patient === undefined ? undefined : idsIn(trial._id, 'Patient', query.patient),
    }
    const rows = consentsAfter(db, { trial: trial._id, scopes: consentScopes(access) }, among, _after, _count + 1)
    const next = rows.length > _count ? rows[_count - 1]?._id : undefined
    const resources = rows.slice(0, _count).map((row) => consentResource(db, row))
    return bundleOf(baseIn(context), 'Consent', query, { resources, next })
  },
})

const readConsent = operation({
  id: 'readFhirConsent',
  method: 'GET',
  path: '/trials/:trialId/fhir/Consent/:consentId',
  summary: 'Read a consent as a FHIR Consent',
  description: 'Pseudonymous: without names and addresses.',
  fhir: true,
  scope: consent,
  needs: 'trial.readTrialConsents',
  query: ReadQuery(),
  returns: FhirResource,
  run: ({ db, consent }) => consentResource(db, consent),
})

export const fhirOperations = [
  readCapabilities,
  searchStudies,
  readStudy,
  searchQuestionnaires,
  readQuestionnaire,
  searchConsents,
  readConsent,
] as const
