/** What happens by itself when its time comes. */
import type { Services } from '#http/services'
import type { Instant } from '#kernel/time'

/** Work that falls due. */
export type Due = {
  name: string
  /** How often it is looked for, in seconds. */
  every: number
  /** Does a bounded part of what is due, in commits of its own; answers whether more may be left. */
  run(services: Services, now: Instant): Promise<boolean>
}

export type Schedule = {
  /** Looks for what is due every second from now on. */
  start(): void
  /** Does all that is due now, whenever it would have been looked for. Resolves when nothing is left. */
  tick(): Promise<void>
  /** Begins nothing more. */
  close(): void
}

/** Parts of one piece of work in a row, so that the others get their turn, and people theirs. */
const PARTS_A_LOOK = 20
/** For a tick, which is waited for: only a bound, should work never say that it is done. */
const PARTS_A_TICK = 100_000

/** Looks for due work every second; a look that takes longer delays the next. Work that fails is tried again later. */
export function schedule(services: Services, list: readonly Due[]): Schedule {
  let second = 0
  let isClosed = false
  let running: Promise<void> = Promise.resolve()
  let isLooking = false
  let timer: Timer | undefined

  async function perform(due: Due, parts: number): Promise<void> {
    try {
      for (let part = 0; part < parts && !isClosed; part++) if (!(await due.run(services, services.clock.now()))) return
    } catch (reason) {
      services.fault(reason, `schedule: ${due.name}`)
    }
  }

  /** One after the other, so that two never do the same work at once. */
  function inTurn(dues: readonly Due[], parts: number): Promise<void> {
    running = running.then(async () => {
      for (const due of dues) await perform(due, parts)
    })
    return running
  }

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    const dues = list.filter(({ every }) => second % every === 0)
    second++
    await inTurn(dues, PARTS_A_LOOK)
    isLooking = false
  }

  return {
    start() {
      timer = setInterval(look, 1000)
      timer.unref()
    },
    tick: () => inTurn(list, PARTS_A_TICK),
    close() {
      isClosed = true
      clearInterval(timer)
    },
  }
}
