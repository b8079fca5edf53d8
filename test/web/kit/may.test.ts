/** `may` of the pages says what the pipeline does: for each operation, with random permissions, features, locks and bodies. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Staff } from '#access/caller'
import { features, keysOf, teamKeysOf } from '#access/keys'
import { callersOf } from '#access/rule'
import type { Db } from '#db/open'
import { requirePermissions, requireUnlocked } from '#http/admission'
import type { AnyOperation, RequestContext, ScopeResult } from '#http/operation'
import type { Id } from '#kernel/id'
import { Problem } from '#kernel/problem'
import { operations } from '#start/app'
import { may, needsConfirmation, type Place, type RuledOperation } from '#web/kit/may'
import { world } from '../../harness'
import { runs } from '../../proof'

const [SITE, GROUP] = ['b'.repeat(24) as Id, 'c'.repeat(24) as Id]
/** All words that operations need, so that random permissions are often those that matter. */
const words = [
  ...new Set(
    operations.flatMap(({ needs, needsByField }: AnyOperation) => [
      ...[needs].flat().map((need) => (typeof need === 'string' ? need : need.anywhere)),
      ...Object.values(needsByField ?? {}),
    ]),
  ),
].filter((word) => word !== 'nothing')

const wordsHeld = fc.subarray(words, { maxLength: 3 })
const situation = fc.record({
  onTrial: wordsHeld,
  onSite: wordsHeld,
  onGroup: wordsHeld,
  team: wordsHeld,
  places: fc.record({ sites: fc.subarray([SITE]), groups: fc.subarray([GROUP]) }),
  off: fc.subarray([...features], { maxLength: 2 }),
  locks: fc.record({ isLocked: fc.boolean(), isDatabaseLocked: fc.boolean() }),
  hasTrial: fc.boolean(),
})

/** Whether the pipeline admits the act; the person has confirmed who they are. */
function isAdmitted(db: Db, team: Id, op: AnyOperation, place: Place, hasTrial: boolean, fields: readonly string[]) {
  const caller = {
    kind: 'staff',
    via: { session: SITE, csrfToken: '', confirmedAt: 0 },
    teams: new Map([[team, { permissions: place.team }]]),
  } as unknown as Staff
  const scoped = {
    ...(hasTrial ? { trial: { team, ...place.locks } } : { team: { _id: team } }),
    access: place.access,
    places: place.places,
  } as unknown as ScopeResult
  try {
    const body = Object.fromEntries(fields.map((field) => [field, 1]))
    requirePermissions(op, { caller, db, now: 0 } as unknown as RequestContext, scoped, body)
    requireUnlocked(op, scoped)
    return true
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return false
  }
}

/** Operations that a session of staff may call; the pages ask for no others. */
const ofStaff: readonly AnyOperation[] = operations.filter((op) => callersOf(op).some((kind) => kind !== 'participant'))

test('a page shows an act exactly if the server would admit it', () => {
  const { db, trial } = world()
  trial()
  const [{ _id: team }] = db.$client.query('SELECT _id FROM teams').all() as [{ _id: Id }]
  const counts = { may: 0, mayNot: 0 }
  fc.assert(
    fc.property(situation, fc.double({ min: 0, max: 1, noNaN: true }), (at, chance) => {
      // A part of the operations each time, so that a run takes little and all have their turn.
      const turn = Math.floor(chance * 8)
      const place: Place = {
        access: {
          trial: keysOf(at.onTrial),
          places: new Map([
            [SITE, { kind: 'site', keys: keysOf(at.onSite) }],
            [GROUP, { kind: 'group', keys: keysOf(at.onGroup) }],
          ]),
        },
        places: at.places,
        team: teamKeysOf(at.team),
        features: Object.fromEntries(features.map((each) => [each, !at.off.includes(each)])) as Place['features'],
        locks: at.hasTrial ? at.locks : undefined,
      }
      const off = JSON.stringify(Object.fromEntries(at.off.map((each) => [each, false])))
      db.$client.run('UPDATE teams SET features = ? WHERE _id = ?', [off, team])
      for (const op of ofStaff.filter((_, n) => n % 8 === turn % 8)) {
        const fields = Object.keys(op.needsByField ?? {}).filter((_, n) => (n * 0.37 + chance) % 1 > 0.6)
        const answer = may(op.id as RuledOperation, place, fields)
        if (answer !== isAdmitted(db, team, op, place, at.hasTrial, fields)) throw new Error(`${op.id} ${answer}`)
        counts[answer ? 'may' : 'mayNot']++
      }
    }),
    { numRuns: runs(24) },
  )
  expect(Math.min(counts.may, counts.mayNot)).toBeGreaterThan(runs(100))
})

test('the pages know which acts need a confirmed identity, and that participants have acts of their own', () => {
  const fresh = operations.filter((op: AnyOperation) => op.fresh).map(({ id }) => id)
  expect(fresh.length).toBeGreaterThan(5)
  expect(operations.flatMap(({ id }) => (needsConfirmation(id as RuledOperation) ? [id] : []))).toEqual(fresh)
  expect(may('sendOwnMessage', { access: { trial: keysOf(['trial.admin']), places: new Map() } })).toBe(false)
})
