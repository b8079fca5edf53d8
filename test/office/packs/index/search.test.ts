/** A search through the index of trigrams finds what a scan of all packs finds. */

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Id } from '#kernel/id'
import { MOST_CANDIDATES } from '#office/packs/listStore'
import type { Person } from '../../../harness'
import { firstOf } from '../../../present'
import { runs } from '../../../proof'
import { indexedPacks, pagesHold, useIndex } from './index.study'

const SIGNS = [...'abkKÄäßİıΣς019 -"%_*\'\\()', '\u0301', '😀', '👩‍⚕️', '한국', 'OR', 'NEAR', '\ue022', '\u2028']
const text = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom(...SIGNS), { minLength, maxLength }).map((signs) => signs.join(''))
/** A part of a name in another case and composition, as somebody may type it. */
const variants = [(term: string) => term, (term: string) => term.toUpperCase(), (term: string) => term.normalize('NFD')]

const pages = async (by: Person, url: string) => {
  const found: string[] = []
  for (let after = ''; ; ) {
    const { status, body } = await by.call('GET', `${url}&perPage=4${after}`)
    expect(status).toBe(200)
    found.push(...(body.packs as { _id: string }[]).map(({ _id }) => _id))
    if (body.next === null) return found
    after = `&after=${body.next}`
  }
}

const inOneLine = (text: string) => text.replace(/[\n\r\u0085\u2028\u2029\v\f]/g, ' ').trim()

test('for every term, filter and reader the index and a scan find the same packs, in the same order', async () => {
  const s = await indexedPacks()
  const { db, north, south, drug, armA, armB } = s
  const sampled = fc.sample(fc.tuple(text(0, 9), text(0, 5)), { numRuns: 60, seed: 11 })
  const packs = sampled.map(([name, batchNumber], n) => ({
    ...{ name: inOneLine(name) || null, batchNumber: inOneLine(batchNumber) || null },
    assignedToSite: [north, south, null][n % 3]!,
    expiryDate: n % 4 ? `2026-0${4 + (n % 5)}-15` : null,
    availableToGroups: [[], [], [armA], [armB]][n % 4]!,
  }))
  const created = await s.create(...packs)
  await s.record(created[3]!._id, { type: 'lost', reason: 'x' })
  const readers = [
    s.owner,
    s.staff(s.trial, ['site.admin'], north),
    s.staff(s.trial, ['group.read'], armA),
    s.staff(s.trial, ['site.listPacks'], south),
  ]
  const parts = packs.flatMap(({ name, batchNumber }) => [name ?? '', batchNumber ?? ''].filter((part) => part !== ''))
  const part = fc
    .tuple(fc.constantFrom(...parts), fc.nat(6), fc.integer({ min: 1, max: 9 }), fc.constantFrom(...variants))
    .map(([whole, from, length, variant]) => variant([...whole].slice(from, from + length).join('')))
  const term = fc
    .oneof({ weight: 3, arbitrary: part }, { weight: 1, arbitrary: text(1, 5) })
    .filter((each) => each !== '')
  const filter = fc.constantFrom('', `&site=${north}`, '&state=lost', '&expiringBefore=2026-06-20', `&packType=${drug}`)
  let [asked, found] = [0, 0]
  await fc.assert(
    fc.asyncProperty(term, filter, fc.constantFrom(...readers), async (term, filter, reader) => {
      const url = `${s.at}/packs?term=${encodeURIComponent(term)}${filter}`
      const through = await pages(reader, url)
      if (s.named(term) !== undefined) asked++
      found += through.length
      useIndex(db, false)
      expect(s.named(term)).toBeUndefined()
      const scanned = await pages(reader, url)
      useIndex(db, true)
      expect(through).toEqual(scanned)
    }),
    { numRuns: runs(250) },
  )
  // Neither of the two is tested by chance only.
  expect([asked > runs(60), found > runs(60)]).toEqual([true, true])
}, 60_000)

test('the longest names and terms are found, and so is what is in more packs than the index names', async () => {
  const s = await indexedPacks()
  const [name, batchNumber] = [`${'ab😀 '.repeat(38)}end`, 'x-%_"'.repeat(19)]
  await s.create({ name, batchNumber }, { name: 'Other' })
  expect(await s.namesOf(`?term=${encodeURIComponent(name)}`)).toEqual([name])
  expect(await s.namesOf(`?term=${encodeURIComponent(batchNumber)}`)).toEqual([name])
  const send = async (count: number) => {
    const content = `name\n${Array.from({ length: count }, (_, n) => `Many ${n}`).join('\n')}\n`
    await s.owner.do('importPacks', s.trial, { packType: s.drug, content })
  }
  await send(MOST_CANDIDATES)
  expect([s.named('many'), (await s.namesOf('?term=MANY')).length]).toEqual([MOST_CANDIDATES, MOST_CANDIDATES])
  await send(1)
  expect([s.named('many'), (await s.namesOf('?term=MANY')).length]).toEqual([undefined, MOST_CANDIDATES + 1])
  expect(s.named('ma')).toBeUndefined()
  s.verified()
})

describe('every change of packs is in the index at once', () => {
  const finds = async (s: Awaited<ReturnType<typeof indexedPacks>>, ...terms: string[]) =>
    Promise.all(
      terms.map(async (term) => {
        expect([term, s.named(term) === undefined]).toEqual([term, false])
        return (await s.namesOf(`?term=${encodeURIComponent(term)}`)).length
      }),
    )

  test('created one by one, many at once, imported, changed, moved, deleted', async () => {
    const s = await indexedPacks()
    const one = await s.one({ name: 'Quill', batchNumber: 'LOT-1' })
    expect(pagesHold(s.db.$client, 'qui')).toBe(true)
    const many = await s.create(
      ...Array.from({ length: 20 }, (_, n) => ({ name: `Series ${n}`, batchNumber: 'LOT-2' })),
    )
    const content = 'name,batchNumber\nImported 1,LOT-3\nImported 2,LOT-3\n'
    await s.owner.do('importPacks', s.trial, { packType: s.drug, content })
    expect(await finds(s, 'quill', 'series', 'imported', 'lot-1', 'lot-2', 'lot-3', 'lot-')).toEqual([
      ...[1, 20, 2, 1, 20, 2, 23],
    ])
    await s.owner.do('updatePack', one._id, { name: 'Renamed' })
    expect(await finds(s, 'quill', 'renamed', 'lot-1')).toEqual([0, 1, 1])
    await s.owner.do('updatePack', one._id, { batchNumber: null, assignedToSite: s.north })
    expect(await finds(s, 'renamed', 'lot-1')).toEqual([1, 0])
    const ids = many.slice(0, 10).map(({ _id }) => _id)
    await s.owner.do('updatePacks', { ids, batchNumber: 'LOT-4' })
    expect(await finds(s, 'series', 'lot-2', 'lot-4')).toEqual([20, 10, 10])
    await s.owner.do('deletePack', many[19]!._id)
    await s.owner.do('deletePacks', { ids: ids.slice(0, 4) })
    expect(await finds(s, 'series', 'lot-2', 'lot-4')).toEqual([15, 9, 6])
    await s.assign(s.anna, one._id)
    await s.record(one._id, { type: 'returned', units: 1 })
    expect(await finds(s, 'renamed')).toEqual([1])
    // A thread that writes a file reads the index, too.
    const { csv } = await s.owner.do('listPacks', s.trial, { format: 'csv', term: 'series' })
    expect(csv.trim().split('\n').length - 1).toBe(15)
    s.verified()
    await s.upkeep()
    expect(pagesHold(s.db.$client, 'qui')).toBe(false)
    expect(await finds(s, 'renamed', 'series', 'lot-2', 'lot-4', 'imported')).toEqual([1, 15, 9, 6, 2])
    s.verified()
  })

  test('a refused change leaves it as it was', async () => {
    const s = await indexedPacks()
    const [a, b] = await s.create({ name: 'First' }, { name: 'Second' })
    await s.record(b!._id, { type: 'lost', reason: 'x' })
    const refused = [
      ['PUT', '/packs/update', { ids: [a!._id, b!._id], name: 'Third', assignedToSite: s.north }],
      ['POST', '/packs/delete', { ids: [a!._id, b!._id] }],
      ['POST', `${s.at}/packs`, { packType: s.drug, packs: [{ name: 'Third' }, { name: 'Fourth', tablets: 1 }] }],
      ['POST', `${s.at}/packs/import`, { packType: s.drug, content: 'name,expiryDate\nThird,\nFourth,never\n' }],
    ] as const
    for (const [method, url, body] of refused)
      expect([400, 422]).toContain((await s.owner.call(method, url, body)).status)
    expect(await finds(s, 'first', 'second', 'third', 'fourth')).toEqual([1, 1, 0, 0])
    s.verified()
  })

  test('a trial that is deleted takes its packs out of it, and those of other trials stay', async () => {
    const s = await indexedPacks()
    await s.create({ name: 'Quagga Zebra 1' }, { name: 'Zebra 2' })
    const other = (await s.owner.do('createTrial', s.team, { name: 'Second study' }))._id as Id
    const packType = (await s.owner.do('createPackType', other, { name: 'Kit' }))._id
    const kept = firstOf((await s.owner.do('createPacks', other, { packType, name: 'Zebra 3' })).packs)
    expect([s.named('zebra'), pagesHold(s.db.$client, 'uag')]).toEqual([2, true])
    await s.owner.do('deleteTrial', s.trial)
    s.verified()
    await s.upkeep()
    s.verified()
    expect([pagesHold(s.db.$client, 'uag'), pagesHold(s.db.$client, 'ebr')]).toEqual([false, true])
    expect((await s.owner.do('listPacks', other, { term: 'zebra' })).packs.map(({ _id }) => _id)).toEqual([kept._id])
  })
})
