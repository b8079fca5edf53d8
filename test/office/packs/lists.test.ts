/** The list of packs: filters, pages, and that its cost does not grow with the number of packs. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { PackState } from '#office/packs/events/rules'
import { findPacks } from '#office/packs/listStore'
import { collectStatements, explained, scans } from '../../plan'
import { runs } from '../../proof'
import { upkeepDone } from './index/index.study'
import { type PackStudy, packStudy } from './pack.study'

const EVENTS: Record<string, string | undefined> = { lost: 'lost', damaged: 'damaged', quarantined: 'quarantined' }

/** Packs of two types at three places, in several states, with and without an expiry date. */
async function stocked() {
  const s = await packStudy()
  const { owner, drug, placebo, north, south, anna, trial } = s
  const packs = Array.from({ length: 60 }, (_, n) => ({
    name: `Kit-${n}`,
    batchNumber: `B${n % 3}`,
    assignedToSite: [north, south, null][n % 3]!,
    expiryDate: n % 4 ? `2026-0${4 + (n % 5)}-15` : null,
    packType: n % 2 ? drug : placebo,
    state: (['inStock', 'inStock', 'lost', 'damaged', 'quarantined', 'dispensed'] as const)[n % 6]!,
  }))
  for (const { packType, state, ...fields } of packs) {
    const [pack] = (await owner.do('createPacks', trial, { packType, ...fields })).packs
    const type = EVENTS[state]
    if (type) await s.record(pack!._id, { type, reason: 'x' })
    // Only those of a place where Anna is, are dispensed to her.
    if (state === 'dispensed') await s.assign(anna, pack!._id)
  }
  const stored = await all(s, '')
  return { ...s, stored }
}

/** All packs of a list, page by page. */
async function all({ owner, at }: Pick<PackStudy, 'owner' | 'at'>, query: string, perPage = 7) {
  const packs: {
    _id: string
    name: string
    state: PackState
    packType: string
    assignedToSite: string | null
    expiryDate: string | null
    batchNumber: string
    participant: string | null
  }[] = []
  for (let after = ''; ; ) {
    const { status, body } = await owner.call('GET', `${at}/packs?perPage=${perPage}${query}${after}`)
    expect(status).toBe(200)
    expect(body.packs.length).toBeLessThanOrEqual(perPage)
    packs.push(...body.packs)
    if (body.next === null) return packs
    after = `&after=${body.next}`
  }
}

test('every combination of filters lists what a plain filter of all packs does, whatever the size of a page', async () => {
  const s = await stocked()
  const { stored, drug, placebo, north, south } = s
  expect(stored).toHaveLength(60)
  expect(new Set(stored.map(({ state }) => state)).size).toBe(5)
  const maybe = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined })
  const filters = fc.record({
    packType: maybe(drug, placebo, 'f'.repeat(24)),
    site: maybe(north, south, 'null'),
    state: maybe<PackState>('inStock', 'lost', 'dispensed', 'destroyed'),
    assigned: maybe('true', 'false'),
    term: maybe('kit-1', 'B2', 'KIT', '%', 'b1'),
    expiringBefore: maybe('2026-05-15', '2026-07-01', '2027-01-01'),
    perPage: fc.constantFrom(1, 7, 100),
  })
  await fc.assert(
    fc.asyncProperty(filters, async ({ perPage, ...given }) => {
      const query = Object.entries(given).flatMap(([name, value]) =>
        value === undefined ? [] : [`&${name}=${encodeURIComponent(value)}`],
      )
      const expected = stored.filter(
        (pack) =>
          (given.packType === undefined || pack.packType === given.packType) &&
          (given.site === undefined || `${pack.assignedToSite}` === given.site) &&
          (given.state === undefined || pack.state === given.state) &&
          (given.assigned === undefined || `${pack.participant !== null}` === given.assigned) &&
          (given.term === undefined ||
            `${pack.name} ${pack.batchNumber}`.toLowerCase().includes(given.term.toLowerCase())) &&
          (given.expiringBefore === undefined || (pack.expiryDate !== null && pack.expiryDate < given.expiringBefore)),
      )
      const key = ({ expiryDate, _id }: (typeof stored)[number]) =>
        given.expiringBefore ? `${expiryDate} ${_id}` : _id
      const sorted = expected.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
      expect((await all(s, query.join(''), perPage)).map(({ name }) => name)).toEqual(sorted.map(({ name }) => name))
    }),
    { numRuns: runs(120) },
  )
}, 180_000)

test.each(['x', 'W10', 'WyJhIiwiYiJd', 'eyJhIjoxfQ', 'WzFd'])('a wrong place is refused: after=%s', async (after) => {
  const { owner, at } = await packStudy()
  const { status, body } = await owner.call('GET', `${at}/packs?after=${after}`)
  expect([status, body.validations]).toEqual([
    422,
    { query: { after: ['Must be the `next` of a page of this list.'] } },
  ])
})

describe('the cost of a list', () => {
  const queries = (s: PackStudy) => [
    ...['', `?packType=${s.drug}`, `?site=${s.north}`, '?site=null', '?state=lost', '?state=inStock', '?assigned=true'],
    ...[
      '?assigned=false',
      '?term=kit-1',
      '?expiringBefore=2026-06-01',
      `?packType=${s.drug}&site=${s.north}&state=lost`,
    ],
    // An empty page too is read from the range of what it filters by, and not from all that expire.
    ...['&state=lost', '&term=kit', `&site=${s.north}`, `&packType=${s.drug}`, `&packType=${s.drug}&assigned=true`].map(
      (filter) => `?expiringBefore=2026-06-01${filter}`,
    ),
    ...[`?packType=${s.drug}&state=lost`, `?site=${s.north}&assigned=true`, `?term=kit&site=${s.north}`],
  ]

  test('no statement scans a table, and what is ordered comes from an index in that order', async () => {
    const s = await packStudy()
    const { $client: sqlite } = s.db
    await s.create(
      ...Array.from({ length: 20 }, (_, n) => ({
        name: `Kit-${n}`,
        assignedToSite: s.north,
        expiryDate: '2026-04-01',
      })),
    )
    const local = s.staff(s.trial, ['site.admin'], s.north)
    const collector = collectStatements(sqlite)
    for (const query of queries(s)) {
      for (const person of [s.owner, local]) {
        const { body } = await person.call('GET', `${s.at}/packs${query}${query ? '&' : '?'}perPage=2`)
        if (body.next)
          expect(
            (await person.call('GET', `${s.at}/packs${query}${query ? '&' : '?'}perPage=2&after=${body.next}`)).status,
          ).toBe(200)
      }
    }
    const first = await s.owner.do('listParticipantPacks', s.trial, s.anna, { availableOnly: true, perPage: 2 })
    await s.owner.do('listParticipantPacks', s.trial, s.anna, { availableOnly: true, perPage: 2, after: first.next! })
    await s.owner.do('listParticipantPacks', s.trial, s.anna, { perPage: 2 })
    const statements = collector.end().filter((sql) => /\bpacks\b/.test(sql))
    expect(statements.length).toBeGreaterThan(20)
    expect(statements.flatMap((sql) => scans(sqlite, sql).map((scan) => [scan, sql]))).toEqual([])
    const lists = statements.filter((sql) => /ORDER BY k0/.test(sql) && !/\$v\d+\) AS c\b/.test(sql))
    const details = lists.map(
      (sql) =>
        [
          sql,
          explained(sqlite, sql)
            .map(({ detail }) => detail)
            .join('\n'),
        ] as const,
    )
    expect(details.filter(([, plan]) => /TEMP B-TREE/.test(plan))).toEqual([])
    const used = details.map(([, plan]) => plan).join('\n')
    for (const index of [
      'packsByTrial',
      'packsByState',
      'packsByType',
      'packsBySite',
      'packsByStateExpiry',
      'packsByTypeExpiry',
      'packsBySiteExpiry',
      'packsInStock',
      'packsByParticipant',
    ])
      expect(used).toContain(index)
  })

  test('a rare term is looked for in the index of trigrams, and what it names is read by key', async () => {
    const s = await packStudy()
    const { $client: sqlite } = s.db
    await upkeepDone(s)
    await s.create({ name: 'Kit-1', assignedToSite: s.north, expiryDate: '2026-04-01' }, { name: 'Kit-2' })
    const local = s.staff(s.trial, ['site.admin'], s.north)
    const collector = collectStatements(sqlite)
    for (const person of [s.owner, local])
      for (const filter of ['', `&site=${s.north}`, '&state=lost', '&expiringBefore=2026-06-01', '&assigned=false'])
        expect((await person.call('GET', `${s.at}/packs?term=kit-1${filter}`)).body.packs.length).toBe(
          filter === '&state=lost' ? 0 : 1,
        )
    const statements = collector.end().filter((sql) => /\bpack/.test(sql))
    expect(statements.flatMap((sql) => scans(sqlite, sql).map((scan) => [scan, sql]))).toEqual([])
    const planOf = (sql: string) => explained(sqlite, sql).map(({ detail }) => detail)
    const [asked, ...others] = statements.filter((sql) => /\bMATCH\b/.test(sql)).map(planOf)
    expect([asked, others]).toEqual([[expect.stringMatching(/^SCAN packTrigrams VIRTUAL TABLE INDEX \d+:M/)], []])
    const read = statements.filter((sql) => /ORDER BY k0/.test(sql)).map(planOf)
    expect(read.length).toBeGreaterThan(4)
    // How long a search takes must not tell which batch numbers there are.
    const blinded = collectStatements(sqlite)
    const search = { trial: s.trial, scope: 'all', types: [s.drug], term: 'kit-1' } as const
    expect(findPacks(s.db, { ...search, byNameOnly: true }, 9)).toHaveLength(1)
    expect(blinded.end().filter((sql) => /packTrigrams/.test(sql))).toEqual([])
    // At most 500 keys are sorted. No list goes through an index of packs.
    for (const plan of read)
      expect(plan.filter((each) => / p\b/.test(each))).toEqual(['SEARCH p USING INTEGER PRIMARY KEY (rowid=?)'])
  })

  test('the first and the last page of two thousand packs read the same number of rows', async () => {
    const s = await packStudy()
    const { $client: sqlite } = s.db
    await s.one({ name: 'K' })
    const columns = (sqlite.query('PRAGMA table_info(packs)').all() as { name: string }[])
      .map(({ name }) => name)
      .filter((name) => name !== '_id' && name !== 'key')
    sqlite.run(`WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 2000)
      INSERT INTO packs (_id, ${columns.join(', ')}) SELECT printf('%024x', value), ${columns.join(', ')} FROM packs, n`)
    const steps = async (query: string) => {
      const collector = collectStatements(sqlite)
      const { body } = await s.owner.call('GET', `${s.at}/packs?perPage=5${query}`)
      const [sql] = collector.end().filter((each) => /ORDER BY k0/.test(each))
      return { sql: sql!, next: body.next as string, names: body.packs.length as number }
    }
    const first = await steps('')
    expect(first.names).toBe(5)
    // The seek is a range of the index, so that no page reads those before it.
    const second = await steps(`&after=${first.next}`)
    expect(
      explained(sqlite, second.sql)
        .map(({ detail }) => detail)
        .join(),
    ).toMatch(/packsByTrial \(trial=\? AND _id>\?\)/)
  })

  test('the statements of an assignment, an event and a count use indexes', async () => {
    const s = await packStudy()
    const { $client: sqlite } = s.db
    const { _id } = await s.one({ name: 'K', assignedToSite: s.north })
    const collector = collectStatements(sqlite)
    expect((await s.assign(s.anna, _id)).status).toBe(200)
    expect((await s.record(_id, { type: 'returned', units: 1 })).status).toBe(200)
    await s.owner.do('readPackAccountability', s.trial)
    await s.owner.do('readPackAccountability', s.trial, { site: s.north })
    await s.owner.do('readPackAccountability', s.trial, { site: 'null' })
    await s.owner.do('listPackEvents', _id)
    await s.owner.call('DELETE', `/sites/${s.north}`)
    await s.owner.call('DELETE', `${s.at}/participants/${s.anna}`, { reason: 'registered twice' })
    const statements = collector.end().filter((sql) => /pack/.test(sql) && !/^\s*(INSERT|CREATE)/.test(sql))
    expect(statements.length).toBeGreaterThan(8)
    expect(statements.flatMap((sql) => scans(sqlite, sql).map((scan) => [scan, sql]))).toEqual([])
  })
})
