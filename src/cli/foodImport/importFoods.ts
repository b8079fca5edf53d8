/** Imports downloads of FoodData Central into a data directory (docs/food.md, "The table of foods"). */
import { basename } from 'node:path'
import { randomBytes } from '#kernel/cryptography'
import { fault } from '#kernel/fault'
import type { Instant } from '#kernel/time'
import { ownMark } from '#server/process/abandonedFiles'
import { openArchive } from './archive'
import { isCsvDownload, readCsv } from './fromCsv'
import { jsonFiles, readJson } from './fromJson'
import { newReport, type ReportContent } from './report'
import { newSink } from './sink'
import { beginStaging } from './stagingStore'

export type ImportResult = { foods: number; source: string; report: ReportContent }

/**
 * Reads the archives, writes the table and puts it in place of the old one, whole or not at all. Memory stays flat.
 * @param progress called now and then with what is being read
 * @throws a fault if a file is no download of FoodData Central, or damaged; then the old table stays
 */
export async function importFoods(
  folder: string,
  paths: readonly string[],
  now: Instant,
  progress: (text: string) => void,
): Promise<ImportResult> {
  const archives = paths.map((path) => ({ path, files: openArchive(path) }))
  const staging = beginStaging(folder, ownMark(randomBytes(6).toString('hex')))
  try {
    const report = newReport()
    const sink = newSink(staging, report, progress)
    for (const { path, files } of archives) {
      const json = jsonFiles(files)
      if (isCsvDownload(files)) await readCsv(files, sink)
      else if (json.length) await readJson(json, sink)
      else
        throw fault(
          `${basename(path)} is not a download of FoodData Central: it holds neither food.csv nor a JSON file.`,
        )
    }
    if (!Object.keys(report.content().read).length) throw fault('There is no food in these files.')
    progress('Writing the table and its index.')
    const source = `USDA FoodData Central${sink.newest() ? `, ${sink.newest()}` : ''}`
    const { foods, older, empty } = staging.finish(source, now)
    report.leaveOut('older versions of a product', older)
    report.leaveOut('foods without any amount that is kept here', empty)
    return { foods, source, report: report.content() }
  } catch (error) {
    staging.abandon()
    throw error
  }
}
