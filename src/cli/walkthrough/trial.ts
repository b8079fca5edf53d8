import { openAccount } from './accounts'
import type { Client } from './client'
import {
  adverseEvent,
  CUTOFF_AT,
  dataTypes,
  enrolment,
  gad7,
  INSTRUCTIONS,
  phq9,
  reminderAfter,
  weekly,
} from './instruments'
import { ARMS, type Plan, SITES } from './plan'

/** The trial after its set-up: the `_id` of everything in it. */
export type Trial = {
  _id: string
  name: string
  code: string
  sites: string[]
  arms: string[]
  fields: Record<string, string>
  stages: { enrolment: string; phq9: string; gad7: string; adverse: string }
  /** One nurse per site, who sees that site only. */
  nurses: Client[]
  /** The `_id` of each nurse's account. */
  nurseIds: string[]
}

/** The meaning of a casebook signature, as the signer declares it. */
export const MEANING = 'I have reviewed this casebook, and it is complete and correct.'

/** The permissions of a nurse on her site. She may not see postcodes, which are personal information. */
const NURSE = [
  'site.access',
  'site.readParticipants',
  'site.registerParticipants',
  'site.withdrawParticipants',
  'site.writeParticipantStudyData',
  'site.exportData',
  'site.support',
]

/** Creates one object after another. Returns their `_id`s in the same order. */
async function createEach(owner: Client, path: string, bodies: readonly unknown[]): Promise<string[]> {
  const ids: string[] = []
  for (const body of bodies) ids.push((await owner.post(path, body))._id)
  return ids
}

/** Sets the trial up: settings, sites, groups, data types, stages, and accounts with their roles. */
export async function createTrial(owner: Client, anonymous: Client, team: string, { weeks }: Plan): Promise<Trial> {
  const { _id, name } = await owner.post(`/teams/${team}/trials`, {
    name: 'BRIGHTER: guided self-help for low mood and worry',
    description: 'A made-up study: every person in it was invented by a random generator.',
  })
  const at = `/trials/${_id}`
  const { code } = await owner.put(at, {
    code: `brighter-${_id.slice(-6)}`,
    studyAcronym: 'BRIGHTER',
    scientificName: 'A randomised trial of guided self-help against usual care in adults with low mood or anxiety',
    protocolNumber: 'BR-2026-01',
    sponsor: 'Riverside University (made up)',
    timezone: 'Europe/London',
    signOffNoteRequired: true,
    behindScheduleNotices: ['push', 'email'],
    responseSigningEnabled: true,
    signaturesRequiredForLock: true,
    signatureMeanings: [MEANING],
    smartAutomaticQueriesEnabled: true,
    smartAutomaticQueryInstructions: INSTRUCTIONS,
  })
  const sites = await createEach(owner, `${at}/sites`, SITES)
  const arms = await createEach(
    owner,
    `${at}/groups`,
    ARMS.map((name, n) => ({ name, colour: ['teal', 'orange'][n] })),
  )
  const ids = await createEach(owner, `${at}/data-types`, dataTypes)
  const fields = Object.fromEntries(dataTypes.map(({ code }, n) => [code, ids[n]!]))
  const stages = await createStages(owner, at, fields, weeks)
  await owner.post(`${at}/stage-groups`, {
    name: 'Every week',
    stages: [stages.phq9, stages.gad7].map((stage) => ({ stage, recurrence: null })),
  })
  const { nurses, nurseIds } = await inviteNurses(owner, anonymous, team, at, sites)
  return { _id, name, code, sites, arms, fields, stages, nurses, nurseIds }
}

/** The weekly forms end a week too early: the amendment corrects this. */
async function createStages(owner: Client, at: string, fields: Record<string, string>, weeks: number) {
  const id = (code: string) => fields[code]!
  const visit = await owner.post(`${at}/stages`, enrolment(id))
  const anchor = await owner.post(`${at}/anchors`, {
    name: 'Enrolment',
    assignmentRule: { type: 'stage_completion', stageId: visit._id, stageRecurrence: 0 },
  })
  const [mood, worry, adverse] = await createEach(owner, `${at}/stages`, [
    weekly(phq9, id, weeks - 1, anchor._id, { reminders: reminderAfter(48) }),
    weekly(gad7, id, weeks - 1, anchor._id, { behindCutoffTime: CUTOFF_AT }),
    adverseEvent(id),
  ])
  return { enrolment: visit._id as string, phq9: mood!, gad7: worry!, adverse: adverse! }
}

/** Invites a nurse for each site and gives her the role there. */
async function inviteNurses(owner: Client, anonymous: Client, team: string, at: string, sites: readonly string[]) {
  const nurses: Client[] = []
  const nurseIds: string[] = []
  for (const [n, site] of sites.entries()) {
    const name = `Nurse of ${SITES[n]!.name}`
    const email = `nurse.${SITES[n]!.id.toLowerCase()}.${site.slice(-6)}@example.org`
    const invited = await owner.post(`/teams/${team}/users`, { email, name, permissions: [] })
    const { client } = await openAccount(anonymous, invited.setupUrl.split('/').at(-1), { name })
    const role = await owner.post(`${at}/roles`, { name, permissions: { [site]: NURSE } })
    await owner.put(`/users/${invited._id}/roles/${role._id}`)
    nurses.push(client)
    nurseIds.push(invited._id)
  }
  return { nurses, nurseIds }
}
