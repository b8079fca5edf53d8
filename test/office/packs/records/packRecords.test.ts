/** Files of packs: the import, the list as csv, and the accountability log as JSON, csv and PDF. */
import { describe, expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import { extractText } from 'unpdf'
import { firstOf, present } from '../../../present'
import { type PackStudy, packStudy } from '../pack.study'

const rowsIn = (csv: string): Record<string, string>[] => parse(csv, { columns: true, bom: true })
const importing = ({ owner, at, drug }: PackStudy, csv: string) =>
  owner.call('POST', `${at}/packs/import`, { packType: drug, content: csv })

describe('import', () => {
  test('a csv as Excel writes it: byte order mark, semicolons, quotes, blank lines, any case of headers', async () => {
    const s = await packStudy()
    const csv = [
      '\ufeffName;BATCHNUMBER;expiryDate;site;groups;tablets;opened;receivedAt',
      '"K;1";B-1;2027-01-31;n1;arm a;28;2026-03-01T10:00:00Z;2026-03-01T09:00:00Z',
      '',
      'Kit 😀;;;;;;;',
      ';;;;;;;',
      "'=K3;B-2;;S1;Arm A;;;",
    ].join('\r\n')
    const { status, body } = await importing(s, csv)
    expect([status, body.created]).toEqual([200, 3])
    const { packs } = await s.owner.do('listPacks', s.trial)
    expect(packs.map(({ name }) => name)).toEqual(['K;1', 'Kit 😀', '=K3'])
    expect(packs[0]).toMatchObject({
      ...{ batchNumber: 'B-1', expiryDate: '2027-01-31', assignedToSite: s.north, availableToGroups: [s.armA] },
      extended: { tablets: 28, opened: '2026-03-01T10:00:00.000000Z' },
      availableToAllGroups: false,
    })
    expect(packs[1]).toMatchObject({
      batchNumber: null,
      expiryDate: null,
      assignedToSite: null,
      extended: {},
      availableToAllGroups: true,
    })
    const { events } = await s.owner.do('listPackEvents', firstOf(packs)._id)
    expect(firstOf(events).occurredAt).toBe('2026-03-01T09:00:00.000000Z')
    const { entries } = await s.owner.do('readLogs', s.trial, { type: 'importPacks' })
    expect(entries.map(({ event }) => event)).toMatchObject([{ created: 3, sha256: body.sha256, packType: s.drug }])
  })

  const wrong: [string, string[]][] = [
    ['name,colour\nK-1,red\n', ['Line 1: There is no column “colour”.']],
    ['name,Name\nK-1,K-2\n', ['Line 1: The column “Name” is there twice.']],
    ['name\n', ['Line 1: There is no row besides the headers.']],
    [
      'name,expiryDate,tablets,site\nK-1,2027-01-31,28,N1\nK-2,31.01.2027,many,X9\nK-3,2027-02-30,,\n',
      [
        'Line 3, expiryDate: Must be a date such as 2026-03-01.',
        'Line 3, tablets: Must be a whole number.',
        'Line 3, site: There is no site “X9”. Give the identifier of the site.',
        'Line 4, expiryDate: Must be a date such as 2026-03-01.',
      ],
    ],
    ['name,groups\n"K\n1",Arm A\nK-2,Arm A;Arm C\n', ['Line 4, groups: There is no group “Arm C”.']],
    [`name\n${'x'.repeat(201)}\n`, ['Line 2, name: Must be at most 200 characters.']],
    ['name\nK-1,too many\n', ['Line 2: It has 2 cells for 1 column.']],
    ['name,opened\nK-1,yesterday\n', ['Line 2, opened: Must be a moment such as 2026-03-01T09:30:00.000000Z.']],
    [
      'name,receivedAt\nK-1,2026-03-01\n',
      ['Line 2, receivedAt: Must be a moment such as 2026-03-01T09:30:00.000000Z.'],
    ],
  ]
  test.each(wrong)('%j is refused with its lines, and nothing is imported', async (csv, problems) => {
    const s = await packStudy()
    const { status, body } = await importing(s, csv)
    expect([status, body.validations]).toEqual([422, { json: { content: problems } }])
    const codes = ['inLine', 'inCell']
    expect(codes).toContain(body.details?.problems.content.code)
    expect((await s.owner.do('listPacks', s.trial)).packs).toEqual([])
  })

  test('a future receipt, too many rows, and a text that is no table are refused', async () => {
    const s = await packStudy()
    expect((await importing(s, 'name,receivedAt\nK-1,2026-04-01T00:00:00Z\n')).status).toBe(400)
    const many = await importing(s, `name\n${'K\n'.repeat(50_001)}`)
    expect([many.status, many.body.message]).toEqual([400, 'It has more than 50001 rows.'])
    expect((await importing(s, '   ')).status).toBe(422)
    expect((await s.owner.do('listPacks', s.trial)).packs).toEqual([])
  })

  test('one csv has packs of several types, in its order, so that nothing shows which belong together', async () => {
    const s = await packStudy()
    const named = `packType,name,tablets\nPLACEBO,K-1,\n${s.drug},K-2,28\nPlacebo,K-3,\n`
    const { status, body } = await s.owner.call('POST', `${s.at}/packs/import`, { content: named })
    expect([status, body.created]).toEqual([200, 3])
    const { packs } = await s.owner.do('listPacks', s.trial)
    expect(packs.map(({ name, packType, extended }) => [name, packType, extended])).toEqual([
      ['K-1', s.placebo, {}],
      ['K-2', s.drug, { tablets: 28 }],
      ['K-3', s.placebo, {}],
    ])
    expect(new Set(packs.map(({ createdAt }) => createdAt)).size).toBe(1)
    await s.owner.do('createPackType', s.trial, { name: 'Twice' })
    await s.owner.do('createPackType', s.trial, { name: 'twice' })
    const faulty = 'packType,name,tablets,colour\nplacebo,K-4,,\n'
    const rows = 'packType,name,tablets\nplacebo,K-4,28\n,K-5,\ntwice,K-6,\n'
    for (const [content, problems] of [
      [faulty, ['Line 1: There is no column “colour”.']],
      [
        rows,
        [
          'Line 2, tablets: “Placebo” does not have this field.',
          'Line 3, packType: There is no single pack type “”.',
          'Line 4, packType: There is no single pack type “twice”.',
        ],
      ],
    ] as const) {
      const refused = await s.owner.call('POST', `${s.at}/packs/import`, { content })
      expect([refused.status, refused.body.validations]).toEqual([422, { json: { content: problems } }])
    }
    const none = await s.owner.call('POST', `${s.at}/packs/import`, { content: 'name\nK-7\n' })
    expect([none.status, Object.keys(none.body.validations?.json ?? {})]).toEqual([422, ['packType']])
    expect((await s.owner.do('listPacks', s.trial)).packs).toHaveLength(3)
  })

  test('an extended field called as another column has a column of its own', async () => {
    const s = await packStudy()
    const extendedFields = [
      { key: 'site', label: 'Site of production', type: 'text' },
      { key: 'State', label: 'State', type: 'integer' },
    ]
    const packType = (await s.owner.do('createPackType', s.trial, { name: 'Implant', extendedFields }))._id
    const content = 'site,extended.site,Extended.State\nN1,Ghent,3\n'
    await s.owner.do('importPacks', s.trial, { packType, content })
    const { packs } = await s.owner.do('listPacks', s.trial, { packType })
    expect(packs).toMatchObject([{ assignedToSite: s.north, extended: { site: 'Ghent', State: 3 } }])
    const { csv } = await s.owner.do('listPacks', s.trial, { packType, format: 'csv' })
    expect(rowsIn(csv)).toMatchObject([
      { site: 'N1', state: 'inStock', 'extended.site': 'Ghent', 'extended.State': '3' },
    ])
  })

  test('two equal requests with one key import once', async () => {
    const s = await packStudy()
    const body = { packType: s.drug, content: 'name\nK-1\n' }
    const ask = () => s.owner.call('POST', `${s.at}/packs/import`, body, { headers: { 'Idempotency-Key': 'k' } })
    const [a, b] = await Promise.all([ask(), ask()])
    expect([a.status, b.status]).toEqual([200, 200])
    expect((await s.owner.do('listPacks', s.trial)).packs).toHaveLength(1)
  })
})

/** A site that received three packs: one dispensed and returned, one moved away, one destroyed. */
async function used() {
  const s = await packStudy()
  const [a, b, c] = await s.create(
    {
      name: '=SUM(1)',
      batchNumber: 'B-1',
      expiryDate: '2027-01-31',
      assignedToSite: s.north,
      extended: { tablets: 28 },
    },
    { name: 'Ω-2', assignedToSite: s.north },
    { name: 'K-3' },
  )
  await s.assign(s.anna, a!._id)
  s.clock('2026-03-10T12:00:00Z')
  await s.record(a!._id, { type: 'returned', units: 4 })
  await s.record(b!._id, { type: 'moved', site: s.south })
  await s.record(c!._id, { type: 'moved', site: s.north })
  await s.record(c!._id, { type: 'temperatureExcursion', reason: 'x' })
  s.clock('2026-03-11T12:00:00Z')
  await s.record(c!._id, { type: 'destroyed', reason: 'x' })
  return { ...s, a: a!, b: b!, c: c! }
}

test('the list as csv has all packs and fields, and is logged as an export', async () => {
  const s = await used()
  const { csv } = await s.owner.do('listPacks', s.trial, { format: 'csv', packType: s.drug })
  const rows = rowsIn(csv)
  expect(rows.map(({ name }) => name)).toEqual(["'=SUM(1)", 'Ω-2', 'K-3'])
  expect(rows[0]).toMatchObject({
    ...{ packType: 'Tablets 50 mg', batchNumber: 'B-1', expiryDate: '2027-01-31', site: 'N1', state: 'returned' },
    ...{ participantId: 'P-1', unitsReturned: '4', tablets: '28', opened: '', groups: '' },
  })
  const { entries } = await s.owner.do('readLogs', s.trial, { type: 'exportPacks' })
  expect(entries.map(({ event }) => event)).toMatchObject([{ format: 'csv', filters: { packType: s.drug } }])
})

describe('the accountability log', () => {
  test('balances each place and type, and says what became of each pack', async () => {
    const s = await used()
    const { balances, lines, next } = await s.owner.do('readPackAccountability', s.trial)
    const zero = {
      received: 0,
      movedIn: 0,
      movedOut: 0,
      inStock: 0,
      quarantined: 0,
      dispensed: 0,
      returned: 0,
      lost: 0,
    }
    const none = { ...zero, damaged: 0, destroyed: 0, unitsReturned: 0, difference: 0, packType: s.drug }
    expect(balances).toEqual([
      { ...none, site: s.north, received: 2, movedIn: 1, movedOut: 1, returned: 1, destroyed: 1, unitsReturned: 4 },
      { ...none, site: s.south, movedIn: 1, inStock: 1 },
      { ...none, site: null, received: 1, movedOut: 1 },
    ])
    expect(next).toBeNull()
    expect(lines.map(({ pack, state }) => [pack, state])).toEqual([
      [s.a._id, 'returned'],
      [s.b._id, 'inStock'],
      [s.c._id, 'destroyed'],
    ])
    expect(lines[0]).toMatchObject({
      ...{ participantId: 'P-1', dispensedAt: '2026-03-02T12:00:00.000000Z', dispensedBy: 'Olga Owner' },
      ...{ returnedAt: '2026-03-10T12:00:00.000000Z', returnedBy: 'Olga Owner', unitsReturned: 4, destroyedAt: null },
    })
    expect(lines[2]).toMatchObject({
      excursions: 1,
      destroyedAt: '2026-03-11T12:00:00.000000Z',
      destroyedBy: 'Olga Owner',
    })
  })

  test('of one site has the packs that left it, and not what they did elsewhere', async () => {
    const s = await used()
    await s.assign(s.bert, s.b._id)
    const { lines } = await s.owner.do('readPackAccountability', s.trial, { site: s.north })
    expect(lines.map(({ name, state }) => [name, state])).toEqual([
      ['=SUM(1)', 'returned'],
      ['Ω-2', 'moved'],
      ['K-3', 'destroyed'],
    ])
    expect(lines[1]).toMatchObject({ movedAt: '2026-03-10T12:00:00.000000Z', dispensedAt: null, participantId: null })
    expect(lines[2]).toMatchObject({ receivedAt: '2026-03-10T12:00:00.000000Z' })
    const page = await s.owner.do('readPackAccountability', s.trial, { site: s.north, perPage: 2 })
    const rest = await s.owner.do('readPackAccountability', s.trial, {
      site: s.north,
      perPage: 2,
      after: present(page.next),
    })
    expect([...page.lines, ...rest.lines]).toEqual(lines)
    expect((await s.owner.do('readPackAccountability', s.trial, { packType: s.placebo })).lines).toEqual([])
    const found = await s.owner.do('readPackAccountability', s.trial, { site: s.south })
    expect(found.lines).toMatchObject([{ state: 'dispensed', participantId: 'P-2' }])
  })

  test('what was taken back or found again does not count', async () => {
    const s = await packStudy()
    const [a, b] = await s.create({}, {})
    await s.assign(s.anna, a!._id)
    await s.owner.do('unassignPack', s.trial, s.anna, a!._id)
    await s.record(b!._id, { type: 'lost', reason: 'x' })
    await s.record(b!._id, { type: 'found', reason: 'x' })
    const { lines } = await s.owner.do('readPackAccountability', s.trial)
    expect(lines).toMatchObject([
      { state: 'inStock', dispensedAt: null, participantId: null },
      { state: 'quarantined', lostAt: null },
    ])
  })

  test('as csv has the same lines, as text that no spreadsheet computes', async () => {
    const s = await used()
    const { csv } = await s.owner.do('readPackAccountability', s.trial, { format: 'csv' })
    const rows = rowsIn(csv)
    expect(rows.map(({ name, state, site }) => [name, state, site])).toEqual([
      ["'=SUM(1)", 'returned', 'N1'],
      ['Ω-2', 'inStock', 'S1'],
      ['K-3', 'destroyed', 'N1'],
    ])
    expect(rows[0]).toMatchObject({ participantId: 'P-1', dispensedBy: 'Olga Owner', unitsReturned: '4' })
    expect((await s.owner.do('readLogs', s.trial, { type: 'exportPackAccountability' })).total).toBe(1)
  })

  test.each([
    ['en', 'Accountability of packs', 'Every pack is accounted for.'],
    ['de', 'Verbleib der Packungen', 'Der Verbleib jeder Packung ist bekannt.'],
  ])('as PDF in the language of the trial: %s', async (language, title, verdict) => {
    const s = await used()
    await s.owner.do('updateTrial', s.trial, { languages: [language] })
    const { request, fileName } = await s.owner.do('readPackAccountability', s.trial, { format: 'pdf' })
    expect(fileName).toEndWith('2026-03-11.pdf')
    const response = await s.fetch(request)
    const { text } = await extractText(new Uint8Array(await response.arrayBuffer()), { mergePages: true })
    const words = text.replace(/\s+/g, ' ')
    for (const part of [
      title,
      verdict,
      '=SUM(1)',
      'Ω-2',
      'K-3',
      'B-1',
      '2027-01-31',
      'P-1',
      '2026-03-10 (4)',
      'Olga Owner',
      'Tablets 50 mg',
    ])
      expect(words).toContain(part)
  })

  test('of hundreds of packs fills pages, each with the headers of the table', async () => {
    const s = await packStudy()
    const packs = Array.from({ length: 120 }, (_, n) => ({ name: `Kit-${n}` }))
    await s.create(...packs)
    const { request } = await s.owner.do('readPackAccountability', s.trial, { format: 'pdf' })
    const bytes = new Uint8Array(await (await s.fetch(request)).arrayBuffer())
    const { text, totalPages } = await extractText(bytes)
    expect(totalPages).toBeGreaterThan(3)
    for (const page of text.slice(0, -1)) expect(page).toContain('Participant')
    for (const { name } of packs) expect(text.join(' ')).toContain(name)
  })
})
