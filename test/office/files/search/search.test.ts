import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Id, newId } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import { insertFile, insertVersion } from '#office/files/store'
import { collectStatements, explained, scans } from '../../../plan'
import { runs } from '../../../proof'
import { searching } from './search.study'

describe('a search', () => {
  test('finds names, then tags, then texts, each file once, the newest first, with what was found', async () => {
    const m = await searching()
    await m.document('Dosing manual', ['The manual of the pump. Nothing else is in it.'])
    await m.document(
      'Ethics approval',
      ['We approve.', 'We approve the dosing manual\nof the pump.', 'Approved again.'],
      {
        tags: ['Étude', 'GCP'],
      },
    )
    await m.add({ name: 'Insurance', tags: ['dosing', 'Manual'] })
    await m.document('Manual', ['Nothing about it.'], { tags: ['dosing'] })
    await m.document('药物手册', ['临床试验方案第二版'])
    await m.read()
    expect(await m.found('dosing manual')).toEqual(['Dosing manual', 'Manual', 'Insurance', 'Ethics approval'])
    expect(await m.found('"dosing manual"')).toEqual(['Dosing manual', 'Insurance', 'Ethics approval'])
    expect(await m.match('approve pump')).toEqual([
      'text',
      2,
      'a.txt We approve the dosing manual of the pump.',
      ['approve', 'pump'],
    ])
    expect(await m.match('etud')).toEqual(['tags', null, 'Étude, GCP', ['Étude']])
    expect(await m.match('INSUR')).toEqual(['name', null, 'Insurance', ['Insurance']])
    expect(await m.match('试验')).toEqual(['text', 1, 'a.txt 临床试验方案第二版', ['试验']])
    expect(await m.match('册')).toEqual(['name', null, '药物手册', ['册']])
    expect(await m.found('pump')).toEqual(['Ethics approval', 'Dosing manual'])
    for (const nothing of ['dosing absent', '"manual pump"', '!', '*', '"', 'XOR', 'text:pump', '😀'])
      expect([nothing, await m.found(nothing)]).toEqual([nothing, []])
  })

  test('goes with the filters of the list, and comes in pages', async () => {
    const m = await searching()
    for (let n = 0; n < 53; n++)
      await m.add({
        name: `Report ${n}`,
        type: n % 2 ? 'cv' : 'sop',
        tags: n % 3 ? [] : ['third'],
        assignees: n % 5 ? [] : [m.owner._id],
      })
    await m.document('Approved', ['the report of the site'], { status: ['approved'], site: m.north })
    await m.read()
    const page = async (query: string) => {
      const { files, page, nextPageAvailable } = await m.owner.get<'listFiles'>(`${m.all}?search=report&${query}`)
      return [files[0]?.name, files.length, page, nextPageAvailable]
    }
    expect(await page('')).toEqual(['Report 52', 20, 1, true])
    expect(await page('perPage=50')).toEqual(['Report 52', 50, 1, true])
    expect(await page('perPage=50&page=2')).toEqual(['Report 2', 4, 2, false])
    expect(await page('page=4')).toEqual([undefined, 0, 4, false])
    expect(await page('perPage=20&page=2')).toEqual(['Report 32', 20, 2, true])
    expect(await page('perPage=6&page=9')).toEqual(['Report 4', 6, 9, false])
    expect(await page('perPage=50&type=cv')).toEqual(['Report 51', 26, 1, false])
    expect(await page('tag=THIRD&type=sop')).toEqual(['Report 48', 9, 1, false])
    expect(await page(`assignee=${m.owner._id}&tag=third`)).toEqual(['Report 45', 4, 1, false])
    expect(await page(`site=${m.north}`)).toEqual(['Approved', 1, 1, false])
    expect(await page('site=none&term=port%201')).toEqual(['Report 19', 11, 1, false])
    expect(await page('status=approved')).toEqual(['Approved', 1, 1, false])
    expect(await m.owner.call('GET', `${m.all}?search=report&perPage=51`)).toMatchObject({
      ...{ status: 400, body: { message: 'With search, a page has at most 50 files.' } },
    })
    for (const query of ['search=', `search=${'a'.repeat(201)}`, 'search=%ED%A0%80', 'search=%F0%9F%98'])
      expect([query, (await m.owner.call('GET', `${m.all}?${query}`)).status]).not.toEqual([query, 500])
    // As with every parameter, an empty one is none.
    expect((await m.owner.get<'listFiles'>(`${m.all}?search=`)).files).toHaveLength(54)
    expect((await m.owner.call('GET', `${m.all}?search=${'药'.repeat(200)}`)).status).toBe(200)
  })

  test('follows changes of names and tags at once', async () => {
    const m = await searching()
    const file = await m.document('Protokol', ['text'], { tags: ['old'] })
    expect(await m.found('protokol')).toEqual(['Protokol'])
    await m.owner.do('updateFile', file, { name: 'Protocol' })
    expect([await m.found('protokol'), await m.found('protocol'), await m.found('old')]).toEqual([
      [],
      ['Protocol'],
      ['Protocol'],
    ])
    await m.owner.do('updateFile', file, { tags: ['new'] })
    expect([await m.found('old'), await m.found('new protocol')]).toEqual([[], ['Protocol']])
    await m.read()
    expect(await m.found('new protocol')).toEqual(['Protocol'])
    await m.owner.do('deleteFile', file)
    expect(await m.found('protocol')).toEqual([])
  })
})

describe('who finds what', () => {
  test('readers of approved versions find only these, and nothing of the other versions', async () => {
    const m = await searching()
    const reader = m.staff(m.trial, ['trial.readApprovedFiles'])
    await m.document('Protocol', ['first alpha', 'second beta gamma', 'third beta'], {
      status: ['approved', 'draft', 'rejected'],
    })
    await m.document('Draft', ['first alpha'])
    await m.read()
    expect(await m.found('first', reader)).toEqual(['Protocol'])
    expect(await m.match('first', reader)).toEqual(['text', 1, 'a.txt first alpha', ['first']])
    for (const hidden of ['beta', 'gamma', 'draft', 'second', 'third'])
      expect([hidden, await m.found(hidden, reader)]).toEqual([hidden, []])
    expect(await m.match('beta')).toEqual(['text', 3, 'a.txt third beta', ['beta']])
  })

  test('accounts of other teams and trials find nothing, whatever the words', async () => {
    const m = await searching()
    await m.document('Protocol', ['the alpha text'])
    await m.read()
    const { team, owner } = m.neighbours()
    const other = (await owner.do('createTrial', team, { name: 'Other' }))._id
    expect((await owner.do('listFiles', other, { search: 'alpha' })).files).toEqual([])
    expect((await owner.call('GET', `${m.all}?search=alpha`)).status).toBe(404)
    const stranger = m.staff(m.trial, ['trial.manageWallet'])
    expect((await stranger.call('GET', `${m.all}?search=alpha`)).status).toBe(403)
  })

  test('is what the list shows them, with any files and permissions (property)', async () => {
    const m = await searching()
    const word = fc.constantFrom('alpha', 'beta', 'gamma')
    const version = fc.record({ text: fc.array(word, { maxLength: 3 }), isApproved: fc.boolean() })
    const file = fc.record({
      ...{ name: word, site: fc.constantFrom(null, m.north, m.south) },
      versions: fc.array(version, { maxLength: 3 }),
    })
    const keys = fc.subarray(['readFiles', 'readApprovedFiles'])
    const grants = fc.record({ trial: keys, north: keys, south: keys })
    const now = parseInstant(m.now())!
    await fc.assert(
      fc.asyncProperty(fc.array(file, { maxLength: 8 }), grants, word, word, async (files, granted, one, two) => {
        const ids = m.db.transaction(() =>
          files.map(({ name, site, versions }): Id => {
            const by = { createdAt: now, trial: m.trial }
            const { _id } = insertFile(m.db, {
              ...{ _id: newId(now), ...by, createdBy: m.owner._id, updatedAt: now, description: null, type: 'other' },
              ...{ name, site, tags: [], assignees: [] },
            })
            for (const [at, { text, isApproved }] of versions.entries())
              insertVersion(m.db, {
                ...{ _id: newId(now), ...by, file: _id, number: at + 1, name: text.join(' ') || 'none' },
                // No text is looked for in an image: only the name of the version is put into the index.
                ...{
                  storedName: `${_id}-${at}`,
                  originalName: 'a.png',
                  mimeType: 'image/png',
                  size: 1,
                  sha256: 'a'.repeat(64),
                },
                ...{
                  expiresAt: null,
                  uploader: m.owner._id,
                  uploaderName: 'Olga',
                  status: isApproved ? 'approved' : 'draft',
                },
                ...{ statusAt: now, statusBy: m.owner._id },
              })
            return _id
          }),
        )
        await m.read()
        const reader = m.staff(m.trial, ['trial.manageWallet', ...granted.trial.map((key) => `trial.${key}`)])
        for (const site of ['north', 'south'] as const)
          m.grant(
            reader,
            m[site],
            granted[site].map((key) => `site.${key}`),
          )
        const has = (words: readonly string[]) => words.includes(one) && words.includes(two)
        const expected = files.flatMap(({ name, site, versions }, at) => {
          const own = [...granted.trial, ...(site === null ? [] : site === m.north ? granted.north : granted.south)]
          const shown = versions.filter(({ isApproved }) => own.includes('readFiles') || isApproved)
          const isSeen = own.includes('readFiles') || (own.length > 0 && shown.length > 0)
          const isNamed = has([name])
          const number = versions.findLastIndex((each) => shown.includes(each) && has(each.text)) + 1
          return isSeen && (isNamed || number > 0) ? [{ _id: ids[at]!, number: isNamed ? null : number }] : []
        })
        const { status, body } = await reader.call('GET', `${m.all}?search=${one}%20${two}`)
        const mayList = Object.values(granted).some((each) => each.length > 0)
        expect(status).toBe(mayList ? 200 : 403)
        if (!mayList) return void m.db.$client.run('DELETE FROM masterFiles')
        const got = body.files.map((each: { _id: Id; match: { version: number | null } }) => ({
          _id: each._id,
          number: each.match.version,
        }))
        const byName = expected.filter(({ number }) => number === null).reverse()
        const byText = expected.filter(({ number }) => number !== null).reverse()
        expect(got).toEqual([...byName, ...byText])
        m.db.$client.run('DELETE FROM masterFiles')
      }),
      { numRuns: runs(40) },
    )
  })
})

test('no statement of a search scans a table or sorts', async () => {
  const m = await searching()
  await m.document('Protocol', ['alpha'], { site: m.north, tags: ['a'] })
  await m.read()
  const readers = [
    m.owner,
    m.staff(m.trial, ['trial.readApprovedFiles']),
    m.staff(m.trial, ['site.readFiles'], m.north),
    m.staff(m.trial, ['site.readApprovedFiles'], m.north),
  ]
  for (const reader of readers)
    for (const query of [
      '',
      '&type=cv',
      `&site=${m.north}`,
      '&site=none',
      '&tag=a',
      `&assignee=${m.owner._id}`,
      '&status=draft',
    ]) {
      const collector = collectStatements(m.db.$client)
      await reader.get<'listFiles'>(`${m.all}?search=alpha${query}`)
      const statements = collector.end().filter((sql) => /masterFile/.test(sql))
      expect(statements.length).toBeGreaterThan(2)
      expect(statements.flatMap((sql) => scans(m.db.$client, sql))).toEqual([])
      const words = statements.filter((sql) => sql.includes('MATCH'))
      const plan = words.flatMap((sql) => explained(m.db.$client, sql).map(({ detail }) => detail)).join('\n')
      expect(plan).not.toContain('TEMP B-TREE')
      expect(plan).not.toMatch(/VIRTUAL TABLE INDEX \d+:$/m)
    }
})
