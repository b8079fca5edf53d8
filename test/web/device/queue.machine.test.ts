/**
 * The queue of the app as a state machine: whatever the person, the line, the server and other tabs do, in any order and in the
 * middle of anything, no answer is lost, none is stored twice, and nobody gets another's.
 */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isProof } from '../../proof'
import { type Driver, driver, type Step, turns } from './driver'
import type { Outcome } from './fakeServer'
import { readDevice } from './readDevice'

const tab = fc.nat(2)
const people = ['anna', 'bert'] as const
const who = fc.constantFrom(...people)
const form = fc.constantFrom('S', 'S::2')
const status = fc.constantFrom(400, 403, 404, 409, 413, 415, 422)

const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ kind: 'served' } as const) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cut' as const), hasArrived: fc.boolean() }) },
  fc.record({ kind: fc.constant('portal' as const), status: fc.constantFrom(200, 302, 403, 511) }),
  fc.record({ kind: fc.constant('busy' as const), status: fc.constantFrom(429, 500, 503) }),
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('refused' as const), status, hasFields: fc.boolean() }) },
  fc.constant({ kind: 'ended' } as const),
)

const inForm = (name: 'keep' | 'send' | 'afresh' | 'leave') =>
  fc.record({ do: fc.constant(name), tab, form, hasFile: fc.boolean() })
const inTab = (name: 'kill' | 'hide' | 'sendNow' | 'signOut' | 'reopen' | 'discard') =>
  fc.record({ do: fc.constant(name), tab })

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('line' as const), outcome, request: fc.nat(3) }) },
  { weight: 6, arbitrary: inForm('keep') },
  { weight: 6, arbitrary: inForm('send') },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('signIn' as const), tab, who }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      milliseconds: fc.constantFrom(100, 250, 3_000, 10_000, 130_000, 90_000_000),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'open' } as const) },
  { weight: 2, arbitrary: inTab('kill') },
  inForm('afresh'),
  inForm('leave'),
  ...(['hide', 'sendNow', 'signOut', 'reopen', 'discard'] as const).map(inTab),
  fc.record({ do: fc.constant('end' as const), who }),
  fc.record({ do: fc.constant('accept' as const), index: fc.nat(3) }),
)

/** A step, and how far the device goes before the next one: some turns, or to its end. */
type TimedStep = { step: Step; turns: number | null }
const moment: fc.Arbitrary<TimedStep> = fc.record({ step, turns: fc.option(fc.nat(25), { freq: 2 }) })

const ownerOf = (field: string): string => field.replace(/ #.*/, '')

/** What must hold whenever the device rests. */
async function check({ device, server, tabs, promised, mended, numbers }: Driver): Promise<void> {
  const { own, drafts, queue, blobs } = await readDevice(device)
  const inDrafts = drafts.flatMap(({ answers }) => Object.keys(answers))
  const inQueue = queue.flatMap(({ answers }) => Object.keys(answers))
  const fields = server.stored.flatMap(({ id, isFromStaff, response }) =>
    isFromStaff && mended.has(id) ? [] : Object.keys(response),
  )
  const anywhere = new Set([
    ...inDrafts,
    ...inQueue,
    ...fields,
    ...server.held.flatMap(({ response }) => Object.keys(response)),
  ])
  expect([...promised.keys()].filter((field) => !anywhere.has(field))).toEqual([])
  expect(inDrafts.filter((field) => inQueue.includes(field))).toEqual([])
  expect(fields.filter((field, at) => fields.indexOf(field) !== at)).toEqual([])
  expect(server.faults).toEqual([])
  for (const { id, number } of queue) numbers.set(id, number)
  for (const name of people) {
    const order = server.stored.flatMap(({ id, by, isFromStaff }) =>
      by === name && !isFromStaff ? (numbers.get(id) ?? []) : [],
    )
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  }
  for (const { who, answers } of [...drafts, ...queue])
    expect(Object.keys(answers).filter((field) => ownerOf(field) !== who)).toEqual([])
  for (const { by, response } of [...server.stored, ...server.held])
    expect(Object.keys(response).filter((field) => ownerOf(field) !== `T/${by}`)).toEqual([])
  for (const each of tabs) {
    const { personNow, entries, drafts: listed } = each.tab.device
    expect(entries.value.filter(({ who }) => who !== personNow.value?.who)).toEqual([])
    const names = drafts.filter(({ who }) => who === personNow.value?.who).map(({ occurrence }) => occurrence)
    expect(listed.value.map(({ occurrence }) => occurrence)).toEqual(names)
    expect(personNow.value).toEqual(own)
  }
  for (const { entry } of blobs) if (entry !== undefined) expect(queue.map(({ id }) => id)).toContain(entry)
}

/** In the end everybody signs in, and the line and the server are good: everything arrives, in order. */
async function recover(world: Driver): Promise<void> {
  const { device, server, tabs, serve, wait, act, signIn } = world
  for (const each of [...tabs]) await act({ do: 'kill', tab: tabs.indexOf(each) })
  await serve()
  await world.open()
  for (const name of people) {
    const [place] = tabs
    if (!place) throw new Error('There is no tab.')
    await signIn(place, name)
    for (let round = 0; round < 3; round++) {
      place.tab.device.sendNow()
      await serve()
      await wait(90_000_000)
      await serve()
    }
    const { queue } = await readDevice(device)
    expect(queue.filter(({ who, state }) => who === `T/${name}` && state !== 'held')).toEqual([])
  }
  await check(world)
  for (const { response } of server.stored)
    for (const [field, { value }] of Object.entries(response))
      if (typeof value === 'object' && value && 'fileName' in value)
        expect(await server.files.get(String(value.fileName))?.text()).toBe(field)
}

/** One story, from a device on which Anna is signed in. */
async function live(moments: readonly TimedStep[]): Promise<void> {
  const world = await driver()
  await world.act({ do: 'signIn', tab: 0, who: 'anna' })
  for (const each of moments) {
    await world.act(each.step)
    if (each.turns !== null) {
      await turns(each.turns)
      continue
    }
    await world.settle()
    await check(world)
  }
  await world.settle()
  await check(world)
  await recover(world)
}

const stories = fc.asyncProperty(fc.array(moment, { minLength: 1, maxLength: 60, size: 'max' }), live)

/**
 * The same stories each time, so that what fails is what was changed. The proof tells many new ones, and prints the seed of one that
 * fails.
 */
const RUNS = process.env.TRIALBOX_QUEUE_RUNS ?? (isProof ? '1000' : undefined)
const SERIES =
  RUNS === undefined ? { numRuns: 60, seed: Number(process.env.TESTS_SEED ?? 1) } : { numRuns: Number(RUNS) }

test('whatever happens, nothing that was answered is lost, stored twice, or seen by somebody else', async () => {
  await fc.assert(stories, SERIES)
}, 1_800_000)

/** Series that once failed, with as many stories as it took. */
test.each([
  [-599610087, 29],
  [333213841, 69],
])(
  'nor in the series %d',
  async (seed, numRuns) => {
    await fc.assert(stories, { seed, numRuns })
  },
  600_000,
)

/** The tab that signs out is closed after so many turns: the sign-out has happened in all tabs or in none. */
test.each([0, 1, 2, 3, 5, 8, 13])('nor if the tab that signs out is closed after %d turns', async (count) => {
  await live([
    { step: { do: 'open' }, turns: null },
    { step: { do: 'signOut', tab: 0 }, turns: count },
    { step: { do: 'kill', tab: 0 }, turns: null },
  ])
})

/** The same of a tab that signs somebody else in. */
test.each([0, 1, 2, 3, 5, 8])(
  'nor if the tab in which somebody else signs in is closed after %d turns',
  async (count) => {
    const { act, tabs, device, server, settle, open, ...rest } = await driver()
    await act({ do: 'signIn', tab: 0, who: 'anna' })
    await open()
    const [place] = tabs
    if (!place) throw new Error('There is no tab.')
    void place.tab.device.signIn({ participantId: 'bert' }).catch(() => undefined)
    for (let asked = 0; asked < 2; asked++) {
      await settle()
      const [request] = device.line.splice(0, 1)
      if (!request) throw new Error('The tab has asked nothing.')
      server.answer(request, { kind: 'served' })
    }
    await turns(count)
    await act({ do: 'kill', tab: 0 })
    await settle()
    await check({ act, tabs, device, server, settle, open, ...rest })
  },
)
