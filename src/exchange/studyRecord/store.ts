import { and, asc, desc, eq, gt, inArray, lte } from 'drizzle-orm'
import { chainStart } from '#audit/append'
import { type ChainRow, entriesAfter, type Head, hashOfEntry } from '#audit/store'
import type { Db } from '#db/open'
import { auditEntries } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { found } from '#kernel/problem'
import type { Instant } from '#kernel/time'

/** Entries of a trial's audit trail after that number, oldest first. */
export const trailAfter = (db: Db, trial: Id, after: number, until: number) =>
  db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.chain, trial), gt(auditEntries.number, after), lte(auditEntries.number, until)))
    .orderBy(asc(auditEntries.number))
    .limit(500)
    .all()

/** The next thousand entries of a chain after that number, oldest first, as its hashes cover them. */
export const linksAfter = ({ $client }: Db, chain: string, after: number): ChainRow[] =>
  entriesAfter($client, chain, after)

/** The end of a chain as it was with so many entries. @throws 404 if it does not have them */
export const headAt = ({ $client }: Db, chain: string, entries: number): Head => ({
  chain,
  entries,
  hash: entries === 0 ? chainStart(chain) : found(hashOfEntry($client, chain, entries), 'trial'),
})

/** See docs/exports.md, "Study records". */
export const ACCOUNT_ENTRIES = [
  ...[
    'signIn',
    'confirmApiKey',
    'signOut',
    'identityNotProven',
    'confirmIdentity',
    'setUpAccount',
    'requestPasswordReset',
    'updateUser',
  ],
  ...['createApiKey', 'deleteApiKey', 'beginTotp', 'enableTotp', 'disableTotp', 'inviteUser', 'updateTeamUser'],
  ...['createRecoveryCodes', 'endSession', 'endOtherSessions', 'requestEmailChange', 'changeEmail'],
  ...['createUser', 'resetUser', 'disableUser', 'enableUser'],
] as const

/** The accounts that have permissions on the trial, or an entry in its audit trail. */
const PEOPLE = `SELECT user FROM auditEntries WHERE chain = +$trial AND user IS NOT NULL
  UNION SELECT user FROM permissions WHERE trial = +$trial
  UNION SELECT u.user FROM userRoles u JOIN roles r ON r._id = u.role WHERE r.trial = +$trial
  UNION SELECT user FROM teamMembers WHERE team = +$team
    AND (instr(permissions, '"team.admin"') OR instr(permissions, '"trials.manage"'))`

/**
 * The numbers of the entries in the team's log about accounts that have to do with the trial, oldest first. Entries about others,
 * and about other trials of the team, are not among them.
 */
export const accountEntryNumbers = (db: Db, { _id: trial, team }: { _id: Id; team: Id }, until: Instant): number[] =>
  db.$client
    .query<{ number: number }, [{ trial: Id; team: Id; until: Instant; types: string }]>(
      `SELECT number FROM auditEntries WHERE chain = $team AND createdAt <= $until
         AND type IN (SELECT value FROM json_each($types)) AND coalesce(event ->> 'user', user) IN (${PEOPLE})
       ORDER BY number`,
    )
    .all({ trial, team, until, types: JSON.stringify(ACCOUNT_ENTRIES) })
    .map(({ number }) => number)

/** The entries of a chain with these numbers, oldest first. */
export const entriesNumbered = (db: Db, chain: string, numbers: readonly number[]) =>
  db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.chain, chain), inArray(auditEntries.number, [...numbers])))
    .orderBy(asc(auditEntries.number))
    .all()

/** The number of the newest entry of a trial, of one type and moment if `of` is given. 0 if there is none. */
export const newestEntry = (db: Db, trial: Id, of?: { type: string; createdAt: Instant }): number =>
  db
    .select({ number: auditEntries.number })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.chain, trial),
        of && eq(auditEntries.type, of.type),
        of && eq(auditEntries.createdAt, of.createdAt),
      ),
    )
    .orderBy(desc(auditEntries.number))
    .limit(1)
    .get()?.number ?? 0

type MasterFileVersion = {
  /** The identifier of the site; null for a file of the whole trial. */
  site: string | null
  type: string
  file: string
  description: string | null
  /** JSON. */
  tags: string
  /** Of a file without a version, this is null, and so is what follows; `createdAt` is that of the file. */
  number: number | null
  version: string | null
  status: string | null
  statusAt: Instant | null
  createdAt: Instant
  uploader: string | null
  expiresAt: string | null
  originalName: string | null
  mimeType: string | null
  size: number | null
  sha256: string | null
  storedName: string | null
}

/** The versions of all files of the trial master file, and files without a version; oldest file first. */
export const masterFileVersionsOf = (db: Db, trial: Id): MasterFileVersion[] =>
  db.$client
    .query<MasterFileVersion, [{ trial: Id }]>(
      `SELECT s.id AS site, f.type, f.name AS file, f.description, f.tags, v.number, v.name AS version, v.status, v.statusAt,
         coalesce(v.createdAt, f.createdAt) AS createdAt, v.uploaderName AS uploader, v.expiresAt, v.originalName, v.mimeType,
         v.size, v.sha256, v.storedName
       FROM masterFiles f LEFT JOIN sites s ON s._id = f.site LEFT JOIN masterFileVersions v ON v.file = f._id
       WHERE f.trial = +$trial ORDER BY f._id, v.number`,
    )
    .all({ trial })

type MasterFileApproval = {
  site: string | null
  file: string
  number: number
  /** Of the request. */
  createdAt: Instant
  createdBy: string | null
  message: string | null
  status: string
  endedAt: Instant | null
  approver: string
  email: string
  role: string | null
  decision: string | null
  decidedAt: Instant | null
  comment: string | null
  /** 1 or 0. */
  byLink: number | null
}

/** The approvers of all approval requests of the trial master file, with their decisions; by file, oldest request first. */
export const masterFileApprovalsOf = (db: Db, trial: Id): MasterFileApproval[] =>
  db.$client
    .query<MasterFileApproval, [{ trial: Id }]>(
      `SELECT s.id AS site, f.name AS file, v.number, r.createdAt, u.email AS createdBy, r.message, r.status, r.endedAt,
         coalesce(a.name, a.email) AS approver, a.email, a.role, a.decision, a.decidedAt, a.comment, a.byLink
       FROM fileApprovals r JOIN masterFiles f ON f._id = r.file JOIN masterFileVersions v ON v._id = r.version
         JOIN fileApprovers a ON a.approval = r._id LEFT JOIN sites s ON s._id = f.site LEFT JOIN users u ON u._id = r.createdBy
       WHERE r.trial = +$trial ORDER BY r.file, r._id, a._id`,
    )
    .all({ trial })

type Exemption = {
  /** The identifier of the site; null for the trial, or all of its sites. */
  site: string | null
  record: string
  reason: string
  createdAt: Instant
  createdByName: string
}

/** The essential records that are said not to be applicable; by record. */
export const exemptionsOf = (db: Db, trial: Id): Exemption[] =>
  db.$client
    .query<Exemption, [{ trial: Id }]>(
      `SELECT s.id AS site, e.record, e.reason, e.createdAt, e.createdByName
       FROM recordExemptions e LEFT JOIN sites s ON s._id = e.site WHERE e.trial = +$trial ORDER BY e.record, e._id`,
    )
    .all({ trial })

/** How many participants of a trial are archived. */
export const archivedCount = (db: Db, trial: Id): number =>
  db.$client
    .query<{ count: number }, [{ trial: Id }]>(
      'SELECT count(*) AS count FROM participants WHERE trial = $trial AND isArchived = 1',
    )
    .get({ trial })!.count
