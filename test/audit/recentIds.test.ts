/** Which participants the trail of reads had of late. */
import { expect, test } from 'bun:test'
import { packIds, unpackIds } from '#audit/packedIds'
import { recentIdsWithin } from '#audit/recentIds'
import { idMaker, newId } from '#kernel/id'
import { recentItems } from '#kernel/recent'

const PERIOD = 1000

test('ids that were added are known for the period, by group, like texts', () => {
  const makers = [newId, idMaker('0000000000', 0), idMaker('ffffffffff', 0xfffff0)]
  const ids = Array.from({ length: 900 }, (_, at) => makers[at % makers.length]!(at * 1e5))
  const known = recentIdsWithin(PERIOD)
  const texts = recentItems(PERIOD)
  let seed = 7
  const random = (below: number) => (seed = (seed * 16807) % 2147483647) % below
  let now = 1_000_000
  for (let turn = 0; turn < 3000; turn++) {
    // A clock may be put back.
    now += random(100) === 0 ? -random(2 * PERIOD) : random(40)
    const group = `${random(3)}`
    const some = Array.from({ length: random(9) ? random(20) : 300 }, () => ids[random(ids.length)]!)
    const each = [...new Set(some)]
    expect(unpackIds(known.missing(group, packIds(each), now))).toEqual(each.filter((id) => !texts.has(group, id, now)))
    expect(unpackIds(known.addMissing(group, packIds(some), now))).toEqual(texts.addMissing(group, some, now))
  }
})

test('ids are packed in their order, and what is not an id is refused', () => {
  const [one, other] = [newId(1), newId(2)]
  expect(packIds([one, undefined, other, null])).toHaveLength(24)
  expect(unpackIds(packIds([one, other]))).toEqual([one, other])
  expect(unpackIds(packIds([]))).toEqual([])
  expect(() => packIds(['not an id, but as long..'])).toThrow()
})
