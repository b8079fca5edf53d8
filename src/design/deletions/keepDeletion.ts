/** Keeps what an act deletes, hidden, for as long as the team wants (docs/participants.md, "Deletion"). */
import type { Staff } from '#access/caller'
import { trialAdmins } from '#accounts/teams/adminStore'
import { graceDaysOf } from '#accounts/teams/store'
import { type CapturedRow, captureRows } from '#db/capture'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { type deletions, teams } from '#db/tables/index'
import { writerOf } from '#design/trials/notices'
import { settingsOf } from '#design/trials/rules'
import type { SharedTrial } from '#design/trials/store'
import type { removeFiles } from '#jobs/fileRemoval'
import type { Id } from '#kernel/id'
import { DAY, type Instant, instantText } from '#kernel/time'
import { mailAccount, mailStaff } from '#outbox/messages'
import { storeContent } from './keptContent'
import { purge, recordPurge } from './purge'
import {
  changeDeletion,
  type DeletionRow,
  deleteFileRow,
  insertDeletion,
  keepFile,
  keptRowOf,
  keptUntil,
} from './store'

type RemovalContext = Parameters<typeof removeFiles>[0]
type Trial = Pick<SharedTrial, '_id' | 'team' | 'name' | 'settings' | 'timezone'>

/** What a deletion needs to know of its request. */
export type DeletionContext = RemovalContext & { caller: Staff; trial: Trial }

/** What is deleted. */
export type DeletionSubject = Pick<DeletionRow, 'kind' | 'subject' | 'name'> & {
  participant?: Id | null
  code?: string
  wasArchived?: boolean
  reason?: string
  /** The `_id` of the request, if it deletes several things. */
  request?: Id
}

/** Until when earlier deletions that belong to this one can be restored: this one must not be purged before them. */
function latestRestorableUntil(db: Db, { kind, subject }: DeletionSubject): Instant {
  if (kind === 'trial') return keptUntil(db, { trial: subject })
  return kind === 'participant' ? keptUntil(db, { participant: subject }) : 0
}

/** If an erasure needs two people, one person alone must not destroy data at once by a deletion, even if the team keeps nothing. */
const LEAST_GRACE = 7 * DAY

export function recordDeletion(
  { db, now, id, caller, trial }: DeletionContext,
  { request, ...deleted }: DeletionSubject,
  details: Pick<typeof deletions.$inferInsert, 'status' | 'address' | 'device'> = { status: 'kept' },
): DeletionRow {
  const _id = id()
  const least = settingsOf(trial).secondPerson.includes('erasure') ? LEAST_GRACE : 0
  const grace = Math.max(graceDaysOf(rowById(db, teams, trial.team)!) * DAY, least)
  return insertDeletion(db, {
    ...deleted,
    _id,
    createdAt: now,
    team: trial.team,
    trial: deleted.kind === 'trial' ? null : trial._id,
    deletedBy: caller.user._id,
    deletedByEmail: caller.user.email,
    apiKey: 'apiKey' in caller.via ? caller.via.apiKey : null,
    request: request ?? _id,
    restorableUntil: Math.max(now + grace, latestRestorableUntil(db, deleted)),
    ...details,
  })
}

/** The stored name of a row of `files`, from its literal. */
const nameIn = ({ before }: CapturedRow) => before.storedName!.slice(1, -1)

/**
 * Performs an act that deletes something, and keeps the rows that it deletes. If the team keeps nothing, they are purged at once.
 * @param uploads the uploads that the deleted rows name, and whether other rows name them; else they can no longer be downloaded
 */
export const performDeletion = <T>(
  context: DeletionContext,
  deleted: DeletionSubject,
  act: () => T,
  uploads?: (result: T) => readonly { storedName: string; isUsed: boolean }[],
): { result: T; deletion: DeletionRow } =>
  performRecordedDeletion(context, recordDeletion(context, deleted), act, uploads)

/** The same for a deletion that is recorded already. */
export function performRecordedDeletion<T>(
  context: RemovalContext,
  row: DeletionRow,
  act: () => T,
  uploads: (result: T) => readonly { storedName: string; isUsed: boolean }[] = () => [],
): { result: T; deletion: DeletionRow } {
  const { db, now } = context
  const { result, rows } = captureRows(db, act)
  const [files, others] = [rows.filter(({ table }) => table === 'files'), rows.filter(({ table }) => table !== 'files')]
  for (const file of files) {
    const { finishedAt, sha256 } = file.before
    const hash = finishedAt === 'NULL' || sha256 === 'NULL' ? null : sha256!.slice(1, -1)
    keepFile(db, { storedName: nameIn(file), deletion: row._id, sha256: hash, row: JSON.stringify(file.before) })
  }
  for (const { storedName, isUsed } of uploads(result)) {
    const file = keptRowOf(db, storedName)
    if (file) keepFile(db, { storedName, deletion: row._id, ...file })
    if (!isUsed) deleteFileRow(db, storedName)
  }
  const done = { status: 'kept', address: null, device: null } as const
  const deletion = changeDeletion(db, row._id, { ...done, hash: storeContent(db, row._id, others) })
  if (deletion.restorableUntil > now) return { result, deletion }
  // The caller records this purge; earlier deletions that are purged with it are recorded here, as their time has passed.
  const [purged, ...older] = purge(context, deletion)
  for (const each of older) recordPurge(db, now, each)
  return { result, deletion: purged }
}

/** What the audit entry of a deletion says of it. */
export const keptEvent = ({ _id, restorableUntil, status }: DeletionRow) =>
  status === 'kept' ? { deletion: _id, restorableUntil: instantText(restorableUntil) } : { deletion: _id }

const KIND_TEXTS = {
  trial: 'deletion.trial',
  participant: 'deletion.participant',
  response: 'deletion.response',
  site: 'deletion.site',
  file: 'deletion.file',
} as const

/** Tells all administrators of the trial of the deletions of one request, in one e-mail. It names no participant. */
export function mailDeletion(
  { db, now, trial, caller }: DeletionContext,
  [first, ...more]: readonly DeletionRow[],
): void {
  if (!first) return
  for (const admin of trialAdmins(db, trial._id)) {
    const { write, moment } = writerOf(trial, admin.language)
    const values = { trial: trial.name, what: write(KIND_TEXTS[first.kind], { number: more.length + 1 }) }
    const who = { ...values, email: caller.user.email }
    const body =
      first.restorableUntil > now
        ? write('deletion.body', { ...who, until: moment(first.restorableUntil, trial.timezone ?? 'UTC') })
        : write('deletion.purged', who)
    const text = { subject: write('deletion.subject', values), body }
    // The messages of a trial go with it.
    if (first.kind === 'trial') mailAccount(db, now, admin, text)
    else mailStaff(db, now, trial._id, admin, text)
  }
}

/** Tells the other administrators that one of them asks for a purge, which one of them must confirm. @param end until when */
export function mailPurge(
  { db, now, trial, caller }: Omit<DeletionContext, 'after' | 'id' | 'services'>,
  row: DeletionRow,
  end: Instant,
): void {
  for (const admin of trialAdmins(db, trial._id)) {
    if (admin._id === caller.user._id) continue
    const { write, moment } = writerOf(trial, admin.language)
    const until = moment(end, trial.timezone ?? 'UTC')
    const values = { trial: trial.name, what: write(KIND_TEXTS[row.kind], { number: 1 }), until }
    const body = write('deletion.purgeAsked.body', { ...values, email: caller.user.email })
    mailStaff(db, now, trial._id, admin, { subject: write('deletion.purgeAsked.subject', values), body })
  }
}
