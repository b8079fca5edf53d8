/**
 * After thousands of random operations, allowed or not, all stored data is consistent.
 * TRIALBOX_RANDOM_SEED repeats a series, TRIALBOX_RANDOM_LENGTH makes it longer.
 */
import { expect, test } from 'bun:test'
import { checks } from '#cli/checks'
import { verifyProgress } from '#conduct/timeline/verify'
import type { Sqlite } from '#db/open'
import { HOUR, MINUTE, parseInstant } from '#kernel/time'
import { randomOperations, WHY } from './random.operations'
import { randomStudy } from './random.study'

const SEED = Number(process.env.TRIALBOX_RANDOM_SEED ?? Math.floor(Math.random() * 2 ** 31))
const LENGTH = Number(process.env.TRIALBOX_RANDOM_LENGTH ?? 2_000)

/** Refuses a board whose positions have gaps, or whose complete lanes hold tasks that are not complete. */
const board = {
  name: 'tasks',
  run: (sqlite: Sqlite) => {
    const wrong = sqlite
      .query(
        `SELECT _id FROM (SELECT _id, "index", row_number() OVER (PARTITION BY taskLane ORDER BY "index") AS n FROM tasks)
           WHERE "index" <> n - 1
         UNION SELECT _id FROM (SELECT _id, "index", row_number() OVER (PARTITION BY trial ORDER BY "index") AS n FROM taskLanes)
           WHERE "index" <> n - 1
         UNION SELECT t._id FROM tasks t JOIN taskLanes l ON l._id = t.taskLane
           WHERE (l.isCompleteLane AND t.status <> 'completed') OR (t.status = 'completed') <> (t.completedAt IS NOT NULL)`,
      )
      .all()
    if (wrong.length) throw new Error(JSON.stringify(wrong))
  },
}

test(`stored data is consistent after a random series of operations (seed ${SEED})`, async () => {
  const random = await randomStudy(SEED)
  const { world: w, study, sqlite, base, below, chance, one } = random
  const { owner, service } = study
  const operations = randomOperations(random)
  const weighted = operations.flatMap(([frequency, act], index) =>
    Array.from({ length: frequency }, () => ({ act, index })),
  )

  /** What is inconsistent now, by the check that found it; empty if nothing is. */
  const inconsistencies = () =>
    [
      ...checks,
      board,
      { name: 'timelines by the clock', run: () => verifyProgress(sqlite, parseInstant(w.now())!) },
    ].flatMap(({ name, run }) => {
      try {
        run(sqlite)
        return []
      } catch (error) {
        return [`${name}: ${(error as Error).message}`]
      }
    })

  const succeeded = new Map<number, number>()
  for (let step = 1; step <= LENGTH; step++) {
    w.clock(chance(0.02) ? below(30) * HOUR : below(3) * MINUTE + 1)
    if (chance(0.02)) await service.services.tick()
    // Undoes locks and archiving, so that later operations are not all refused.
    if (step % 50 === 0) {
      for (const lock of [
        { isLocked: false, lockJustification: WHY },
        { isDatabaseLocked: false, databaseLockJustification: WHY },
      ])
        await random.changeTrial(lock)
      await owner.call('PUT', base, { isArchived: false })
    }
    const { act, index } = one(weighted)
    const { status, body } = await act()
    if (status === 200) succeeded.set(index, (succeeded.get(index) ?? 0) + 1)
    else if (![400, 403, 404, 422].includes(status)) throw new Error(`Step ${step}: ${status} ${JSON.stringify(body)}`)
    if (step % 500 === 0) expect([step, ...inconsistencies()]).toEqual([step])
  }
  await service.services.tick()
  expect(inconsistencies()).toEqual([])
  expect(verifyProgress(sqlite, parseInstant(w.now())!)).not.toContain('wait')
  // A series in which most operations are refused would prove nothing.
  if (LENGTH >= 2_000) expect(succeeded.size).toBeGreaterThan(0.8 * operations.length)
}, 180_000)
