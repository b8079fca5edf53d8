import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fault } from '#kernel/fault'
import { systemClock } from '#kernel/time'
import { configure, dataOption } from '#server/config/settings'
import { readDataDirectory, requireDatabase } from '#server/process/dataDirectory'
import type { Call, Command } from './command'

export const command: Command = {
  name: 'food',
  summary: 'import a table of foods for food diaries, and say which one is used',
  usage: 'import <archive>... | status [flags]',
  about:
    'Imports the full download of USDA FoodData Central (the zip of csv files), or its zips of JSON files, of which several can be\ngiven at once. The table that was imported before is replaced whole at the end, or not at all; entries of diaries stay as they are.\nThe server may run meanwhile, and uses the new table at once. A full download needs some 2 GB of disk space while it is read.',
  options: [dataOption],
  examples: [
    'trialbox food import FoodData_Central_csv_2025-04-24.zip --data /srv/trialbox',
    'trialbox food import FoodData_Central_foundation_food_json_2025-04-24.zip FoodData_Central_branded_food_json_2025-04-24.zip',
    'trialbox food status',
  ],
  words: 10,
  async run(call) {
    const [action, ...archives] = call.words
    const directory = readDataDirectory(configure(call.flags, call.env).data)
    requireDatabase(directory.root)
    if (action === 'import' && archives.length) return importArchives(call, directory.root, archives)
    if (action === 'status' && !archives.length) return showStatus(call, directory.database)
    throw fault('This needs what to do: trialbox food import <archive>..., or trialbox food status.')
  },
}

async function importArchives(call: Call, root: string, archives: readonly string[]): Promise<number> {
  const paths = archives.map((archive) => resolve(archive))
  const missing = paths.find((path) => !existsSync(path))
  if (missing) throw fault(`There is no file ${missing}.`)
  const [{ importFoods }, { reportLines }] = await Promise.all([
    import('#cli/foodImport/importFoods'),
    import('#cli/foodImport/report'),
  ])
  const progress = process.stderr.isTTY ? (text: string) => void process.stderr.write(`\r\x1b[K${text}`) : () => {}
  try {
    const { foods, source, report } = await importFoods(root, paths, systemClock.now(), progress)
    progress('')
    for (const line of reportLines(report)) call.print(line)
    call.print(`${source}: ${foods.toLocaleString('en')} foods, with the built-in ones`)
    if (!(await recordImport(call, { source, foods, ...report })))
      call.print('note   the import could not be entered in the service’s log')
    return 0
  } catch (error) {
    progress('')
    throw error
  }
}

/** Enters the import in the service's log, and returns whether it could. */
async function recordImport(call: Call, event: Record<string, unknown>): Promise<boolean> {
  const [{ appendEntry }, { runInTransaction }, { onDatabase }] = await Promise.all([
    import('#audit/append'),
    import('#db/commit'),
    import('./database'),
  ])
  const entry = {
    chain: 'service',
    createdAt: systemClock.now(),
    type: 'importFoods',
    userType: 'system',
    event,
  } as const
  try {
    onDatabase(call, (db) => runInTransaction(db, () => appendEntry(db, entry)))
    return true
  } catch {
    return false
  }
}

async function showStatus({ print }: Call, database: string): Promise<number> {
  const [{ foodsBeside }, { tableInfoOf }, { instantText }] = await Promise.all([
    import('#design/foods/openStore'),
    import('#design/foods/tableStore'),
    import('#kernel/time'),
  ])
  const { source, foods, importedAt } = tableInfoOf(foodsBeside(database))!
  print(`${source}: ${foods.toLocaleString('en')} foods`)
  print(importedAt === null ? 'built into the program; nothing is imported' : `imported at ${instantText(importedAt)}`)
  return 0
}
