/**
 * The list of what each table holds about a participant has every table and every column: whoever adds one decides whether it is
 * personal information, and the report and the erasure follow.
 */
import { expect, test } from 'bun:test'
import { otherTables, personalTables } from '#db/personal'
import { explained } from '../plan'
import { study } from '../study'

const columnsOf = async () => {
  const { db } = await study()
  const rows = db.$client
    .query<{ name: string; column: string }, []>(
      `SELECT m.name, c.name AS "column" FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) c
       WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid`,
    )
    .all()
  return Map.groupBy(rows, ({ name }) => name)
}

test('every table is in it once', async () => {
  const listed = [...Object.keys(personalTables), ...Object.values(otherTables).flat()]
  expect(listed.toSorted()).toEqual([...(await columnsOf()).keys()].toSorted())
})

test('every column of a table with something about a participant is in it once', async () => {
  const columns = await columnsOf()
  for (const [name, { kept, erased = {}, erasedPartly = [], notReported = [] }] of Object.entries(personalTables)) {
    const listed = [...kept, ...Object.keys(erased), ...erasedPartly]
    const existing = columns.get(name)!.map(({ column }) => column)
    expect([name, ...listed.toSorted()]).toEqual([name, ...existing.toSorted()])
    expect([name, notReported.filter((each) => !listed.includes(each))]).toEqual([name, []])
  }
})

test('a table that names participants is not among the others', async () => {
  const columns = await columnsOf()
  const naming = [...columns].flatMap(([name, all]) =>
    all.some(({ column }) => column === 'participant' || column === 'response') && !(name in personalTables)
      ? [name]
      : [],
  )
  expect(naming).toEqual([])
})

test('each condition is SQL that an index answers, so that the work does not grow with the trial', async () => {
  const { db } = await study()
  // The log of one person is read by a job. Of it, only what an index has is erased.
  const conditions = {
    ...personalTables,
    auditEntries: { rows: 'participant = $participant AND personal IS NOT NULL' },
  }
  const scanned = Object.entries(conditions).flatMap(([name, { rows }]) =>
    explained(db.$client, `SELECT * FROM "${name}" WHERE ${rows.replaceAll('$participant', "'x'")}`).flatMap(
      ({ detail }) => (/^SCAN (?!json_each)/.test(detail) ? [`${name}: ${detail}`] : []),
    ),
  )
  expect(scanned).toEqual([])
})
