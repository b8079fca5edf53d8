/** The trail of reads in a study record: anybody can compute its hashes again. */
import { expect, test } from 'bun:test'
import { removeReads } from '#audit/reads'
import { trialById } from '#design/trials/store'
import { readsEnd, readsText } from '#exchange/studyRecord/reads'
import { checkReads } from '#exchange/studyRecord/verifyReads'
import { DAY, parseInstant } from '#kernel/time'
import { present } from '../../present'
import { study } from '../../study'

async function* each(lines: readonly string[]) {
  yield* lines
}

async function recorded() {
  const s = await study()
  for (let day = 0; day < 3; day++) {
    for (const participant of [s.anna, s.bert]) await s.owner.do('listNotes', s.trial, participant)
    await s.service.services.reads.flush()
    s.clock(DAY)
  }
  const read = () => {
    const reads = present(readsEnd(s.db, s.trial))
    const text = [...readsText(s.db, present(trialById(s.db, s.trial)), reads.rows)].join('')
    return { lines: text.trim().split('\n'), study: JSON.stringify({ trial: { _id: s.trial }, reads }) }
  }
  return { s, read }
}

test('its hashes fit, also when a block was removed', async () => {
  const { s, read } = await recorded()
  const whole = read()
  expect(await checkReads(each(whole.lines), whole.study)).toBe(6)
  const now = present(parseInstant(s.now()))
  expect(removeReads(s.db, s.trial, { before: now - 2 * DAY, now, limit: 1 })).toBe(1)
  const rest = read()
  expect(rest.lines).toHaveLength(5)
  expect(await checkReads(each(rest.lines), rest.study)).toBe(4)
})

test.each<[what: string, change: (lines: string[]) => string[], problem: RegExp]>([
  [
    'a row that was changed',
    (all) => all.map((line) => line.replace('owner@', 'other@')),
    /does not end as study.json says/,
  ],
  ['a row that is missing', (all) => all.toSpliced(1, 1), /Read 2 .* is missing/],
  ['a last row that is missing', (all) => all.slice(0, -1), /does not end as study.json says/],
  ['a line that is no row', (all) => all.with(1, 'x'), /Line 2 .* cannot be read/],
])('%s is noticed', async (_, change, problem) => {
  const { read } = await recorded()
  const { lines, study } = read()
  await expect(checkReads(each(change(lines)), study)).rejects.toThrow(problem)
})
