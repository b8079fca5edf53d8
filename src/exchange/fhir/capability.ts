import type { Trial } from '#design/trials/store'
import { moment, type Resource, type ResourceType } from './base'

type Parameter = readonly [name: string, type: 'token' | 'reference']

const ID: Parameter = ['_id', 'token']

/** The search parameters of each resource. A test compares them with those of the operations. */
export const searchParameters: Readonly<Record<ResourceType, readonly Parameter[]>> = {
  ResearchStudy: [ID],
  Questionnaire: [ID],
  QuestionnaireResponse: [ID, ['subject', 'reference'], ['patient', 'reference'], ['questionnaire', 'reference']],
  Patient: [ID, ['identifier', 'token']],
  ResearchSubject: [
    ID,
    ['identifier', 'token'],
    ['individual', 'reference'],
    ['patient', 'reference'],
    ['study', 'reference'],
  ],
  Consent: [ID, ['patient', 'reference']],
}

/** What this part of the API can do. */
export const capabilityStatement = (base: string, trial: Trial, version: string): Resource => ({
  resourceType: 'CapabilityStatement',
  status: 'active',
  date: moment(trial.createdAt),
  kind: 'instance',
  software: { name: 'Trialbox', version },
  implementation: { description: `The study ${trial.code}, read only and pseudonymous`, url: base },
  fhirVersion: '4.0.1',
  format: ['application/fhir+json', 'json'],
  rest: [
    {
      mode: 'server',
      security: { description: 'An API key of a member of staff: Authorization: Bearer tbk_…' },
      resource: Object.entries(searchParameters).map(([type, parameters]) => ({
        type,
        interaction: [{ code: 'read' }, { code: 'search-type' }],
        versioning: 'no-version',
        searchParam: parameters.map(([name, kind]) => ({ name, type: kind })),
      })),
    },
  ],
})
