/** Operations that only a server started with `--test` has (docs/developers.md, "A server to test against"). */
import { operation } from '#http/operation'
import { newSecret } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { instantText } from '#kernel/time'
import { shape } from '#wire/schema'
import { LATEST, momentAfter } from './clock'
import {
  Announcement,
  ClockInput,
  ClockNow,
  LimitsState,
  OutboxQuery,
  Snapshot,
  SnapshotInput,
  Snapshots,
  TestMessages,
} from './model'
import { newestMessages } from './store'
import { makeTestWorld, newTestPassword } from './world'

const moveClock = operation({
  id: 'moveClock',
  method: 'PUT',
  path: '/test/clock',
  summary: 'Move the clock ahead, stop it, or let it run on',
  description:
    'Sets the clock to `now`, or ahead by `advance`. All work that becomes due until then is done before the response. With `freeze: true` it stands still from then on, and moves only by this operation; else it runs on from there.',
  who: 'anyone',
  needs: 'nothing',
  body: ClockInput,
  returns: ClockNow,
  prepare: async ({ services, body: { now: moment, advance, freeze } }) => {
    if (moment !== undefined && advance !== undefined) throw refuse.invalid({ now: [reason('nowOrAdvance')] })
    if (moment === undefined && advance === undefined && freeze === undefined)
      throw refuse.invalid({ _schema: [reason('clockInputMissing')] })
    const now = services.clock.now()
    const to = moment ?? (advance === undefined ? now : momentAfter(now, advance))
    if (to === undefined) throw refuse.invalid({ advance: [reason('notDuration')] })
    if (to < now) throw refuse.bad('clockBackwards', { now: instantText(now) })
    if (to > LATEST) throw refuse.bad('clockEnds', { latest: instantText(LATEST) })
    await services.test!.advanceTo(to, freeze)
  },
  run: ({ services }) => ({ now: services.clock.now(), isFrozen: services.test!.isFrozen() }),
})

const setLimits = operation({
  id: 'setLimits',
  method: 'PUT',
  path: '/test/limits',
  summary: 'Switch rate limits off, or on again',
  description: 'They hold from the start, unless the server was started with `--no-limits`.',
  who: 'anyone',
  needs: 'nothing',
  body: LimitsState,
  returns: LimitsState,
  run: ({ services, body: { on } }) => {
    services.test!.setLimits(on)
    return { on }
  },
})

const readOutbox = operation({
  id: 'readOutbox',
  method: 'GET',
  path: '/test/outbox',
  summary: 'List all messages, sent or waiting',
  description: 'The newest 10,000, the oldest of them first.',
  who: 'anyone',
  needs: 'nothing',
  query: OutboxQuery,
  returns: TestMessages,
  run: ({ db, query: { team } }) => ({ messages: newestMessages(db, 10_000, team) }),
})

const createWorld = operation({
  id: 'createWorld',
  method: 'POST',
  path: '/test/worlds',
  summary: 'Create another team with an owner and a key',
  description:
    'Answered as the first line of the output is. Nothing of it is visible to other teams, but the clock is the same.',
  who: 'anyone',
  needs: 'nothing',
  body: shape({}),
  secret: true,
  returns: Announcement,
  prepare: newTestPassword,
  run: ({ services, db, now, prepared }) => {
    const email = `owner-${newSecret().slice(0, 8).toLowerCase()}@example.org`
    const world = makeTestWorld(db, { email, name: 'Test Owner', team: 'Another Team', ...prepared, now })
    return { ...world, url: services.test!.account.url }
  },
})

const listSnapshots = operation({
  id: 'listSnapshots',
  method: 'GET',
  path: '/test/snapshots',
  summary: 'List the snapshots',
  who: 'anyone',
  needs: 'nothing',
  returns: Snapshots,
  run: ({ services }) => ({ snapshots: services.test!.snapshots() }),
})

const takeSnapshot = operation({
  id: 'takeSnapshot',
  method: 'POST',
  path: '/test/snapshots',
  summary: 'Take a snapshot of everything: database, files and clock',
  description: 'It replaces an earlier one of the same name.',
  who: 'anyone',
  needs: 'nothing',
  body: SnapshotInput,
  returns: Snapshot,
  prepare: async ({ services, body: { name } }) => services.test!.takeSnapshot(name),
  run: ({ prepared }) => prepared,
})

const restoreSnapshot = operation({
  id: 'restoreSnapshot',
  method: 'POST',
  path: '/test/snapshots/:name/restore',
  summary: 'Return to a snapshot',
  description:
    'Everything is as it was then: data, files, keys, sessions, the clock, kept responses to writes with an Idempotency-Key; the counts of rate limits begin anew. Requests that run are finished before, and those that arrive meanwhile wait.',
  who: 'anyone',
  needs: 'nothing',
  body: shape({}),
  returns: Snapshot,
  run: ({ services, params, after }) => {
    const snapshot = found(
      services.test!.snapshots().find(({ name }) => name === params.name),
      'snapshot',
    )
    after(() => services.test!.restoreSnapshot(params.name))
    return snapshot
  },
})

const reset = operation({
  id: 'resetServer',
  method: 'POST',
  path: '/test/reset',
  summary: 'Reset to an empty service',
  description:
    'Afterwards there is only the owner, with the same key, ids and password, and the clock shows the real time.',
  who: 'anyone',
  needs: 'nothing',
  body: shape({}),
  returns: Announcement,
  run: ({ services, after }) => {
    after(() => services.test!.reset())
    return services.test!.account
  },
})

export const testingOperations = [
  moveClock,
  setLimits,
  readOutbox,
  createWorld,
  listSnapshots,
  takeSnapshot,
  restoreSnapshot,
  reset,
] as const
