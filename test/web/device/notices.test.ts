/** What forms told the person: kept on the device, each message once, for the person only. */
import { expect, test } from 'bun:test'
import { driver } from './driver'
import { openTab } from './tab'

const strong = { id: 'strong/0', severity: 'urgent', message: 'Call the ward.' } as const
const other = { id: 'other/0', severity: 'normal', message: 'Rest a little.' } as const

async function person() {
  const world = await driver()
  const [place] = world.tabs
  if (!place) throw new Error('There is no tab.')
  await world.signIn(place, 'anna')
  const { tab } = place
  const shownMessages = () =>
    tab.device.notices.value.map(({ id, readAt }) => `${id}${readAt === undefined ? '' : ' read'}`)
  /** Sends a form, of which the device has computed these messages. Returns the request with the entry. */
  const send = async (messages: readonly (typeof strong | typeof other)[]) => {
    void tab.device.openDraft('S').then((draft) => {
      draft.keep({
        answers: { f: { value: 1, createdAt: '2026-03-02T12:00:00Z' } },
        screen: 0,
        version: 'v',
        opened: 'o',
      })
      return draft.send('Diary', { text: null, messages })
    })
    await world.settle()
  }
  const answer = async (body: object | 'cut') => {
    await world.settle()
    const at = world.device.line.findIndex(({ path }) => /\/responses\?/.test(path))
    const [request] = at < 0 ? [] : world.device.line.splice(at, 1)
    if (body === 'cut') request?.fail()
    else request?.answer(Response.json(body))
    await world.settle()
  }
  return { ...world, tab, told: shownMessages, send, answer }
}

const receipt = (ruleMessages: readonly object[]) => ({
  postSubmissionText: null,
  onScreenMessages: ruleMessages.map((each) => Reflect.get(each, 'message')),
  ruleMessages,
})

test('a message is there before the server has answered, and comes once', async () => {
  const { send, told: shownMessages, answer } = await person()
  await send([strong])
  expect(shownMessages()).toEqual(['strong/0'])
  await answer(receipt([strong, other]))
  expect(shownMessages()).toEqual(['strong/0', 'other/0'])
})

test('a message that was computed in another language is not repeated by the server', async () => {
  const { send, told: shownMessages, answer } = await person()
  await send([strong])
  await answer(receipt([{ ...strong, message: 'Rufen Sie die Station an.' }]))
  expect(shownMessages()).toEqual(['strong/0'])
})

test('the answer to an entry from before the messages had ids is shown too, and each text once', async () => {
  const { send, told: shownMessages, answer, tab } = await person()
  await send([strong])
  await answer({ postSubmissionText: null, onScreenMessages: [strong.message, other.message] })
  expect(shownMessages()).toEqual(['strong/0', '1'])
  expect(tab.device.notices.value.map(({ message }) => message)).toEqual([strong.message, other.message])
})

test('what arrives late is there when the app is opened again, until it was read', async () => {
  const { send, told: shownMessages, answer, wait, tab, device, settle } = await person()
  await send([])
  await answer('cut')
  await wait(10_000)
  await answer(receipt([other]))
  expect(shownMessages()).toEqual(['other/0'])
  tab.kill()
  const next = await openTab(device)
  void next.device.begin()
  await settle()
  expect(next.device.notices.value.map(({ id }) => id)).toEqual(['other/0'])
  void next.device.markNoticesRead(next.device.notices.value)
  await settle()
  const third = await openTab(device)
  void third.device.begin()
  await settle()
  expect(third.device.notices.value.map(({ readAt }) => readAt !== undefined)).toEqual([true])
})

test('a kill between the answer and the end of the entry repeats nothing and loses nothing', async () => {
  for (const turns of [0, 1, 2, 3, 5, 8]) {
    const { send, answer, tab, device, settle, tabs, wait } = await person()
    await send([strong])
    const at = device.line.findIndex(({ path }) => /\/responses\?/.test(path))
    device.line.splice(at, 1)[0]?.answer(Response.json(receipt([strong, other])))
    for (let each = 0; each < turns; each++) await new Promise<void>((resolve) => setImmediate(resolve))
    tab.kill()
    tabs.length = 0
    const next = await openTab(device)
    void next.device.begin()
    await settle()
    next.device.sendNow()
    await wait(10_000)
    await answer(receipt([strong, other]))
    expect([turns, next.device.notices.value.map(({ id }) => id)]).toEqual([turns, ['strong/0', 'other/0']])
  }
})

test('somebody else does not see it, and signing out removes it', async () => {
  const { send, told: shownMessages, tab, settle, signIn, tabs } = await person()
  await send([strong])
  const [place] = tabs
  if (!place) throw new Error('There is no tab.')
  await signIn(place, 'bert')
  expect(shownMessages()).toEqual([])
  await signIn(place, 'anna')
  await settle()
  expect(shownMessages()).toEqual(['strong/0'])
  void tab.device.signOut()
  await settle()
  await signIn(place, 'anna')
  await settle()
  expect(shownMessages()).toEqual([])
})
