/** From the moment at which a deletion of participants was accepted, no operation tells of them, though its steps are still to come. */
import { expect, test } from 'bun:test'
import { staleIn } from '#cli/checks'
import { rowById, rowsWhere } from '#db/rows'
import { deletions, participants, trials } from '#db/tables/index'
import { newId } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import { operations } from '#start/app'
import { callersIn, nameOf, pathOf, whoMay } from './every-operation.shared'
import { everything } from './everything'
import { ofToday, runs } from './proof'

/** The log and the trail of reads stay as they are. */
const OF_THE_PAST: readonly string[] = ['listReads', 'readLogs']

test('no GET names a participant whose deletion is under way', async () => {
  const every = await everything()
  const { db, trial, owner, now } = every
  const { as } = await callersIn(every)
  const stale = staleIn(db.$client)
  const people = rowsWhere(db, participants, { trial })
  const at = parseInstant(now())!
  const { team } = rowById(db, trials, trial)!
  for (const { _id, id } of people)
    db.insert(deletions)
      .values({
        ...{
          _id: newId(at),
          createdAt: at,
          team,
          trial,
          kind: 'participant',
          subject: _id,
          participant: _id,
          name: id,
        },
        ...{ deletedBy: owner._id, deletedByEmail: 'owner@example.org', request: 'request', restorableUntil: at },
        status: 'deleting',
      })
      .run()
  expect(staleIn(db.$client)).toEqual(stale) // what follows from the data is as before
  const names = people.flatMap(({ _id, id }) => [new RegExp(_id), new RegExp(`(?<![\\w-])${id}(?![\\w-])`)])
  const revealing: string[] = []
  let read = 0
  for (const op of ofToday(operations.filter(({ method }) => method === 'GET'))) {
    const { status, body } = await as(op).call('GET', pathOf(op, every))
    if (status !== 200) continue
    read++
    const isRevealed = names.some((name) => name.test(JSON.stringify(body)))
    const isParticipants = whoMay(op).includes('participant')
    if ((isRevealed || isParticipants) && !OF_THE_PAST.includes(op.id)) revealing.push(nameOf(op))
  }
  expect(revealing).toEqual([])
  expect(read).toBeGreaterThan(runs(60) - 5)
}, 60_000)
