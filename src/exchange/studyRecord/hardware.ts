import type { ArchiveWriter } from '#documents/archives/writer'
import type { ExportContext } from '#exchange/exports/context'
import { hardwareTable } from '#exchange/exports/datasets/hardware'
import { countHardware } from '#exchange/exports/store'
import { hardwareDatasets } from '#exchange/exports/task'

/** Writes what wearables measured, a table for each dataset that has any. Returns the number of records. */
export async function writeHardware(from: ExportContext, parts: ArchiveWriter): Promise<number> {
  const count = { rows: 0 }
  for (const dataset of Object.values(hardwareDatasets))
    if (countHardware(from.db, dataset))
      await parts.sheet(`wearables/${dataset}.csv`, hardwareTable(from, dataset, count))
  return count.rows
}
