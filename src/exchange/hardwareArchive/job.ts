/** The job that writes everything that wearables measured in a trial, as it is stored, into one archive. */
import { trialById } from '#design/trials/store'
import { type JobServices, workerKind } from '#jobs/kind'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { HOUR, instantText } from '#kernel/time'
import { insertFile } from '#storage/store'
import { type HardwareArchive, HardwareArchiveTask } from './task'

/** Registers the file, with a link that is valid for an hour. */
function finish(
  { db, clock, storage }: JobServices,
  { user, input }: { user: Id; input: HardwareArchiveTask },
  { bytes: size, sha256, counts }: HardwareArchive,
) {
  const { trial: _id, file: storedName, at } = input
  const trial = trialById(db, _id)
  if (!trial) throw refuse.bad('trialDeleted')
  const now = clock.now()
  const name = `${trial.code} wearables ${instantText(at).slice(0, 10)}.zip`
  insertFile(db, {
    ...{ storedName, createdAt: now, kind: 'export', trial: _id, forType: 'trial', forId: _id, createdBy: user },
    ...{ name, type: 'application/zip', size, sha256, finishedAt: now, expiresAt: now + HOUR },
  })
  return { request: storage.downloadUrl(storedName, name, now + HOUR), fileName: name, counts }
}

export const hardwareArchive = workerKind({
  kind: 'hardwareArchive',
  lane: 'exports',
  input: HardwareArchiveTask,
  work: async () => (await import('./work')).hardwareArchiveWork,
  finish,
  // The file may be written already, and no row refers to it.
  onFailure: ({ storage, fault }, { input }) => {
    storage.remove(input.file).catch((reason) => fault(reason, 'archive of wearables'))
  },
})
