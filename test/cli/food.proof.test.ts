/** The command `food`: imports, what it says, and that a killed import leaves the old table. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command as food } from '#cli/food'
import { command as verify } from '#cli/verify'
import { tableInfoOf } from '#design/foods/tableStore'
import { foodsFindings } from '#server/health/health'
import { fromSource } from '../program'
import { freshFolder } from '../server/process/folder'
import { backedUp, call, directory, restored } from './backup.study'
import { archive, csvFiles } from './foodImport/downloads'

/** Runs the command; returns the lines that it prints. */
async function run(data: string, ...words: string[]): Promise<string[]> {
  const { lines, call: made } = call({ data }, words)
  expect(await food.run(made)).toBe(0)
  return lines
}

test('an import says what it read, is in the service’s log, and is the table from then on', async () => {
  const { root } = directory([])
  expect(await run(root, 'status')).toEqual([
    expect.stringMatching(/^USDA FoodData Central, a selection of common foods: \d{3} foods$/),
    'built into the program; nothing is imported',
  ])
  const path = await archive(csvFiles())
  const lines = await run(root, 'import', path)
  expect(lines).toEqual([
    'read     2 of SR Legacy',
    'read     1 of Survey Foods (FNDDS)',
    'read     2 of Branded Foods',
    'left out 2 samples and other rows that are no foods',
    'left out 1 older versions of a product',
    expect.stringMatching(/^USDA FoodData Central, 2024-10-31: \d{3} foods, with the built-in ones$/),
  ])
  expect((await run(root, 'status'))[0]).toMatch(/^USDA FoodData Central, 2024-10-31: \d{3} foods$/)
  const database = new Database(join(root, 'trialbox.db'), { readonly: true })
  const entry = database.query(`SELECT event FROM auditEntries WHERE type = 'importFoods'`).get() as { event: string }
  database.close()
  expect(JSON.parse(entry.event)).toMatchObject({ read: { srLegacy: 2, survey: 1, branded: 2 }, refused: {} })
  expect(await verify.run(call({ data: root }).call)).toBe(0)
})

test('a backup leaves the table out and says so; what is restored has the built-in one', async () => {
  const { root } = directory([])
  await run(root, 'import', await archive(csvFiles()))
  const { archive: made, lines } = await backedUp(root)
  expect(lines).toContainEqual(expect.stringContaining('table of foods (foods.db) is not in the archive'))
  const { data } = await restored(made)
  expect(existsSync(join(data, 'foods.db'))).toBe(false)
  expect((await run(data, 'status'))[1]).toBe('built into the program; nothing is imported')
  expect(await verify.run(call({ data }).call)).toBe(0)
})

test('doctor says which table is imported, and that a damaged one is to be imported again', async () => {
  const { root } = directory([])
  expect([...foodsFindings(root)]).toEqual([])
  await run(root, 'import', await archive(csvFiles()))
  expect([...foodsFindings(root)]).toEqual([
    { name: 'foods', isFine: true, detail: expect.stringMatching(/^USDA FoodData Central, 2024-10-31: \d{3} foods$/) },
  ])
  writeFileSync(join(root, 'foods.db'), 'not a database')
  expect([...foodsFindings(root)]).toEqual([
    { name: 'foods', isFine: false, detail: expect.stringContaining('trialbox food import') },
  ])
})

test('what the command needs', async () => {
  const { root } = directory([])
  for (const [words, message] of [
    [[], 'This needs what to do'],
    [['import'], 'This needs what to do'],
    [['eat', 'x.zip'], 'This needs what to do'],
    [['status', 'x.zip'], 'This needs what to do'],
    [['import', '/nowhere/x.zip'], 'There is no file /nowhere/x.zip'],
    [['import', join(root, 'secrets')], 'is damaged'],
  ] as const) {
    const { call: made } = call({ data: root }, [...words])
    await expect((async () => food.run(made))()).rejects.toThrow(message)
  }
  const { call: elsewhere } = call({ data: join(freshFolder(), 'none') }, ['status'])
  await expect((async () => food.run(elsewhere))()).rejects.toThrow('There is no data directory')
})

test('a killed import leaves the old table or the new one, whole, and the next import clears the rest', async () => {
  const { root } = directory([])
  await run(root, 'import', await archive(csvFiles()))
  const before = aboutIn(root)!
  const many = Array.from({ length: 30_000 }, (_, n) => n + 5_000_000)
  const large = await archive(
    csvFiles({
      'food.csv': many.map((id) => `"${id}","branded_food","Soup ${id}","Soups","2025-04-24"\n`).join(''),
      'food_nutrient.csv': many
        .map((id) => `"${id}","${id}","1008","${id % 900}","","","","","","","","",""\n`)
        .join(''),
    }),
  )
  for (const moment of [300, 500, 700, 900, 1_200, 1_600]) {
    const child = Bun.spawn([...fromSource.command, 'food', 'import', large, '--data', root], {
      cwd: fromSource.cwd,
      stdout: 'ignore',
      stderr: 'ignore',
    })
    await Promise.race([Bun.sleep(moment), child.exited])
    child.kill('SIGKILL')
    await child.exited
    expect([before.foods, before.foods + 30_000]).toContain(aboutIn(root)!.foods)
  }
  await run(root, 'import', large)
  expect(aboutIn(root)!.foods).toBe(before.foods + 30_000)
  expect(readdirSync(root).filter((name) => name.startsWith('foods.db'))).toEqual(['foods.db'])
}, 180_000)

function aboutIn(root: string) {
  const table = new Database(join(root, 'foods.db'), { readonly: true, strict: true })
  const about = tableInfoOf(table)
  expect(table.query('PRAGMA quick_check').values()).toEqual([['ok']])
  table.close()
  return about
}
