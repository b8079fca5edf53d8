/** A repeated write of somebody who may not do it any more, in a loop over all operations of trials. */
import { expect, test } from 'bun:test'
import { keyed, ready } from './every-operation.ready'
import { nameOf, whoMay } from './every-operation.shared'
import { closeWorlds } from './harness'
import { ofToday, part } from './proof'

test(`after a person has lost the trial, a repeated write is refused as any other request of theirs (${part})`, async () => {
  const wrong: string[] = []
  const inTrial = keyed.filter(
    (op) => whoMay(op).includes('staff') && op.path.includes(':') && !/^\/(teams|users)\//.test(op.path),
  )
  expect(inTrial.length).toBeGreaterThan(50)
  for (const op of ofToday(inTrial)) {
    const { every, send } = await ready(op)
    const colleague = every.staff(every.trial, ['trial.admin'])
    const first = await send(colleague)
    every.db.$client.run(`DELETE FROM permissions WHERE user = '${colleague._id}'`)
    const { status } = await send(colleague)
    // Of a deleted trial there is nothing left to see: its deletion is answered `{}` again.
    const expected = nameOf(op) === 'DELETE /trials/:trialId' ? 200 : 404
    if (first.status === 200 && status !== expected) wrong.push(`${nameOf(op)}: ${status}`)
    closeWorlds()
  }
  expect(wrong).toEqual([])
}, 180_000)
