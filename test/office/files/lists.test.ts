import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Id, newId } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import type { fileTypes } from '#office/files/model'
import { insertFile, insertVersion } from '#office/files/store'
import { collectStatements, explained, scans } from '../../plan'
import { runs } from '../../proof'
import { masterFile } from './files.study'

type Trial = Awaited<ReturnType<typeof masterFile>>
type Status = 'draft' | 'approved' | 'rejected'
type Made = { name: string; type: (typeof fileTypes)[number]; site: Id | null; tags: string[]; statuses: Status[] }

/** Inserts files and versions as the operations do, without uploads. */
function insertFiles(m: Trial, files: readonly (Made & { assignees: Id[] })[]): Id[] {
  const now = parseInstant(m.now())!
  const by = { createdAt: now, trial: m.trial }
  return m.db.transaction(() =>
    files.map(({ statuses, ...fields }) => {
      const { _id } = insertFile(m.db, {
        ...{ _id: newId(now), ...by, createdBy: m.owner._id, updatedAt: now, description: null },
        ...fields,
      })
      for (const [at, status] of statuses.entries())
        insertVersion(m.db, {
          ...{ _id: newId(now), ...by, file: _id, number: at + 1, name: 'Version', storedName: `${_id}-${at}` },
          ...{ originalName: 'a.pdf', mimeType: 'application/pdf', size: 1, sha256: 'a'.repeat(64), expiresAt: null },
          ...{ uploader: m.owner._id, uploaderName: 'Olga', status, statusAt: now, statusBy: m.owner._id },
        })
      return _id
    }),
  )
}

const file = { type: 'other' as const, site: null, tags: [], statuses: [] as Status[], assignees: [] as Id[] }

describe('the list of files', () => {
  test('is filtered by type, site, status, tag, assignee and a part of the name, and by all at once', async () => {
    const m = await masterFile()
    const [a, b] = [m.owner._id, m.staff(m.trial, ['trial.readFiles'])._id]
    insertFiles(m, [
      { ...file, name: 'Protocol 1', type: 'protocol', tags: ['GCP', 'one'], statuses: ['draft', 'approved'] },
      { ...file, name: 'PROTOCOL 2', type: 'protocol', site: m.north, assignees: [a], statuses: ['draft'] },
      {
        ...file,
        name: 'Étude 100%',
        type: 'cv',
        site: m.north,
        tags: ['gcp'],
        assignees: [a, b],
        statuses: ['approved'],
      },
      { ...file, name: 'Insurance_1', site: m.south, tags: ['Étude'], assignees: [b] },
    ])
    const names = async (query: string) =>
      (await m.owner.get<'listFiles'>(`${m.all}?${query}`)).files.map(({ name }) => name)
    const cases: [string, string[]][] = [
      ['type=protocol', ['Protocol 1', 'PROTOCOL 2']],
      ['type=legal', []],
      [`site=${m.north}`, ['PROTOCOL 2', 'Étude 100%']],
      ['site=none', ['Protocol 1']],
      [`site=${'f'.repeat(24)}`, []],
      ['status=approved', ['Protocol 1', 'Étude 100%']],
      ['status=draft', ['PROTOCOL 2']],
      ['status=none', ['Insurance_1']],
      ['tag=Gcp', ['Protocol 1', 'Étude 100%']],
      ['tag=%C3%89TUDE', ['Insurance_1']],
      ['tag=GC', []],
      [`assignee=${a}`, ['PROTOCOL 2', 'Étude 100%']],
      [`assignee=${b}`, ['Étude 100%', 'Insurance_1']],
      ['term=rotoCOL', ['Protocol 1', 'PROTOCOL 2']],
      ['term=%C3%A9tude', ['Étude 100%']],
      ['term=E%CC%81tude', ['Étude 100%']],
      ['term=%25', ['Étude 100%']],
      ['term=_', ['Insurance_1']],
      [`type=cv&site=${m.north}&status=approved&tag=gcp&assignee=${a}&term=100`, ['Étude 100%']],
      [`type=cv&site=${m.south}&tag=gcp`, []],
    ]
    for (const [query, expected] of cases) expect([query, await names(query)]).toEqual([query, expected])
  })

  test('comes in pages', async () => {
    const m = await masterFile()
    insertFiles(
      m,
      Array.from({ length: 1001 }, (_, n) => ({ ...file, name: `File ${n}`, tags: n % 2 ? ['odd'] : [] })),
    )
    const page = async (query: string) => {
      const { files, page, nextPageAvailable } = await m.owner.get<'listFiles'>(`${m.all}?${query}`)
      return [files[0]?.name, files.length, page, nextPageAvailable]
    }
    expect(await page('')).toEqual(['File 0', 1000, 1, true])
    expect(await page('page=2')).toEqual(['File 1000', 1, 2, false])
    expect(await page('perPage=500&page=2')).toEqual(['File 500', 500, 2, true])
    expect(await page('perPage=250&tag=odd&page=2')).toEqual(['File 501', 250, 2, false])
    expect(await page('page=9')).toEqual([undefined, 0, 9, false])
    for (const query of ['page=0', 'perPage=0', 'perPage=1001', 'site=North', 'status=final', 'type=letter'])
      expect([query, (await m.owner.call('GET', `${m.all}?${query}`)).status]).toEqual([query, 422])
  })

  test('has exactly what each reader may see, with any files and permissions (property)', async () => {
    const m = await masterFile()
    const status = fc.constantFrom<Status>('draft', 'approved', 'rejected')
    const made = fc.record({
      site: fc.constantFrom(null, m.north, m.south),
      statuses: fc.array(status, { maxLength: 3 }),
      type: fc.constantFrom('cv' as const, 'sop' as const),
    })
    const keys = fc.subarray(['readFiles', 'readApprovedFiles'])
    const grants = fc.record({ trial: keys, north: keys, south: keys })
    await fc.assert(
      fc.asyncProperty(fc.array(made, { maxLength: 12 }), grants, async (files, granted) => {
        const ids = insertFiles(
          m,
          files.map((each) => ({ ...file, name: 'File', ...each })),
        )
        const reader = m.staff(m.trial, ['trial.manageWallet', ...granted.trial.map((key) => `trial.${key}`)])
        for (const site of ['north', 'south'] as const)
          m.grant(
            reader,
            m[site],
            granted[site].map((key) => `site.${key}`),
          )
        const keysAt = (site: Id | null) => [
          ...granted.trial,
          ...(site === null ? [] : site === m.north ? granted.north : granted.south),
        ]
        const seen = files.flatMap(({ site, statuses, type }, at) => {
          const own = keysAt(site)
          const shown = own.includes('readFiles') ? statuses : statuses.filter((each) => each === 'approved')
          const isSeen = own.includes('readFiles') || (own.length > 0 && shown.length > 0)
          return isSeen ? [{ _id: ids[at]!, type, statuses: shown }] : []
        })
        const mayList = Object.values(granted).some((each) => each.length > 0)
        const list = async (query: string) => {
          const { status, body } = await reader.call('GET', `${m.all}?${query}`)
          if (status === 403) return status
          return body.files.map((each: { _id: Id; versions: { status: Status }[] }) => [
            each._id,
            each.versions.map((version) => version.status),
          ])
        }
        const expected = (rows: typeof seen) => (mayList ? rows.map(({ _id, statuses }) => [_id, statuses]) : 403)
        expect(await list('')).toEqual(expected(seen))
        expect(await list('type=cv')).toEqual(expected(seen.filter(({ type }) => type === 'cv')))
        for (const state of ['draft', 'approved', 'rejected', 'none'] as const) {
          const having = seen.filter(({ statuses }) => (statuses.at(-1) ?? 'none') === state)
          expect([state, await list(`status=${state}`)]).toEqual([state, expected(having)])
        }
        for (const [at, _id] of ids.entries()) {
          const status = mayList ? (seen.some((each) => each._id === _id) ? 200 : 404) : 403
          expect([at, (await reader.call('GET', `/files/${_id}`)).status]).toEqual([at, status])
        }
        m.db.$client.run('DELETE FROM masterFiles')
      }),
      { numRuns: runs(40) },
    )
  })
})

test('no statement about files scans a table, and each filter has its index', async () => {
  const m = await masterFile()
  const { $client: sqlite } = m.db
  const readers = {
    all: m.staff(m.trial, ['trial.readFiles']),
    approved: m.staff(m.trial, ['trial.readApprovedFiles']),
    site: m.staff(m.trial, ['site.readFiles'], m.north),
    siteApproved: m.staff(m.trial, ['site.readApprovedFiles'], m.north),
  }
  const indexes: Record<string, string> = {
    '': 'masterFilesByTrial',
    'type=cv': 'masterFilesByType',
    'status=draft': 'masterFilesByStatus',
    'status=none': 'masterFilesByStatus',
    'site=none': 'masterFilesOfTrial',
    [`site=${m.north}`]: 'masterFilesBySite',
    'tag=gcp': 'sqlite_autoindex_masterFileTags_1|PRIMARY KEY',
    [`assignee=${m.owner._id}`]: 'sqlite_autoindex_masterFileAssignees_1|PRIMARY KEY',
    'term=x': 'COVERING INDEX masterFilesByTrial',
  }
  for (const [query, index] of Object.entries(indexes))
    for (const [who, reader] of Object.entries(readers)) {
      const collector = collectStatements(sqlite)
      await reader.get<'listFiles'>(`${m.all}?${query}`)
      const statements = collector.end().filter((sql) => /masterFile/.test(sql))
      expect(statements.flatMap((sql) => scans(sqlite, sql))).toEqual([])
      const plan = statements.flatMap((sql) => explained(sqlite, sql).map(({ detail }) => detail)).join('\n')
      if (who === 'all') expect([query, plan]).toEqual([query, expect.stringMatching(new RegExp(index))])
      if (who === 'all') expect([query, plan]).toEqual([query, expect.not.stringContaining('TEMP B-TREE')])
      if (who === 'approved' && query === '') expect(plan).toContain('masterFilesApproved')
      if (who.startsWith('site') && query === '') expect(plan).toContain('masterFilesBySite')
    }
  const collector = collectStatements(sqlite)
  const made = await m.add({ site: m.north, tags: ['a'], assignees: [m.owner._id] })
  await m.version(made._id, 'one', { status: 'approved' })
  await m.owner.do('copyFile', made._id, { sites: [m.south], fullHistory: true })
  await m.owner.do('updateFile', made._id, { tags: ['b'], assignees: [] })
  await m.owner.do('readFile', made._id)
  await m.owner.do('deleteFile', made._id)
  await m.owner.call('DELETE', `/sites/${m.south}`)
  const statements = collector.end().filter((sql) => /masterFile/.test(sql))
  expect(statements.length).toBeGreaterThan(10)
  expect(statements.flatMap((sql) => scans(sqlite, sql).map((scan) => [scan, sql]))).toEqual([])
})

test('a batch reads one version with the same bytes, however many there are', async () => {
  const m = await masterFile()
  const { $client: sqlite } = m.db
  const storedName = await m.upload('SOP')
  const sites = [null, m.north, m.south]
  await m.owner.post<'createFiles'>(`${m.all}/batch`, { name: 'SOP 1', storedName, sites })
  const nurse = m.staff(m.trial, ['site.writeFiles'], m.north)
  for (const [person, places] of [
    [m.owner, sites],
    [nurse, [m.north]],
  ] as const) {
    const collector = collectStatements(sqlite)
    await person.post<'createFiles'>(`${m.all}/batch`, { name: 'SOP 2', storedName, sites: [...places] })
    const byBytes = collector.end().filter((sql) => /FROM "?masterFileVersions"? WHERE "?storedName/.test(sql))
    expect(byBytes.length).toBeGreaterThan(0)
    expect(byBytes.filter((sql) => !/LIMIT \+?1\b/.test(sql))).toEqual([])
    expect(byBytes.flatMap((sql) => scans(sqlite, sql))).toEqual([])
  }
})
