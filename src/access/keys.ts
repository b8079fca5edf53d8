/**
 * All permission words, and which implies which (docs/permissions.md, "Keys"). This is the only such table: the manual and
 * the tests are made from it.
 */

/** The keys without their prefix: `trial.x`, `site.x` and `group.x` are the key x within that scope. */
const implications = {
  admin: ['write'],
  write: [
    'read',
    'registerParticipants',
    'writeParticipants',
    'tagParticipants',
    'allocateParticipants',
    'archiveParticipants',
    'withdrawParticipants',
    'rescheduleParticipants',
    'support',
    'readParticipantNotes',
    'writeParticipantNotes',
    'writeParticipantStudyData',
    'writeFiles',
    'requestFileApproval',
    'writeTasks',
    'writePacks',
    'assignPacks',
    'writeSites',
    'writeSiteMessages',
    'readConsentSettings',
    'readTrialConsents',
  ],
  read: [
    'readUsers',
    'readParticipants',
    'readParticipantNotes',
    'readParticipantStudyData',
    'readFiles',
    'readTasks',
    'listPacks',
    'readSites',
    'readSiteMessages',
    'access',
  ],
  readUsers: [],
  readLogs: [],
  manageWallet: [],
  manageWebhooks: [],
  readParticipants: [],
  registerParticipants: [],
  writeParticipants: ['readParticipants'],
  tagParticipants: [],
  allocateParticipants: [],
  archiveParticipants: [],
  withdrawParticipants: [],
  deleteParticipants: ['readParticipants'],
  readParticipantPersonalInformation: [],
  support: [],
  rescheduleParticipants: [],
  readParticipantNotes: [],
  writeParticipantNotes: ['readParticipantNotes'],
  readParticipantStudyData: [],
  writeParticipantStudyData: ['readParticipantStudyData', 'raiseQueries'],
  raiseQueries: ['readParticipantStudyData'],
  verifyStudyData: ['readParticipantStudyData', 'setResponseStatus'],
  setResponseStatus: ['readParticipantStudyData'],
  signStudyData: ['readParticipantStudyData'],
  deleteResponses: ['readParticipantStudyData'],
  codeStudyData: ['readParticipantStudyData'],
  cleanStudyData: ['readParticipantStudyData'],
  lockDatabase: [],
  exportData: [],
  readParticipantStudyDataRestricted: [],
  readParticipantStudyDataPii: [],
  readFiles: ['readApprovedFiles'],
  readApprovedFiles: [],
  writeFiles: ['readFiles'],
  deleteFiles: ['readFiles'],
  approveFiles: ['readFiles'],
  requestFileApproval: [],
  readTasks: [],
  writeTasks: ['readTasks'],
  readConsentSettings: [],
  readTrialConsents: [],
  listPacks: [],
  writePacks: ['listPacks'],
  deletePacks: ['listPacks'],
  assignPacks: [],
  readSites: ['access'],
  writeSites: ['readSites'],
  manageMonitoring: ['readSites'],
  access: [],
  readSiteMessages: [],
  writeSiteMessages: ['readSiteMessages'],
  randomise: ['unblindParticipants'],
  unblindParticipants: [],
  readRandomisation: ['unblindParticipants'],
  dispense: [],
} as const satisfies Record<string, readonly string[]>

export type Key = keyof typeof implications

/** Every key. */
export const keys = Object.keys(implications) as Key[]

/**
 * The keys on participants. A person who has some of them only on sites or groups sees only the participants of those
 * (docs/permissions.md, "Restricted to sites or groups").
 */
export const participantKeys: readonly Key[] = [
  'readParticipants',
  'registerParticipants',
  'writeParticipants',
  'tagParticipants',
  'allocateParticipants',
  'archiveParticipants',
  'withdrawParticipants',
  'deleteParticipants',
  'readParticipantPersonalInformation',
  'support',
  'rescheduleParticipants',
  'readParticipantNotes',
  'writeParticipantNotes',
  'readParticipantStudyData',
  'writeParticipantStudyData',
  'raiseQueries',
  'verifyStudyData',
  'setResponseStatus',
  'signStudyData',
  'deleteResponses',
  'codeStudyData',
  'cleanStudyData',
  'exportData',
  'readParticipantStudyDataRestricted',
  'readParticipantStudyDataPii',
  'randomise',
  'unblindParticipants',
  'dispense',
]

/**
 * The keys that show arms. In a trial with `blindsAdmins` no other key, permission or role gives them: they are granted by a separate act
 * their own (docs/permissions.md, "Blinded administrators").
 */
export const armKeys: readonly Key[] = ['readRandomisation', 'unblindParticipants']

const closures = new Map<Key, ReadonlySet<Key>>()

/** The key and all keys that it implies; `admin` implies every key. */
function impliedKeys(key: Key): ReadonlySet<Key> {
  let closure = closures.get(key)
  if (!closure) {
    const found = new Set<Key>(key === 'admin' ? keys : [key])
    // The loop also visits the keys that it adds.
    for (const each of found) for (const next of implications[each] as readonly Key[]) found.add(next)
    closures.set(key, (closure = found))
  }
  return closure
}

export type ScopeKind = 'trial' | 'site' | 'group'

/** A permission word: a scope and a key. */
export type PermissionWord = `${ScopeKind}.${Key}`

/** The words that may be granted on a scope: its own prefix, and `trial.` on a site or group (docs/permissions.md). */
export const grantableWords = (scope: ScopeKind): string[] =>
  keys.flatMap((key) => (scope === 'trial' ? [`trial.${key}`] : [`${scope}.${key}`, `trial.${key}`]))

/** The key of a word such as `site.readParticipants`; undefined if it is not a permission word. */
export function keyOf(word: string): Key | undefined {
  const [prefix, key] = word.split('.')
  if (prefix !== 'trial' && prefix !== 'site' && prefix !== 'group') return undefined
  return key !== undefined && Object.hasOwn(implications, key) ? (key as Key) : undefined
}

/** All keys that a list of granted words implies. */
export function keysOf(words: readonly string[]): Set<Key> {
  const all = new Set<Key>()
  for (const word of words) {
    const key = keyOf(word)
    if (key) for (const each of impliedKeys(key)) all.add(each)
  }
  return all
}

const teamKeys = ['team.admin', 'trials.create', 'trials.manage'] as const
export type TeamKey = (typeof teamKeys)[number]

export const isTeamKey = (word: string): word is TeamKey => teamKeys.some((key) => key === word)

/** The permissions on a team, with those that they imply. */
export function teamKeysOf(words: readonly string[]): Set<TeamKey> {
  return new Set(words.includes('team.admin') ? teamKeys : words.filter(isTeamKey))
}

export const features = [
  'advancedExport',
  'videoCalls',
  'incentives',
  'ai',
  'eConsent',
  'wearables',
  'foodDiaries',
] as const
export type Feature = (typeof features)[number]
