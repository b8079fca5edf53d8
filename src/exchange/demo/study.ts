/**
 * The configuration of the demo study. Each object has a unique name; `#name` stands for its
 * `_id` wherever another refers to it, and `#trial` for the trial's.
 */

import type { AnchorInput } from '#design/anchors/model'
import type { GroupInput } from '#design/groups/model'
import type { RoleInput } from '#design/roles/model'
import type { SiteInput } from '#design/sites/model'
import type { StageGroupInput } from '#design/stageGroups/model'
import type { TrialCreation, TrialFields } from '#design/trials/model'
import type { ValueOf } from '#wire/schema'
import { dataTypes } from './dataTypes'
import { stages } from './stages'

const trial: Pick<TrialCreation, 'name' | 'description' | 'restrictRegistration' | 'copyFrom'> = {
  name: 'Asthma control study (demo)',
  description: 'A made-up study to look around in: every person and every answer in it was invented.',
  restrictRegistration: true,
}

const settings: Partial<TrialFields> = {
  scientificName: 'A randomised trial of a digital asthma plan against usual care in adults with uncontrolled asthma',
  studyAcronym: 'BREEZE',
  sponsor: 'Riverside University (made up)',
  protocolNumber: 'BREEZE-01',
  conditions: 'Asthma',
  timezone: 'Europe/London',
  enableLookback: true,
  signOffNoteRequired: true,
  defaultNotificationTitle: 'BREEZE study',
  responseSigningEnabled: true,
  signatureMeanings: ['Reviewed', 'Approved'],
}

const address = { addressCountry: 'United Kingdom', irb: 'local', approvalStatus: 'selected' } as const
const sites: Record<string, ValueOf<typeof SiteInput>> = {
  riverside: {
    id: 'RIV',
    name: 'Riverside Practice',
    addressCity: 'London',
    activityStatus: 'activeRecruiting',
    ...address,
  },
  canal: {
    id: 'CAN',
    name: 'Canal Street Surgery',
    addressCity: 'Manchester',
    activityStatus: 'activeRecruiting',
    ...address,
  },
  kelvin: {
    id: 'KEL',
    name: 'Kelvin Health Centre',
    addressCity: 'Glasgow',
    activityStatus: 'activeNotRecruiting',
    ...address,
  },
}

const groups: Record<string, ValueOf<typeof GroupInput>> = {
  plan: { name: 'Digital asthma plan', colour: 'teal' },
  usual: { name: 'Usual care', colour: 'orange' },
}

const anchors: Record<
  string,
  Required<Pick<ValueOf<typeof AnchorInput>, 'assignmentRule'>> & ValueOf<typeof AnchorInput>
> = {
  enrolled: { name: 'Enrolment visit', description: 'Set by the nurse.', assignmentRule: { type: 'manual' } },
  signIn: { name: 'First sign-in', assignmentRule: { type: 'participant_login' } },
  visit2Done: {
    name: 'Visit 2 done',
    assignmentRule: { type: 'stage_completion', stageId: '#visit2', stageRecurrence: 0 },
  },
}

const allOccurrences = (...names: string[]) => names.map((name) => ({ stage: `#${name}`, recurrence: null }))
const stageGroups: Record<string, StageGroupInput> = {
  clinic: { name: 'At the practice', colour: 'teal', stages: allOccurrences('enrolment', 'visit2') },
  home: { name: 'At home', colour: 'orange', stages: allOccurrences('baseline', 'diary', 'weekly', 'followUp') },
  safety: { name: 'Safety', colour: 'crimson', stages: allOccurrences('adverseEvent') },
}

const nurse = (site: string) => ({
  name: `Site nurse, ${sites[site]!.name}`,
  description: 'Sees and enters the data of her own site, without the treatment code.',
  permissions: { [`#${site}`]: ['site.write', 'site.readParticipantPersonalInformation'] },
})
const roles: Record<string, ValueOf<typeof RoleInput>> = {
  nurseRiverside: nurse('riverside'),
  nurseCanal: nurse('canal'),
  nurseKelvin: nurse('kelvin'),
  monitor: {
    name: 'Monitor',
    description: 'Reads everything but names and contact details, and exports.',
    permissions: { '#trial': ['trial.read', 'trial.readLogs', 'trial.exportData'] },
  },
}

/** Tasks on the lanes of a new trial; due that many days after the trial was created. */
const tasks: Record<string, { title: string; description: string | null; lane: string; dueInDays: number | null }> = {
  monitoring: {
    title: 'Book the monitoring visit at Riverside Practice',
    description: 'The enrolment forms of the last weeks are not compared with their source yet.',
    lane: 'To do',
    dueInDays: 7,
  },
  queries: {
    title: 'Go through the open queries with the nurses',
    description: null,
    lane: 'In progress',
    dueInDays: 2,
  },
  training: { title: 'Train the nurses of Kelvin Health Centre', description: null, lane: 'Done', dueInDays: null },
}

const questions = Object.fromEntries(Object.entries(dataTypes).map(([code, question]) => [code, { code, ...question }]))

export const study = {
  trial,
  settings,
  sites,
  groups,
  anchors,
  dataTypes: questions,
  stages,
  stageGroups,
  roles,
  tasks,
}
