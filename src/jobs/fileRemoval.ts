/**
 * Removes files from the disk after the transaction that deletes their rows. A job names them until that is done, so that after a crash
 * or a fault of the disk no file is forgotten.
 */
import { deleteById, rowsWhere } from '#db/rows'
import { jobs } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { isStoredName } from '#storage/names'
import { list, shape, text } from '#wire/schema'
import type { BackgroundKind, JobServices } from './kind'
import { insertJob } from './queue'

/** Files in one job. */
const MOST = 1_000

/** The job whose files are still to be removed. It is deleted when they are. */
export const fileRemoval: BackgroundKind<{ files: string[] }> = {
  by: 'background',
  kind: 'fileRemoval',
  input: shape({ files: list(text(1, 200), MOST) }),
}

type Services = Pick<JobServices, 'db' | 'commit' | 'storage'>

/** Starts to remove the files, and deletes the job when none is left. */
function remove({ db, commit, storage }: Services, job: Id, files: readonly string[]): Promise<unknown> {
  const removals = files.map((file) => storage.remove(file))
  return Promise.all(removals).then(() => commit((): unknown => deleteById(db, jobs, job)))
}

type RemovalContext = Pick<JobServices, 'db'> & {
  services: Services & Pick<JobServices, 'fault'>
  now: Instant
  id(): Id
  caller: { user: { _id: Id } }
  after(effect: () => void): void
}

/** Removes these files after the commit. Their rows are gone even if that fails; then the fault goes to the operator. */
export function removeFiles({ db, services, now, id, caller, after }: RemovalContext, files: readonly string[]): void {
  for (let from = 0; from < files.length; from += MOST) {
    const some = files.slice(from, from + MOST)
    const by = { createdAt: now, user: caller.user._id, trial: null }
    const { jobId } = insertJob(db, fileRemoval, { _id: id(), ...by, input: { files: some } })
    after(() => {
      remove(services, jobId, some).catch((reason) => services.fault(reason, 'removing deleted files'))
    })
  }
}

/** Removes the files of the jobs that a crash or a fault left. Returns whether more may be left. */
export async function removeRemainingFiles({ db, commit, storage }: Services): Promise<boolean> {
  for (const { _id, input } of rowsWhere(db, jobs, { status: 'pending', kind: fileRemoval.kind })) {
    const { files } = input as { files: string[] }
    await remove({ db, commit, storage }, _id, files.filter(isStoredName))
  }
  return false
}
