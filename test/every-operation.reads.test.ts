/** Every read of data about a participant leaves a row in the trail of reads, whatever the operation. */
import { expect, test } from 'bun:test'
import { rowsWhere } from '#db/rows'
import { participants, reads } from '#db/tables/index'
import { operations } from '#start/app'
import { callersIn, nameOf, pathOf, whoMay } from './every-operation.shared'
import { type Everything, everything } from './everything'

/** Operations that name a participant and tell nothing of them. */
const WITHOUT_READS: readonly string[] = []

/** What names a participant in an answer. */
function namesIn({ db, trial }: Everything): readonly RegExp[] {
  return rowsWhere(db, participants, { trial }).flatMap(({ _id, id }) => [
    new RegExp(_id),
    new RegExp(`(?<![\\w-])${id}(?![\\w-])`),
  ])
}

const recorded = ({ db, trial }: Everything, operation: string) => rowsWhere(db, reads, { trial, operation })

test('every GET whose answer to staff names a participant leaves a row', async () => {
  const every = await everything()
  const { as } = await callersIn(every)
  const names = namesIn(every)
  const missing: string[] = []
  let readCount = 0
  for (const op of operations) {
    if (op.method !== 'GET' || !whoMay(op).some((who) => who === 'staff' || who === 'session')) continue
    const { status, body } = await (whoMay(op).includes('session') ? as(op) : every.owner).call(
      'GET',
      pathOf(op, every),
    )
    if (status !== 200) continue
    await every.service.services.reads.flush()
    const isAboutParticipants = names.some((name) => name.test(JSON.stringify(body)))
    if (isAboutParticipants) readCount++
    if (isAboutParticipants && !recorded(every, op.id).length && !WITHOUT_READS.includes(op.id))
      missing.push(nameOf(op))
  }
  expect(missing).toEqual([])
  expect(readCount).toBeGreaterThan(30)
})
