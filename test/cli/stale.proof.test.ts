/** Values that follow from the data and are wrong: `verify` says so, a backup and a restore are good all the same, `repair` computes them anew. */
import { beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { command as backup } from '#cli/backup'
import { command as clock } from '#cli/clock'
import { command as repair } from '#cli/repair'
import { command as restore } from '#cli/restore'
import { command as verify } from '#cli/verify'
import { openSqlite } from '#db/open'
import { makeStudy } from '../db/frozen'
import { freshFolder } from '../server/process/folder'

let study: string
beforeAll(async () => {
  study = join(freshFolder(), 'data')
  await makeStudy(study)
}, 180_000)

/** The study's data directory after these statements. */
function changed(...statements: string[]): string {
  const root = join(freshFolder(), 'data')
  cpSync(study, root, { recursive: true })
  const sqlite = openSqlite(join(root, 'trialbox.db'))
  for (const sql of statements) expect(sqlite.run(sql).changes).toBeGreaterThan(0)
  sqlite.close()
  return root
}

type Runs = typeof verify
/** What a command prints, and its exit code. */
async function run(command: Runs, flags: Record<string, string | true>, ...words: string[]) {
  const lines: string[] = []
  const code = await command.run({ flags, words, env: {}, print: (line) => lines.push(line) })
  return { code, lines, stale: lines.filter((line) => line.startsWith('stale')) }
}

test.each<[string, string[]]>([
  [
    'timelines',
    [
      'UPDATE participants SET stagesBehindSchedule = stagesBehindSchedule + 3',
      'UPDATE participants SET progressDueAt = NULL, remindersDueAt = NULL, ratioComplete = 0.123',
      'DELETE FROM scheduleRuns',
    ],
  ],
  [
    'counts',
    [
      'UPDATE trials SET responseCount = responseCount + 1',
      'DELETE FROM participantCounts',
      'DELETE FROM siteFigures',
      'UPDATE siteEnrolment SET enrolled = enrolled + 1',
      'DELETE FROM siteParticipants',
      'UPDATE siteParticipantCounts SET count = count + 1',
      'DELETE FROM trialEnrolment',
      'UPDATE stageFigures SET completed = completed + 1',
      'DELETE FROM queryFigures',
    ],
  ],
])('%s', async (check, statements) => {
  const data = changed(...statements)
  // The study ran ahead of the machine.
  await run(clock, { data }, 'accept')
  const before = await run(verify, { data })
  expect([before.code, before.stale.map((line) => line.split(/ +/)[1])]).toEqual([2, expect.arrayContaining([check])])
  const out = join(freshFolder(), 'good.tar')
  const made = await run(backup, { data, out })
  expect([made.code, existsSync(out), made.stale.length > 0]).toEqual([0, true, true])
  expect(made.lines.join('\n')).toContain('repair --derived')
  const back = join(freshFolder(), 'back')
  const restored = await run(restore, { data: back }, out)
  expect([restored.code, restored.stale.length > 0]).toEqual([0, true])
  for (const each of [data, back]) {
    const { lines } = await run(repair, { data: each, derived: true })
    expect(lines.at(-1)).toBe('Everything that follows from the data was computed anew.')
    const after = await run(verify, { data: each })
    expect([after.code, after.lines.filter((line) => !line.startsWith('ok'))]).toEqual([0, []])
  }
})

test('a fault of the data is none of these: the backup is named damaged, and repair does not touch it', async () => {
  const data = changed(
    `INSERT INTO groups (_id, createdAt, trial, name) SELECT 'g', 1, _id, 'Nobody made it' FROM trials LIMIT 1`,
  )
  await run(clock, { data }, 'accept')
  const found = await run(verify, { data })
  expect([found.code, found.stale]).toEqual([1, []])
  expect(found.lines.filter((line) => line.startsWith('fault'))).toEqual([expect.stringMatching(/^fault {2}rows/)])
  expect(run(backup, { data, out: join(freshFolder(), 'bad.tar') })).rejects.toThrow('.damaged.tar')
  await run(repair, { data, derived: true })
  expect((await run(verify, { data })).code).toBe(1)
})

test('repair needs to be told what', async () => {
  expect(run(repair, { data: study })).rejects.toThrow('--derived')
})
