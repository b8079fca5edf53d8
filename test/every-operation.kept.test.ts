/** What acts of one transaction share is what the database holds, whatever they do: in a loop over all operations. */
import { expect, test } from 'bun:test'
import { markOutdated, saveProgressRevision } from '#conduct/timeline/store'
import { isUnchanged, keptRows, markChanges } from '#db/commit'
import { sharedTrial, trialById } from '#design/trials/store'
import type { AnyOperation } from '#http/operation'
import type { Services } from '#http/services'
import { operations } from '#start/app'
import { ask, callersIn, nameOf } from './every-operation.shared'
import { type Everything, everything } from './everything'
import { proof } from './proof'

/** Compares the kept trial with the stored one after each act. Returns the acts that kept it, and those that kept a wrong one. */
function watchKept({ service: { services }, params, db }: Everything) {
  const trial = params.trialId!
  const [kept, wrong]: [Set<string>, string[]] = [new Set(), []]
  let running = ''
  const { commit } = services
  const watched = (run: () => unknown) =>
    commit((() => {
      sharedTrial(db, trial)
      const value = run()
      const now = trialById(db, trial)
      const row = keptRows(db)!.get(trial)
      if (!row || !isUnchanged(db)) return value
      kept.add(running)
      // Acts that share the row do not see these counts.
      const counts = { responseCount: now?.responseCount, unreadCount: now?.unreadCount }
      if (!Bun.deepEquals({ ...row, ...counts }, now)) wrong.push(running)
      return value
    }) as () => never)
  services.commit = watched as Services['commit']
  return { kept, wrong, now: (op: AnyOperation) => (running = nameOf(op)) }
}

const writes: readonly AnyOperation[] = operations.filter(({ method }) => method !== 'GET')
const isDeletion = ({ method }: AnyOperation) => method === 'DELETE'

proof('no operation leaves a trial to later acts of its transaction that is not the stored one', async () => {
  const every = await everything()
  const { as } = await callersIn(every)
  const seen = watchKept(every)
  const { trial, stage, ids, bert } = every.made.study
  const submission = 'PUT /trials/:trialId/participants/:participantId/responses/:stageId'
  every.bodies[submission] = { response: { [ids.pulse!]: { value: 61 } } }
  await every.owner.call('PUT', `/trials/${trial}/participants/${bert}/responses/${stage}`, every.bodies[submission])
  let done = 0
  for (const op of [...writes.filter((op) => !isDeletion(op)), ...writes.filter(isDeletion)]) {
    seen.now(op)
    every.clock(60_000_000) // rate limits count by minute
    const { status } = await ask(as(op), op, every)
    if (status === 200) done++
  }
  expect(seen.wrong).toEqual([])
  expect(done).toBeGreaterThan(50)
  // The submission of an answer is what the row is kept for.
  expect([...seen.kept]).toEqual(expect.arrayContaining(['', submission]))
  expect([...seen.kept]).not.toContain('PUT /trials/:trialId')
})

test('an act that changes only the revision of the progress leaves the new one to later acts', async () => {
  const { service, db, params } = await everything()
  const trial = params.trialId!
  const { commit } = service.services
  const seen: unknown[] = []
  const act = (change: () => void) =>
    commit((() => {
      seen.push(sharedTrial(db, trial)!.progressRevision)
      change()
      markChanges(db, false)
    }) as () => never)
  await Promise.all([act(() => markOutdated(db, trial)), act(() => saveProgressRevision(db, trial, 7)), act(() => {})])
  expect(seen.slice(1)).toEqual([-1, 7])
})
