/** The digests in the audit trail cover named fields and have a version: new columns do not change them. */
import { describe, expect, test } from 'bun:test'
import { entryHash } from '#audit/append'
import { type Digest, digest, textOfFields } from '#audit/digest'
import type { ChainEntry } from '#audit/store'
import { verifyChains } from '#audit/verify'
import { checks } from '#cli/checks'
import { messageDigest } from '#conduct/queries/store'
import { verifyQueries } from '#conduct/queries/verify'
import { eventDigest } from '#conduct/responses/events'
import { submissionDigest } from '#conduct/responses/submit'
import { verifyResponses } from '#conduct/responses/verify'
import { verifySignatures } from '#conduct/signatures/verify'
import { verifyVersions } from '#design/configurationVersions/verify'
import { PASSWORD } from '../harness'
import { proof } from '../proof'
import { study } from '../study'

/** A study with one row of each kind that has a digest in the audit trail. */
async function rich() {
  const s = await study({ trial: { responseSigningEnabled: true } })
  const { owner, trial, anna } = s
  const response = (await s.enter({ pulse: 60, symptom: 'cough' })).body._id as string
  s.clock(1)
  await s.enter({ pulse: 61 }, { updateNote: 'Misread.' })
  await owner.do('verifyResponse', trial, response)
  await owner.do('setResponseStatus', trial, response, { status: 'successful' })
  const query = (await owner.do('raiseQuery', trial, { response, text: 'Is this right?' }))._id
  await owner.do('answerQuery', query, { text: 'It is.' })
  await owner.do('createConfigurationVersion', trial)
  const app = await s.signInStaff(owner)
  await app.do('confirmIdentity', { password: PASSWORD })
  await app.do('signResponses', trial, { participant: anna, meaning: 'Reviewed' })
  const { $client: sqlite } = s.db
  const verify = () => {
    for (const { run } of checks) expect(run(sqlite)).toBeString()
  }
  return { ...s, sqlite, verify }
}

type Named = { name: string }

/** Tables whose rows, or values computed from them, are hashed. */
const HASHED = [
  ...[
    'auditEntries',
    'storedSubmissions',
    'responseEvents',
    'storedResponses',
    'layouts',
    'queryMessages',
    'queries',
    'files',
  ],
  ...['signatures', 'signedResponses', 'configurationVersions', 'trials', 'stages', 'dataTypes', 'sites', 'groups'],
]

proof('verify accepts old and new rows after a column is added', async () => {
  const s = await rich()
  const named = s.sqlite
    .query<Named, []>(`SELECT name FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all()
  const rest = named.map(({ name }) => name).filter((name) => !HASHED.includes(name))
  expect(rest.length + HASHED.length).toBe(named.length)
  const add = (table: string) => s.sqlite.run(`ALTER TABLE "${table}" ADD COLUMN added TEXT NOT NULL DEFAULT 'new'`)
  s.verify()
  HASHED.forEach(add)
  s.verify()
  const { signatures } = await s.owner.do('readSignatures', s.trial, s.anna)
  expect(signatures).toMatchObject([{ valid: true }])
  expect(await s.owner.do('createConfigurationVersion', s.trial)).toMatchObject({ number: 1 })
  s.clock(1)
  await s.enter({ pulse: 80 }, {}, s.owner, s.url(s.bert))
  s.verify()
  rest.forEach(add)
  s.verify()
})

/** The newest row of a table, with all columns. */
const last = <R>(s: Awaited<ReturnType<typeof rich>>, table: string) =>
  s.sqlite.query<R, []>(`SELECT * FROM ${table} ORDER BY _id DESC LIMIT 1`).get()!

/** A row with a different value in each field. */
const changes = (row: object) =>
  Object.entries(row).map(([field, value]): [string, object] => [
    field,
    { ...row, [field]: typeof value === 'number' ? value + 1 : `${value ?? ''}!` },
  ])

describe('every column of the table changes the digest', () => {
  test.each<[string, number, Digest<never>]>([
    ['submissions', 2, submissionDigest],
    ['responseEvents', 1, eventDigest],
    ['queryMessages', 1, messageDigest],
  ])('of %s', async (table, version, { of, problem }: Digest<object>) => {
    const s = await rich()
    const row = last<object>(s, table)
    expect(of(row)).toMatch(new RegExp(`^${version}:[0-9a-f]{64}$`))
    expect(problem(row, of(row))).toBeUndefined()
    for (const [field, changed] of changes(row)) {
      expect([field, of(changed) === of(row)]).toEqual([field, false])
      expect(problem(changed, of(row))).toBe('does not fit its digest')
    }
  })

  test('of audit entries; the personal part has a hash of its own and can be erased', async () => {
    const s = await rich()
    const {
      _id,
      hash,
      personal: _,
      ...link
    } = last<ChainEntry & Record<'_id' | 'hash' | 'personal', unknown>>(s, 'auditEntries')
    for (const [field, changed] of changes(link)) {
      expect([field, entryHash('', { ...link, ...changed }) === entryHash('', link)]).toEqual([field, false])
    }
    expect(entryHash('x', link)).not.toBe(entryHash('', link))
  })
})

test('the digest orders the fields, whatever their order in the row', () => {
  const { of } = digest<{ a: number; b: number }>(textOfFields(['a', 'b']))
  const row = { b: 2, a: 1 }
  expect(of(row)).toBe(of({ a: 1, b: 2 }))
  expect(of(row)).not.toBe(of({ a: 2, b: 1 }))
})

test('a digest is verified by the version that created it', () => {
  type Row = { a: number; b: number }
  const first = digest<Row>(textOfFields(['a']))
  const second = digest<Row>(textOfFields(['a']), textOfFields(['a', 'b']))
  const row = { a: 1, b: 2 }
  expect(second.problem(row, first.of(row))).toBeUndefined()
  expect(second.problem({ ...row, a: 2 }, first.of(row))).toBe('does not fit its digest')
  expect(second.of(row)).toStartWith('2:')
  expect(second.problem({ ...row, b: 3 }, second.of(row))).toBe('does not fit its digest')
  const unknown = 'has a digest of version 2, which this program does not know: use a newer one'
  expect(first.problem(row, second.of(row))).toBe(unknown)
  expect(first.problem(row, second.of(row).slice(2))).toBe('does not fit its digest')
  expect(first.problem(row, undefined)).toBe('does not fit its digest')
})

test('verify names a digest of an unknown version', async () => {
  const s = await rich()
  const { sqlite } = s
  for (const { name } of sqlite.query<Named, []>(`SELECT name FROM sqlite_schema WHERE type = 'trigger'`).all()) {
    sqlite.run(`DROP TRIGGER "${name}"`)
  }
  const unknown = 'it has a digest of version 9, which this program does not know: use a newer one'
  const raise = (type: string) => {
    for (const version of [1, 2])
      sqlite.run(
        `UPDATE auditEntries SET event = replace(event, '"digest":"${version}:', '"digest":"9:') WHERE type = ?`,
        [type],
      )
  }
  raise('answerQuery')
  expect(() => verifyQueries(sqlite)).toThrow(
    new RegExp(`^message \\w+ of query \\w+ differs from the audit trail: ${unknown}$`),
  )
  raise('setResponseStatus')
  expect(() => verifyResponses(sqlite)).toThrow(
    new RegExp(`^event \\d+ of response \\w+ is not what entry \\d+ of chain \\w+ says: ${unknown}$`),
  )
  raise('submitResponse')
  expect(() => verifyResponses(sqlite)).toThrow(
    new RegExp(`^submission 1 of response \\w+ is not what entry \\d+ of chain \\w+ says: ${unknown}$`),
  )
  for (const table of ['auditEntries', 'signatures', 'configurationVersions']) {
    sqlite.run(`UPDATE ${table} SET hash = '9:' || hash`)
  }
  expect(new Set(verifyChains(sqlite).map(({ fault }) => fault?.problem))).toEqual(new Set([unknown]))
  expect(() => verifySignatures(sqlite)).toThrow(new RegExp(`^signature \\w+ ${unknown.slice(3)}$`))
  expect(() => verifyVersions(sqlite)).toThrow(
    new RegExp(`^configuration version 1 of trial \\w+ ${unknown.slice(3)}$`),
  )
})
