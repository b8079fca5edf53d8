import { join } from 'node:path'
import { armsVisibleTo } from '#access/armConcealmentStore'
import { holdsAnywhere, scopeOf } from '#access/caller'
import { unpackAccess } from '#access/packedAccess'
import { searchOf } from '#conduct/participants/search'
import type { WriteProgress } from '#jobs/fileWork'
import type { Work } from '#jobs/work'
import { writeTemporary } from '#writers/file'
import { csvResponseChunks } from './csv'
import type { ParticipantsTask } from './task'

/** A list of more bytes is sent while it is written. */
const LARGE = 1 << 20
const PERSONAL = 'readParticipantPersonalInformation'

/** Writes the list of one moment. The time of the transaction does not depend on how fast the client reads. */
export const participantsWork: Work<ParticipantsTask, WriteProgress> = (task, { db, setup, report }) =>
  db.transaction(() => {
    const access = unpackAccess(task.access)
    const search = searchOf(
      task.trial,
      scopeOf(access, ['readParticipants']),
      task.query,
      undefined,
      armsVisibleTo(access),
    )
    const personal = holdsAnywhere(access, PERSONAL) ? scopeOf(access, [PERSONAL]) : undefined
    const rows = { count: 0 }
    const bytes = writeTemporary(
      join(setup.exports, task.file),
      csvResponseChunks(db, search, personal, rows),
      (bytes) => {
        if (bytes > LARGE) report({ rows: rows.count, bytes })
      },
    )
    return { rows: rows.count, bytes }
  })
