/** When the app writes, asks and sends, by the clock of a device that the test moves. */
import { describe, expect, test } from 'bun:test'
import { driver, type Step } from './driver'
import { readDevice } from './readDevice'

const keep: Step = { do: 'keep', tab: 0, form: 'S', hasFile: false }
const send: Step = { ...keep, do: 'send' }
const isEntry = ({ path }: { path: string }) => /\/responses\?/.test(path)

/** Somebody who is signed in, in a tab. */
async function person() {
  const world = await driver()
  const [place] = world.tabs
  if (!place) throw new Error('There is no tab.')
  await world.signIn(place, 'anna')
  const { device } = world
  return {
    ...world,
    ...{ place, tab: place.tab },
    drafts: async () => (await readDevice(device)).drafts,
    copies: async () => (await readDevice(device)).copies,
    /** Entries on their way. */
    entries: () => device.line.filter(isEntry),
    /** Lets the first request of this kind end in this way. */
    async end(how: Response | 'cut'): Promise<void> {
      const at = device.line.findIndex(isEntry)
      const [first] = at < 0 ? [] : device.line.splice(at, 1)
      if (how === 'cut') first?.fail()
      else first?.answer(how)
      await world.settle()
    },
    async act(step: Step): Promise<void> {
      await world.act(step)
      await world.settle()
    },
    /** Reads a path, as a page does. */
    async read(path: string): Promise<void> {
      void place.tab.device.fetchCopy(path)
      await world.settle()
      const at = device.line.findIndex((each) => each.path === path)
      for (const each of device.line.splice(at, 1)) each.answer(Response.json({ path }))
      await world.settle()
    },
  }
}

describe('a draft', () => {
  test.each(['hidden', 'pagehide'])('is written at once when the page is left: %s', async (how) => {
    const { act, tab, settle, drafts } = await person()
    await act(keep)
    expect(await drafts()).toEqual([])
    if (how === 'hidden') tab.hide()
    else tab.hear('pagehide')
    await settle()
    expect(await drafts()).toHaveLength(1)
  })

  test('that the device has no room for is written later, and what the server said goes before it', async () => {
    const { act, tab, wait, read, drafts, copies, settle } = await person()
    await read('/participants/me')
    expect(await copies()).toHaveLength(1)
    await act(keep)
    tab.fail(1)
    await wait(300)
    await settle()
    expect([await drafts(), await copies()]).toEqual([[], []])
    await wait(2_100)
    await settle()
    expect(await drafts()).toHaveLength(1)
  })

  test('is the reason to ask the browser once to delete nothing', async () => {
    const { act, tab, wait } = await person()
    expect(tab.asked()).toBe(0)
    for (const step of [keep, keep]) {
      await act(step)
      await wait(300)
    }
    expect(tab.asked()).toBe(1)
  })

  test('is written after the system has closed the database, with or without a word', async () => {
    const { device, act, tab, wait, settle, drafts } = await person()
    tab.closeDatabase()
    await act(keep)
    await wait(300)
    await settle()
    expect(await drafts()).toHaveLength(1)
    // Whoever deletes it, as a browser that clears its data, does not wait for the app.
    const deleting = device.idb.deleteDatabase('trialbox')
    let isDeleted = false
    deleting.onsuccess = () => {
      isDeleted = true
    }
    await settle()
    expect(isDeleted).toBe(true)
    await act(keep)
    await wait(300)
    await settle()
    expect(await drafts()).toHaveLength(1)
  })
})

test.each([false, true])(
  'who signs out and leaves the page at once is signed out, and nothing of them stays (file: %p)',
  async (hasFile) => {
    const { device, act, tab, wait, settle, read, open } = await person()
    await read('/participants/me')
    await act({ ...keep, hasFile })
    await wait(300)
    await settle()
    const before = await readDevice(device)
    expect([before.own?.who, before.drafts.length, before.copies.length, before.blobs.length]).toEqual([
      'T/anna',
      1,
      1,
      Number(hasFile),
    ])
    const leaving = tab.device.signOut()
    // What a browser does between the press and the next one.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    tab.kill()
    void leaving.catch(() => undefined)
    await settle()
    expect(await readDevice(device)).toMatchObject({ own: undefined, drafts: [], copies: [] })
    await open()
    await settle()
    expect((await readDevice(device)).blobs).toEqual([])
  },
)

describe('an entry', () => {
  test('is sent by one tab', async () => {
    const { act, open, wait, entries, tabs } = await person()
    await open()
    await act(keep)
    await wait(300)
    await act(send)
    for (const { tab } of tabs) tab.device.sendNow()
    await wait(20_000)
    expect(entries()).toHaveLength(1)
  })

  test('is sent again after 2 seconds, then twice as long, at most 5 minutes; at once with a connection', async () => {
    const { act, tab, wait, settle, entries, end } = await person()
    await act(keep)
    await act(send)
    for (let pause = 2_000; pause < 2_000_000; pause *= 2) {
      expect(entries()).toHaveLength(1)
      await end('cut')
      const longest = Math.min(pause, 300_000)
      await wait(longest * 0.74)
      expect(entries()).toEqual([])
      await wait(longest * 0.52)
      await settle()
    }
    await end('cut')
    for (const event of ['online', 'visibilitychange']) {
      expect(entries()).toEqual([])
      tab.hear(event)
      await settle()
      expect(entries()).toHaveLength(1)
      await end('cut')
    }
  })

  test('is sent at once when the person whose session had ended signs in again', async () => {
    const { act, wait, entries, end, server, signIn, place } = await person()
    await act(keep)
    await act(send)
    server.endSessions('anna')
    await end(Response.json({ message: 'No.' }, { status: 401 }))
    await wait(1_000_000)
    expect(entries()).toEqual([])
    await signIn(place, 'anna')
    expect(entries()).toHaveLength(1)
  })

  test('is not sent before the time that the server says, whatever happens', async () => {
    const { act, tab, wait, settle, entries, end } = await person()
    await act(keep)
    await act(send)
    await end(Response.json({ message: 'Later.' }, { status: 503, headers: { 'Retry-After': '60' } }))
    for (let seconds = 0; seconds < 59; seconds += 10) {
      tab.hear('online')
      await wait(9_800)
    }
    expect(entries()).toEqual([])
    await wait(5_000)
    await settle()
    expect(entries()).toHaveLength(1)
  })
})

describe('a file of an entry', () => {
  /** An entry with a file, until its answers are on the way. */
  async function withFile() {
    const world = await person()
    const { act, serve } = world
    await act({ do: 'keep', tab: 0, form: 'S', hasFile: true })
    await world.wait(300)
    await act(send)
    const uploads = () =>
      world.device.line.filter(({ path }) => path.startsWith('/uploads') || path.startsWith('/storage'))
    return { ...world, uploads, upload: () => serve((path) => /^\/(uploads|storage)/.test(path)) }
  }

  test('that has arrived is not uploaded again, if its answers have not', async () => {
    const { upload, uploads, entries, end, wait } = await withFile()
    expect(uploads()).toHaveLength(1)
    await upload()
    const [first] = entries()
    await end('cut')
    await wait(3_000)
    expect([uploads(), entries().map(({ body }) => body)]).toEqual([[], [first?.body]])
  })

  test('that is gone is asked for again, and the answers are not sent without it', async () => {
    const { device, tab, uploads, entries, upload, wait, settle } = await withFile()
    // The connection is lost before the upload, and the browser deletes the bytes.
    for (const { fail } of device.line.splice(0)) fail()
    await settle()
    const db = await new Promise<IDBDatabase>((resolve) => {
      const opening = device.idb.open('trialbox')
      opening.onsuccess = () => resolve(opening.result)
    })
    db.transaction('blobs', 'readwrite').objectStore('blobs').clear()
    db.close()
    await wait(3_000)
    await upload()
    expect([uploads(), entries()]).toEqual([[], []])
    expect(tab.device.entries.value).toMatchObject([{ state: 'refused', problem: { code: 'fileGone' } }])
  })
})

describe('what the server said', () => {
  test('is kept of the newest hundred answers', async () => {
    const { read, copies, wait } = await person()
    for (let number = 0; number < 103; number++) {
      await read(`/participants/${number}`)
      await wait(1)
    }
    const paths = (await copies()).map(({ path }) => path)
    expect([paths.length, paths.includes('/participants/2'), paths.includes('/participants/3')]).toEqual([
      100,
      false,
      true,
    ])
  })

  test('goes when somebody signs out, also while it is under way, and when somebody else signs in', async () => {
    const { act, read, copies, device, tab, settle, signIn, place } = await person()
    for (let moments = 0; moments < 40; moments++) {
      await read('/participants/me')
      // The answer is there, and the person signs out before it is written.
      void tab.device.fetchCopy('/participants/messages')
      await settle()
      for (const { path, answer } of device.line.splice(0)) answer(Response.json({ path }))
      for (let moment = 0; moment < moments; moment++) await Promise.resolve()
      await act({ do: 'signOut', tab: 0 })
      expect(await copies()).toEqual([])
      await signIn(place, 'anna')
    }
    await read('/participants/me')
    expect(await copies()).toHaveLength(1)
    await signIn(place, 'bert')
    expect((await copies()).filter(({ who }) => who === 'T/anna')).toEqual([])
  })
})
