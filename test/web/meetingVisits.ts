/** Visits to the page behind the link of a meeting, in browsers with made-up cameras. */
import { afterEach, expect } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { meetingStudy } from '../conduct/meetingRooms/rooms.study'
import { phone } from './appVisits'
import { inBrowser, violations } from './browser'
import { cuttingProxy } from './proxy'

export const desktop = { viewport: { width: 1280, height: 800 }, locale: 'en-GB' } as const
const closing: (() => unknown)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const SHOTS = process.env.SHOTS
/** Keeps a picture of the page in the folder that SHOTS names, to be looked at. */
export const picture = (page: Page, name: string) =>
  SHOTS ? page.screenshot({ path: `${SHOTS}/${name}.png` }) : undefined

export const clean = async (page: Page, faults: readonly string[]) => {
  expect([await violations(page), faults]).toEqual([[], []])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

export async function withMeeting(
  act: (
    s: Awaited<ReturnType<typeof meetingStudy>> & { base: string; cut(): void; lead(port: number): void },
  ) => Promise<void>,
) {
  const s = await meetingStudy()
  const proxy = await cuttingProxy(Number(s.host.split(':')[1]))
  closing.push(proxy.stop)
  await act({ ...s, base: `http://localhost:${proxy.port}`, cut: proxy.cut, lead: proxy.lead })
}

/** Opens pages of several people, each in a browser of their own. */
export async function together(act: (nurse: Page, anna: Page) => Promise<void>, ofAnna: BrowserContextOptions = phone) {
  await inBrowser((nurse) => inBrowser((anna) => act(nurse, anna), { reducedMotion: 'reduce', ...ofAnna }), {
    reducedMotion: 'reduce',
    ...desktop,
  })
}

export async function comeIn(page: Page, url: string) {
  page.setDefaultTimeout(40_000)
  await page.goto(url)
  await page.getByRole('button', { name: 'Switch on camera and microphone' }).click()
  await page.getByRole('button', { name: 'Come in', exact: true }).click()
}

/** Waits until the picture of this person moves. */
export const seen = (page: Page, name: string) =>
  page.waitForFunction((label) => {
    const video = [...document.querySelectorAll('video')].find((each) => each.ariaLabel === label)
    if (!video || video.videoWidth === 0) return false
    const { currentTime } = video
    const before = Number(video.dataset.before ?? currentTime)
    video.dataset.before = `${before}`
    return currentTime > before
  }, name)

/** Begins the comparison of `seen` anew. */
export const forget = (page: Page) =>
  page.evaluate(() => {
    for (const each of document.querySelectorAll('video')) delete each.dataset.before
  })

/** Makes the connections of a page to the others known to `endConnection`. Call it before the page is opened. */
export const noteConnections = (page: Page) =>
  page.addInitScript(() => {
    const made: RTCPeerConnection[] = []
    Reflect.set(window, 'made', made)
    window.RTCPeerConnection = class extends RTCPeerConnection {
      constructor(...given: ConstructorParameters<typeof RTCPeerConnection>) {
        super(...given)
        made.push(this)
      }
    }
  })

/** Ends the latest connection of the page to another one, behind its back. */
export const endConnection = (page: Page) => page.evaluate(() => Reflect.get(window, 'made').at(-1).close())
