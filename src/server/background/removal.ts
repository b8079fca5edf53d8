/** Removes what has expired and cannot be used any more. It never removes study data. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { deleteSurplusAttempts } from '#access/attemptStore'
import { hasEndedReads, trialsWithHeads } from '#audit/readStore'
import { removeReads } from '#audit/reads'
import { isOrphanRendering } from '#conduct/uploads/renderings'
import { settingsOf } from '#design/trials/rules'
import { trialById } from '#design/trials/store'
import type { Services } from '#http/services'
import { removeRemainingFiles } from '#jobs/fileRemoval'
import { DAY, HOUR, type Instant, SECOND } from '#kernel/time'
import { deleteFinished, KEPT } from '#office/webhookDeliveries/store'
import { isStoredName, uploadPath } from '#storage/names'
import { deleteExpiredRow, fileByName, filesExpiredBy, giveUpUnusedUploads } from '#storage/store'
import { removeUnfinishedUploads } from '#storage/upload'
import type { BackgroundTask } from './background'
import { deleteEnded } from './store'

/** Rows per commit: few enough to delay requests by no more than a millisecond or two. */
const BATCH = 200

/** An upload link is valid for an hour, and an upload that began in its last minute may take long. */
const UPLOAD_GRACE = DAY

/** How long an upload may wait until something names it, such as a submission. */
const UNUSED_GRACE = DAY

/** Removes the temporary files of uploads that a crash interrupted. */
export const interruptedUploads: BackgroundTask = {
  name: 'interrupted uploads',
  every: 600,
  async run({ storage, clock }) {
    // By the machine's clock, which dates the files; a test may have moved the service's own clock ahead.
    await removeUnfinishedUploads(storage.files, Math.min(clock.now(), Date.now() * 1000) - UPLOAD_GRACE)
    return false
  },
}

/** Removes export files that a crash left: half written, or never sent. No row refers to them. Renderings go with their versions. */
export const unusedExports: BackgroundTask = {
  name: 'unused exports',
  every: 600,
  async run({ storage, clock, db }) {
    const before = Math.min(clock.now(), Date.now() * 1000) - UPLOAD_GRACE
    for (const name of await readdir(storage.exports)) {
      const path = join(storage.exports, name)
      const file = await stat(path).catch(() => undefined)
      if (!file?.isFile()) continue
      const isUnused = file.mtimeMs * 1000 < before && !fileByName(db, name)
      if (isUnused || isOrphanRendering(db, name)) await rm(path, { force: true })
    }
    return false
  },
}

/** Removes exports whose link has expired, and uploads that were announced but never arrived, or that were given up. */
export const expiredFiles: BackgroundTask = {
  name: 'expired files',
  every: 60,
  async run(services, now) {
    const { storage, db } = services
    const rows = filesExpiredBy(db, now - HOUR, BATCH) // a download that began before the link expired may still run
    if (!rows.length) return false
    for (const { storedName, kind, size } of rows) {
      if (kind === 'export') await removeExport(storage.exports, storedName)
      // Not of an announced upload: its bytes may be arriving.
      else if (size === null) await storage.remove(storedName)
    }
    await services.commit(() => {
      for (const { storedName } of rows) deleteExpiredRow(db, storedName)
    })
    return rows.length === BATCH
  },
}

/** Removes the files whose rows are deleted, where a crash or a fault of the disk left them. */
export const deletedFiles: BackgroundTask = { name: 'files of what was deleted', every: 600, run: removeRemainingFiles }

/** Gives up uploads that nothing has named within a day; `expiredFiles` removes them. */
export const unusedUploads: BackgroundTask = {
  name: 'unused uploads',
  every: 60,
  run: async ({ commit, db }, now) =>
    (await commit(() => giveUpUnusedUploads(db, now - UNUSED_GRACE, BATCH))) === BATCH,
}

/** Removes the file before the row: a row that remains is found again, a file without a row is not. */
async function removeExport(directory: string, storedName: string): Promise<void> {
  if (!isStoredName(storedName)) return
  await rm(uploadPath(directory, storedName), { force: true })
  await rm(join(directory, storedName), { force: true })
}

/** The task that deletes the rows of a table whose time in `column` has passed, a batch a commit. */
const deletionTask = (
  name: string,
  { table, column }: Pick<Parameters<typeof deleteEnded>[1], 'table' | 'column'>,
  before: (now: Instant) => Instant,
): BackgroundTask => ({
  name,
  every: 60,
  run: ({ commit, db }: Services, now) =>
    commit(() => deleteEnded(db, { table, column, before: before(now), limit: BATCH }) >= BATCH),
})

export const oldIdempotencyKeys = deletionTask(
  'old idempotency keys',
  { table: 'idempotencyKeys', column: 'expiresAt' },
  (now) => now,
)
export const expiredSessions = deletionTask(
  'expired sessions',
  { table: 'sessions', column: 'expiresAt' },
  (now) => now - SECOND,
)
export const expiredSetupLinks = deletionTask(
  'expired setup links',
  { table: 'setupTokens', column: 'expiresAt' },
  (now) => now - SECOND,
)
export const expiredStageLinks = deletionTask(
  'expired stage links',
  { table: 'stageTokens', column: 'expiresAt' },
  // For a while their page says that they have ended, and not that they never existed.
  (now) => now - 30 * DAY,
)
/** Sessions that led to no consent are useless, and may contain addresses. */
export const abandonedConsentSessions = deletionTask(
  'sessions that led to no consent',
  { table: 'consentSessions', column: 'removeAt' },
  (now) => now,
)
export const oldEmailChanges = deletionTask(
  'addresses to which no account moved',
  { table: 'emailChanges', column: 'removeAt' },
  (now) => now,
)
/** Addresses that people entered in a poll, which the answers hold if they were sent. */
export const oldPollVerifications = deletionTask(
  'codes of polls',
  { table: 'pollVerifications', column: 'removeAt' },
  (now) => now,
)
export const oldAttempts = deletionTask('old failed attempts', { table: 'attempts', column: 'expiresAt' }, (now) => now)

/** How long the result of a job can be read. */
const JOB_RETENTION = 30 * DAY
export const endedJobs = deletionTask(
  'ended jobs',
  { table: 'jobs', column: 'finishedAt' },
  (now) => now - JOB_RETENTION,
)

/** Removes what was sent to webhooks from their logs. */
export const finishedDeliveries: BackgroundTask = {
  name: 'finished deliveries to webhooks',
  every: 60,
  run: ({ commit, db }, now) => commit(() => deleteFinished(db, now - KEPT, BATCH) === BATCH),
}

/** Keeps the table of failed attempts small while somebody tries many names. */
export const surplusAttempts: BackgroundTask = {
  name: 'surplus failed attempts',
  every: 60,
  run: ({ commit, db }) => commit(() => deleteSurplusAttempts(db, BATCH) >= BATCH),
}

const YEAR = 365.25 * DAY

/** Removes the blocks of the trails of reads that were kept as long as their trial says, a block a commit. */
export const expiredReads: BackgroundTask = {
  name: 'expired reads',
  every: 600,
  async run({ commit, db }, now) {
    let count = 0
    for (const _id of trialsWithHeads(db)) {
      const trial = trialById(db, _id)
      if (!trial) continue
      const before = Math.floor(now - settingsOf(trial).readsKept * YEAR)
      if (hasEndedReads(db, _id, before)) count += await commit(() => removeReads(db, _id, { before, now, limit: 1 }))
    }
    return count > 0
  },
}
