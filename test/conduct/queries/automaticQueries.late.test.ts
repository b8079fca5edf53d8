/** Numbers that could not be judged when they came, as little was known then, are asked about once enough is known. */
import { expect, test } from 'bun:test'
import { study } from '../../study'

/** A study with automatic queries, where each weight is entered as a new response. */
async function automaticQueryStudy() {
  const s = await study({ stage: { adHoc: true } })
  const turn = (isOn: boolean) => s.owner.do('updateTrial', s.trial, { smartAutomaticQueriesEnabled: isOn })
  await turn(true)
  return {
    ...s,
    turn,
    /** Enters glucose values; each in a response of its own. Returns their `_id`s. */
    measure: async (values: number[], of: string): Promise<string[]> => {
      const ids: string[] = []
      for (const glucose of values) ids.push((await s.enter({ glucose }, {}, s.owner, s.url(of))).body._id)
      return ids
    },
    /** The rule and the response of each query. */
    asked: async () => {
      await s.service.services.tick()
      const { queries } = await s.owner.do('listQueries', s.trial)
      return queries.map(({ rule, response }) => [rule, response])
    },
  }
}

const ordinary = (count: number) => Array.from({ length: count }, (_, n) => 5 + (n % 10) / 10)

test('a number is compared with all that came before it, however soon after the first', async () => {
  const s = await automaticQueryStudy()
  await s.measure([6], s.bert)
  expect(await s.asked()).toEqual([])
  await s.measure(ordinary(40), s.bert)
  expect(await s.asked()).toEqual([])
  const [odd] = await s.measure([19], s.anna)
  expect(await s.asked()).toEqual([['trialRange', odd!]])
})

test('an odd number among the first of a study is asked about later, once', async () => {
  const s = await automaticQueryStudy()
  const [odd] = await s.measure([19], s.anna)
  expect(await s.asked()).toEqual([])
  for (const values of [ordinary(10), ordinary(20), ordinary(20)]) {
    await s.measure(values, s.bert)
    await s.asked()
  }
  expect(await s.asked()).toEqual([['trialRange', odd!]])
  await s.measure(ordinary(30), s.bert)
  expect(await s.asked()).toEqual([['trialRange', odd!]])
})

test('an odd number among the first of a participant is asked about once the next ones show it', async () => {
  const s = await automaticQueryStudy()
  const [odd] = await s.measure([19], s.anna)
  await s.measure([5.1, 5.3, 5.2], s.anna)
  expect(await s.asked()).not.toContainEqual(['participantRange', odd!])
  await s.measure([5.4, 5.2, 5.1, 5.3], s.anna)
  expect((await s.asked()).map(([, response]) => response)).toEqual([odd!])
})

test('what was entered while automatic queries were off is compared with, but not asked about', async () => {
  const s = await automaticQueryStudy()
  await s.turn(false)
  await s.measure([19], s.bert)
  await s.measure(ordinary(40), s.bert)
  expect(await s.asked()).toEqual([])
  await s.turn(true)
  const [odd] = await s.measure([18], s.anna)
  expect(await s.asked()).toEqual([['trialRange', odd!]])
  await s.measure(ordinary(20), s.bert)
  expect(await s.asked()).toEqual([['trialRange', odd!]])
})

test('a number whose response was deleted no longer counts', async () => {
  const s = await automaticQueryStudy()
  const trials = await s.measure(ordinary(40), s.bert)
  expect(await s.asked()).toEqual([])
  for (const _id of trials) await s.owner.do('deleteResponse', s.trial, _id, { reason: 'a trial run' })
  await s.measure([15, 15.2], s.anna)
  expect(await s.asked()).toEqual([])
})

test('a number that was corrected no longer counts as it was', async () => {
  const s = await automaticQueryStudy()
  await s.measure(ordinary(40), s.bert)
  await s.measure([5, 5], s.anna)
  expect(await s.asked()).toEqual([])
  // All of one participant's values become large; then a large one is usual.
  for (let n = 0; n < 40; n++)
    await s.enter({ glucose: 15 + (n % 10) / 10 }, {}, s.owner, s.url(s.bert, `${s.stage}::${n}`))
  await s.asked()
  const before = (await s.asked()).length
  await s.measure([15.2], s.anna)
  expect((await s.asked()).length - before).toBe(0)
})
