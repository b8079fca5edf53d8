import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Dataset } from '#conduct/wearables/providers/records'
import { recordView } from '#conduct/wearables/views'
import { inReadTransaction } from '#db/readTransaction'
import { hardwareRecords as hardwareTable } from '#db/tables/index'
import { openSignedArchive } from '#documents/archives/writer'
import { exportContextOf } from '#exchange/exports/context'
import { hardwareRecords } from '#exchange/exports/datasets/hardware'
import { dropParticipants } from '#exchange/exports/store'
import type { Work } from '#jobs/work'
import { instantText } from '#kernel/time'
import { hashOfFile, replaceFileLater } from '#writers/file'
import type { HardwareArchive, HardwareArchiveTask } from './task'

/** Writes a list of JSON for each dataset, record by record. */
export const hardwareArchiveWork: Work<HardwareArchiveTask, HardwareArchive> = async (
  task,
  { db, setup, progress },
) => {
  const path = join(setup.exports, task.file)
  const counts: Record<string, number> = {}
  function* pieces(dataset: Dataset): Generator<string> {
    yield '{"hardwareResponses":['
    let isFirst = true
    for (const { owner, row } of hardwareRecords({ db }, dataset)) {
      counts[dataset] = (counts[dataset] ?? 0) + 1
      const { createdAt, updatedAt, replaced, participant, trial: _, ...rest } = recordView(row)
      const moments = { createdAt: instantText(createdAt), updatedAt: instantText(updatedAt) }
      const history = replaced.map(({ at, ...each }) => ({ at: instantText(at), ...each }))
      const document = { participant, participantId: owner.participantId, ...rest, ...moments, replaced: history }
      yield `${isFirst ? '' : ','}\n${JSON.stringify(document)}`
      isFirst = false
    }
    yield '\n]}\n'
  }
  try {
    inReadTransaction(db, () =>
      exportContextOf(
        db,
        { ...task, stage: null, needs: ['readParticipantStudyData', 'exportData'] },
        { isStepwise: true },
      ),
    )
    await replaceFileLater(path, async (output) => {
      const parts = openSignedArchive(output, setup.storageKey)
      for (const dataset of hardwareTable.dataset.enumValues) {
        progress(`Writing ${dataset}.`)
        await parts.text(`${dataset}.json`, pieces(dataset))
      }
      parts.end()
    })
  } finally {
    dropParticipants(db)
  }
  return { bytes: statSync(path).size, sha256: hashOfFile(path), counts }
}
