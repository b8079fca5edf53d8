/** Operations that only a server started with `--test` has (docs/developers.md, "A server to test against"). */
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { instantText } from '#kernel/time'
import { shape } from '#wire/words'
import { LATEST, momentAfter } from './clock'
import { Announcement, ClockInput, ClockNow, TestMessages } from './model'
import { newestMessages } from './store'

const moveClock = operation({
  method: 'PUT',
  path: '/test/clock',
  summary: 'Move the clock ahead',
  description:
    'Sets the clock to `now`, or ahead by `advance`; it runs on from there. All work that becomes due until then is done before the response.',
  who: 'anyone',
  needs: 'nothing',
  body: ClockInput,
  returns: ClockNow,
  prepare: async ({ services, body }) => {
    if ((body.now === undefined) === (body.advance === undefined))
      throw refuse.invalid({ now: ['Give either now or advance.'] })
    const now = services.clock.now()
    const to = body.now ?? momentAfter(now, body.advance!)
    if (to === undefined) throw refuse.invalid({ advance: ['Must be a duration such as P3D or PT1H.'] })
    if (to < now) throw refuse.bad(`The clock never runs backwards: it is ${instantText(now)}.`)
    if (to > LATEST) throw refuse.bad(`The clock ends at ${instantText(LATEST)}.`)
    await services.test!.advanceTo(to)
  },
  run: ({ services }) => ({ now: services.clock.now() }),
})

const readOutbox = operation({
  method: 'GET',
  path: '/test/outbox',
  summary: 'List all messages, sent or waiting',
  description: 'The newest 10,000, the oldest of them first.',
  who: 'anyone',
  needs: 'nothing',
  returns: TestMessages,
  run: ({ db }) => ({ messages: newestMessages(db, 10_000) }),
})

const reset = operation({
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

export const testingOperations = [moveClock, readOutbox, reset] as const
