/** Ready-made roles of a study team (docs/permissions.md, "Ready-made roles"). A pure table: a role that is made from one is a role as any other. */
import type { Key, ScopeKind } from '#access/keys'
import type { Id } from '#kernel/id'

type Template = { name: string; description: string; keys: readonly Key[] }

/** What a pharmacy needs to hand out packs. It reads no answers. */
const pharmacy: readonly Key[] = [
  'readParticipants',
  'listPacks',
  'assignPacks',
  'dispense',
  'readSites',
  'writeSiteMessages',
]

/** What people at a site do who are in touch with participants. */
const siteStaff: readonly Key[] = [
  ...(['read', 'readParticipantPersonalInformation', 'readParticipantStudyDataPii', 'support'] as const),
  ...(['rescheduleParticipants', 'writeParticipantNotes', 'writeParticipantStudyData', 'assignPacks'] as const),
  ...(['writeTasks', 'writeSiteMessages'] as const),
]

/** What registers participants, and keeps their consents and the files of the site. */
const siteRecords: readonly Key[] = [
  ...(['registerParticipants', 'writeParticipants', 'tagParticipants', 'allocateParticipants'] as const),
  ...(['withdrawParticipants', 'readTrialConsents', 'writeFiles', 'requestFileApproval'] as const),
]

export const roleTemplates = {
  investigator: {
    name: 'Investigator',
    description: 'Answers for the participants of a site: enters and signs data, randomises, unblinds in an emergency.',
    keys: [...siteStaff, ...siteRecords, 'readParticipantStudyDataRestricted', 'signStudyData', 'randomise'],
  },
  coordinator: {
    name: 'Study coordinator',
    description: 'Runs the study at a site: registers participants, plans visits, enters data.',
    keys: [...siteStaff, ...siteRecords],
  },
  researchNurse: {
    name: 'Research nurse',
    description: 'Sees participants at a site and enters data.',
    keys: siteStaff,
  },
  dataManager: {
    name: 'Data manager',
    description: 'Cleans the data of all sites, exports them and locks the database.',
    keys: [
      ...(['read', 'writeParticipantStudyData', 'setResponseStatus', 'cleanStudyData', 'lockDatabase'] as const),
      ...(['exportData', 'readLogs', 'readParticipantStudyDataRestricted', 'writeTasks'] as const),
    ],
  },
  monitor: {
    name: 'Monitor',
    description: 'Compares data with their source, raises queries, and records visits and issues. Changes no data.',
    keys: ['read', 'raiseQueries', 'verifyStudyData', 'manageMonitoring', 'writeTasks', 'writeSiteMessages'],
  },
  pharmacistBlinded: {
    name: 'Pharmacist (blinded)',
    description: 'Hands out packs by their names. Does not see their types.',
    keys: pharmacy,
  },
  pharmacistUnblinded: {
    name: 'Pharmacist (unblinded)',
    description: 'Keeps the stock of packs, and sees types and arms.',
    keys: [...pharmacy, 'writePacks', 'readRandomisation'],
  },
  statisticianBlinded: {
    name: 'Statistician (blinded)',
    description: 'Reads and exports data, without arms.',
    keys: ['read', 'exportData'],
  },
  statisticianUnblinded: {
    name: 'Statistician (unblinded)',
    description: 'Reads and exports data with arms, for a data monitoring committee.',
    keys: ['read', 'exportData', 'readRandomisation'],
  },
  medicalMonitor: {
    name: 'Medical monitor',
    description: 'Reviews safety, raises queries, and unblinds a participant in an emergency.',
    keys: ['read', 'readParticipantStudyDataRestricted', 'raiseQueries', 'unblindParticipants'],
  },
  coder: {
    name: 'Medical coder',
    description: 'Reads the answers to code, and raises queries.',
    keys: ['read', 'codeStudyData', 'raiseQueries'],
  },
  sponsor: {
    name: 'Sponsor',
    description: 'Reads the study and its log, without personal information.',
    keys: ['read', 'readLogs'],
  },
  inspector: {
    name: 'Inspector',
    description: 'Reads and exports everything but arms, and changes nothing.',
    keys: [
      ...(['read', 'readLogs', 'exportData', 'readParticipantPersonalInformation', 'readConsentSettings'] as const),
      ...(['readParticipantStudyDataRestricted', 'readParticipantStudyDataPii', 'readTrialConsents'] as const),
    ],
  },
} as const satisfies Record<string, Template>

export type TemplateName = keyof typeof roleTemplates

export const templateNames = Object.keys(roleTemplates) as TemplateName[]

/** Whether a role of this template is of the whole trial only: arms and lists belong to it. */
export const isOfWholeTrial = (template: TemplateName): boolean =>
  (roleTemplates[template].keys as readonly Key[]).includes('readRandomisation')

/** The words of a template on a scope. */
export const wordsOf = (template: TemplateName, kind: ScopeKind): string[] =>
  roleTemplates[template].keys.map((key) => `${kind}.${key}`)

/**
 * The permissions of a role of this template on these places; nothing is checked.
 * @param kindOf what a place is; an unknown place gets the permissions of a trial
 */
export const permissionsOf = (
  template: TemplateName,
  places: readonly Id[],
  kindOf: (scope: Id) => ScopeKind | undefined,
): Record<Id, string[]> =>
  Object.fromEntries(places.map((place) => [place, wordsOf(template, kindOf(place) ?? 'trial')]))
