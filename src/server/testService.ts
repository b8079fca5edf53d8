/** The service of `serve --test` (docs/developers.md, "A server to test against"). */
import { join } from 'node:path'
import type { TestAccount, TestControls } from '#http/services'
import type { Clock, Instant } from '#kernel/time'
import { onParentEnd } from '#server/process/parent'
import { type ClockState, type TestClock, testClock } from '#server/testing/clock'
import { removeTestDirectories } from '#server/testing/removal'
import { restoreDirectory, saveDirectory } from '#server/testing/snapshots'
import { nextMessageDue } from '#server/testing/store'
import { makeTestOwner } from '#server/testing/world'
import type { Program } from './program'
import { openReplaceable } from './replaceableService'
import { openService, type Service } from './service'
import type { ServiceOptions } from './serviceOptions'

/** The maximum number of intermediate stops when the clock is moved once. */
const STOPS = 2_000

type Options = Omit<ServiceOptions, 'clock' | 'test' | 'hasLimits'> & {
  /** The clock of the machine. */
  machine: Clock
  /** Whether rate limits hold from the start. */
  hasLimits: boolean
}

export type TestService = Service & {
  /** The account to announce. @param url where the service listens */
  announce(url: string): TestAccount
}

/** What a snapshot holds besides the folder with its files. */
type SavedState = { folder: string; clock: ClockState; now: Instant; hasLimits: boolean }

/** Opens the service on a new data directory, with a team, its owner and a key. */
export async function openTestService(
  program: Program,
  { machine, hasLimits: hasLimitsAtFirst, ...options }: Options,
): Promise<TestService> {
  const clock = testClock(machine)
  let hasLimits = hasLimitsAtFirst
  let testing: TestControls | undefined
  const service = openReplaceable(() => {
    const opened = openService(program, { ...options, clock, test: true, hasLimits: () => hasLimits })
    opened.services.test = testing
    return opened
  })
  const account = await makeTestOwner(service.services)
  const saved = new Map<string, SavedState>()
  let count = 0

  function save(name: string): SavedState {
    const folder = saved.get(name)?.folder ?? join(options.directory, 'snapshots', `${count++}`)
    saveDirectory(service.services.db, options.directory, folder)
    const snapshot = { folder, clock: clock.state(), now: clock.now(), hasLimits }
    saved.set(name, snapshot)
    return snapshot
  }
  function restore({ folder, ...state }: SavedState): void {
    void service.replace(() => {
      restoreDirectory(folder, options.directory)
      clock.restore(state.clock)
      hasLimits = state.hasLimits
    })
  }

  // No name that a caller can give is empty.
  const start = { ...save(''), clock: undefined }
  testing = {
    advanceTo: (to, freeze) => advanceTo(service, clock, to, freeze),
    isFrozen: clock.isFrozen,
    setLimits: (on) => {
      hasLimits = on
    },
    takeSnapshot: (name) => ({ name, now: save(name).now }),
    snapshots: () => [...saved].flatMap(([name, { now }]) => (name ? [{ name, now }] : [])),
    restoreSnapshot: (name) => restore(saved.get(name)!),
    reset: () => restore(start),
    account: { url: '', ...account },
  }
  service.services.test = testing
  return Object.assign(service, {
    announce(url: string): TestAccount {
      service.services.publicUrl = url
      testing.account.url = url
      return testing.account
    },
  })
}

/** Announces the server to the program that started it, in a line of JSON. It ends with that program, unless it is detached. */
export function announceTest(test: TestService, url: string, isDetached: boolean, stop: () => void): void {
  const line = `${JSON.stringify(test.announce(url))}\n`
  // If the program that should read the line has ended, no program knows of this server.
  process.stdout.write(line, (error) => error && !isDetached && stop())
  if (!isDetached) onParentEnd(stop)
  void removeTestDirectories()
}

/** Moves the clock and performs what is due until then. It stops at the time of each message, because a late one is not sent. */
export async function advanceTo(
  { services }: Pick<Service, 'services'>,
  clock: TestClock,
  now: Instant,
  freeze?: boolean,
): Promise<void> {
  const advance = (to: Instant) => {
    if (to > clock.now()) clock.set(to)
    return services.tick()
  }
  await services.tick()
  for (let stop = 0; stop < STOPS; stop++) {
    const next = nextMessageDue(services.db)
    if (next === null || next > now) break
    await advance(next)
  }
  if (freeze !== undefined) clock.freeze(freeze)
  await advance(now)
}
