/** The page behind the link of a meeting: two browsers with made-up cameras meet. */
import { afterEach, describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { meetingStudy, visitor } from '../conduct/meetingRooms/rooms.study'
import { until } from '../until'
import { phone } from './appVisits'
import { chromium, faultsOf, inBrowser, violations } from './browser'
import { cuttingProxy } from './proxy'

const desktop = { viewport: { width: 1280, height: 800 }, locale: 'en-GB' } as const
const closing: (() => unknown)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const SHOTS = process.env.SHOTS
/** Keeps a picture of the page in the folder that SHOTS names, to be looked at. */
const picture = (page: Page, name: string) => (SHOTS ? page.screenshot({ path: `${SHOTS}/${name}.png` }) : undefined)

const clean = async (page: Page, faults: readonly string[]) => {
  expect([await violations(page), faults]).toEqual([[], []])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}

async function withMeeting(
  act: (s: Awaited<ReturnType<typeof meetingStudy>> & { base: string; cut(): void }) => Promise<void>,
) {
  const s = await meetingStudy()
  const proxy = await cuttingProxy(Number(s.host.split(':')[1]))
  closing.push(proxy.stop)
  await act({ ...s, base: `http://localhost:${proxy.port}`, cut: proxy.cut })
}

/** Opens pages of several people, each in a browser of their own. */
async function together(act: (nurse: Page, anna: Page) => Promise<void>, ofAnna: BrowserContextOptions = phone) {
  await inBrowser((nurse) => inBrowser((anna) => act(nurse, anna), { reducedMotion: 'reduce', ...ofAnna }), {
    reducedMotion: 'reduce',
    ...desktop,
  })
}

async function comeIn(page: Page, url: string) {
  page.setDefaultTimeout(40_000)
  await page.goto(url)
  await page.getByRole('button', { name: 'Switch on camera and microphone' }).click()
  await page.getByRole('button', { name: 'Come in', exact: true }).click()
}

/** Waits until the picture of this person moves. */
const seen = (page: Page, name: string) =>
  page.waitForFunction((label) => {
    const video = [...document.querySelectorAll('video')].find((each) => each.ariaLabel === label)
    if (!video || video.videoWidth === 0) return false
    const { currentTime } = video
    const before = Number(video.dataset.before ?? currentTime)
    video.dataset.before = `${before}`
    return currentTime > before
  }, name)

/** Begins the comparison of `seen` anew. */
const forget = (page: Page) =>
  page.evaluate(() => {
    for (const each of document.querySelectorAll('video')) delete each.dataset.before
  })

describe.skipIf(!chromium)('in a meeting', () => {
  test('two people see each other, write, lose their connection and come back', async () => {
    await withMeeting(async (s) => {
      await together(async (nurse, anna) => {
        const faults = [faultsOf(nurse, s.base), faultsOf(anna, s.base)] as const
        await comeIn(anna, `${s.base}/app/meeting/${s.tokens.anna}`)
        await anna.getByText('Nobody of the study team is here yet.').waitFor()
        await clean(anna, faults[1])
        await picture(anna, 'meeting-waiting')
        await comeIn(nurse, `${s.base}/app/meeting/${s.tokens.nurse}`)
        await nurse.getByText('P-1 is waiting').waitFor()
        await anna.getByText('The study team sees that you are here').waitFor()
        await clean(nurse, faults[0])
        await picture(nurse, 'meeting-asked')
        await nurse.getByRole('button', { name: 'Let in', exact: true }).click()
        await Promise.all([seen(nurse, 'P-1'), seen(anna, 'Person 1')])
        await Promise.all([clean(nurse, faults[0]), clean(anna, faults[1])])
        await picture(nurse, 'meeting-two-desktop')
        await picture(anna, 'meeting-two-phone')

        // Chat, by the keyboard alone.
        await anna.getByRole('button', { name: 'Chat', exact: true }).focus()
        await anna.keyboard.press('Enter')
        await anna.locator('.room-chat input:focus').waitFor()
        await anna.keyboard.type('Hello <b>you</b> 🙂')
        await anna.keyboard.press('Enter')
        await nurse.getByText('1 new message').waitFor({ state: 'attached' })
        await nurse.getByRole('button', { name: /^Chat/ }).click()
        await nurse.getByText('Hello <b>you</b> 🙂').waitFor()
        await Promise.all([clean(nurse, faults[0]), clean(anna, faults[1])])
        await picture(nurse, 'meeting-chat-desktop')
        await picture(anna, 'meeting-chat-phone')
        await anna.keyboard.press('Escape')
        await anna.getByLabel('Write a message').waitFor({ state: 'detached' })

        // Mute and camera off are seen by the other one.
        await anna.getByRole('button', { name: 'Mute', exact: true }).click()
        await anna.getByRole('button', { name: 'Camera off' }).click()
        await nurse.locator('.room-person', { hasText: 'P-1' }).locator('.room-initial').waitFor()
        await nurse
          .locator('.room-person', { hasText: 'P-1' })
          .getByText('Microphone off')
          .waitFor({ state: 'attached' })
        await anna.getByRole('button', { name: 'Camera on' }).click()
        await forget(nurse)
        await seen(nurse, 'P-1')

        // The connection to the server is cut: pictures go on, and the page comes back by itself.
        s.cut()
        await anna.waitForFunction(() => !document.querySelector('.notice.warning'))
        await forget(anna)
        await seen(anna, 'Person 1')
        await nurse
          .locator('.room-person', { hasText: 'P-1' })
          .locator('.room-person-state')
          .waitFor({ state: 'detached' })

        // The page is closed, and opened again: the place is still there, without waiting.
        await anna.goto('about:blank')
        await nurse.getByText('Connection lost. Their place is kept for a while.').waitFor()
        await picture(nurse, 'meeting-lost')
        await comeIn(anna, `${s.base}/app/meeting/${s.tokens.anna}`)
        await forget(nurse)
        await Promise.all([seen(nurse, 'P-1'), seen(anna, 'Person 1')])
        expect((await s.entries()).map(({ type }) => type)).toEqual(['joinMeeting', 'joinMeeting'])

        // The screen of the nurse.
        await nurse.getByRole('button', { name: 'Share screen' }).click()
        await seen(anna, 'Screen of Person 1')
        await Promise.all([clean(nurse, faults[0]), clean(anna, faults[1])])
        await picture(anna, 'meeting-screen-phone')
        await nurse.getByRole('button', { name: 'Stop sharing' }).click()
        await anna.getByText('Screen of Person 1').waitFor({ state: 'detached' })

        await nurse.getByRole('button', { name: 'Leave', exact: true }).click()
        await nurse.getByRole('button', { name: 'End for everybody' }).click()
        await anna.getByRole('heading', { name: 'The meeting has ended' }).waitFor()
        await nurse.getByRole('heading', { name: 'The meeting has ended' }).waitFor()
        await clean(anna, faults[1])
        expect((await s.entries()).map(({ type, event }) => [type, event.reason]).slice(2)).toEqual([
          ['leaveMeeting', 'ended'],
          ['leaveMeeting', 'ended'],
        ])
      })
    })
  }, 180_000)

  test('somebody without camera and microphone is told what to do, comes in all the same, and sees the others', async () => {
    await withMeeting(async (s) => {
      await together(async (nurse, anna) => {
        const faults = faultsOf(anna, s.base)
        const failing = (name: string) =>
          anna.addInitScript((name) => {
            navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', name))
          }, name)
        await comeIn(nurse, `${s.base}/app/meeting/${s.tokens.nurse}`)
        await nurse.getByText('You are the only one here').waitFor()
        for (const [name, title] of [
          ['NotAllowedError', 'Your browser does not let us use'],
          ['NotReadableError', 'cannot be used at the moment'],
          ['NotFoundError', 'We found no camera and no microphone'],
        ] as const) {
          await failing(name)
          await anna.goto(`${s.base}/app/meeting/${s.tokens.anna}`)
          await anna.getByRole('button', { name: 'Switch on camera and microphone' }).click()
          await anna.getByText(title).waitFor()
          await clean(anna, faults)
          await picture(anna, `meeting-${name}`)
        }
        await anna.getByRole('button', { name: 'Come in without camera and microphone' }).click()
        await nurse.getByRole('button', { name: 'Let in', exact: true }).click()
        await seen(anna, 'Person 1')
        await nurse.locator('.room-person', { hasText: 'P-1' }).locator('.room-initial').waitFor()
        await nurse
          .locator('.room-person', { hasText: 'P-1' })
          .locator('.room-person-state')
          .waitFor({ state: 'detached' })
        await clean(anna, faults)
        await picture(anna, 'meeting-no-devices')
        await anna.getByRole('button', { name: 'Camera on' }).click()
        await anna.getByRole('dialog').getByText('We found no camera and no microphone').waitFor()
        await anna.getByRole('button', { name: 'Close', exact: true }).click()
        await anna.getByRole('dialog').waitFor({ state: 'detached' })
        await nurse.getByRole('button', { name: 'Take P-1 out of the meeting' }).click()
        await nurse.getByRole('dialog').getByRole('button', { name: 'Take out of the meeting' }).click()
        await anna.getByRole('heading', { name: 'The study team took you out of the meeting' }).waitFor()
        await clean(anna, faults)
        // Another page with the link takes the place of the first.
        await nurse
          .context()
          .newPage()
          .then((second) => comeIn(second, `${s.base}/app/meeting/${s.tokens.nurse}`))
        await nurse.getByRole('heading', { name: 'You are in this meeting on another page' }).waitFor()
      })
    })
  }, 180_000)

  test('a page that is not secure says why there is no camera; wrong times and links are explained, in each look', async () => {
    await withMeeting(async (s) => {
      const url = `${s.base}/app/meeting/${s.tokens.anna}`
      const looks: [string, BrowserContextOptions][] = [
        ['de', { ...phone, locale: 'de-DE', colorScheme: 'dark' }],
        ['ar', { viewport: { width: 768, height: 1024 }, locale: 'ar' }],
        ['en', { ...desktop, colorScheme: 'dark' }],
      ]
      for (const [name, look] of looks)
        await inBrowser(
          async (page) => {
            const faults = faultsOf(page, s.base)
            await page.goto(url)
            await page.locator('.card .main').click()
            await page.locator('video.own').waitFor()
            await page.waitForFunction(() => (document.querySelector('video')?.videoWidth ?? 0) > 0)
            await clean(page, faults)
            await picture(page, `meeting-lobby-${name}`)
          },
          { reducedMotion: 'reduce', ...look },
        )
      await inBrowser(async (page) => {
        const faults = faultsOf(page, s.base)
        await page.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }))
        await page.goto(url)
        await page.getByRole('link', { name: 'How this device comes to trust the server' }).waitFor()
        await clean(page, faults)
        await picture(page, 'meeting-insecure')
        await page.goto(`${url.slice(0, -1)}-`)
        await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor()
        await s.nurse.put(`${s.all}/${s.meeting._id}`, { startAt: '2026-03-11T09:00:00Z' })
        await page.goto(url)
        await page.getByRole('heading', { name: 'This meeting has not begun yet' }).waitFor()
        await clean(page, faults)
        await picture(page, 'meeting-notyet')
        s.clock('2026-03-11T08:50:00Z')
        await page.getByRole('button', { name: 'Try again' }).click()
        await page.getByRole('heading', { name: 'Check-in' }).waitFor()
        s.clock('2026-03-11T12:00:00Z')
        await page.reload()
        await page.getByRole('heading', { name: 'This meeting is over' }).waitFor()
        await s.nurse.delete(`${s.all}/${s.meeting._id}`)
        await page.reload()
        await page.getByRole('heading', { name: 'This meeting was cancelled' }).waitFor()
        await clean(page, faults)
        await picture(page, 'meeting-cancelled')
      }, phone)
    })
  }, 180_000)

  test('up to six people fit on a phone, a tablet and a desktop; only this page may use the camera', async () => {
    await withMeeting(async (s) => {
      const { base } = s
      const response = await fetch(`${base}/app/meeting/${s.tokens.anna}`)
      expect(response.headers.get('Permissions-Policy')).toBe(
        'camera=(self), microphone=(self), display-capture=(self)',
      )
      for (const other of ['/', '/app/', '/account', '/app/stage/x'])
        expect((await fetch(base + other)).headers.get('Permissions-Policy')).toBe(
          'camera=(), microphone=(), display-capture=()',
        )
      const more = Array.from({ length: 3 }, () => s.coordinator())
      await s.nurse.put(`${s.all}/${s.meeting._id}`, { personnel: [s.nurse, s.other, ...more].map(({ _id }) => _id) })
      const anna = await s.come('anna')
      await inBrowser(
        async (page) => {
          const faults = faultsOf(page, base)
          await comeIn(page, `${base}/app/meeting/${s.tokens.nurse}`)
          await page.getByRole('button', { name: 'Let in', exact: true }).click()
          await until(() => anna.room()?.isInside === true)
          const looks = [
            ['phone', phone.viewport],
            ['tablet', { width: 768, height: 1024 }],
            ['desktop', desktop.viewport],
          ] as const
          const come = async (who: (typeof more)[number]) => {
            const [found] = (await who.get(s.all)).meetings
            const address = `ws://${s.host}/meeting-rooms/${found?.joinUrl?.split('/').at(-1)}?page=x`
            const visit = visitor(address, { Origin: `http://${s.host}` })
            await until(() => visit.room() !== undefined)
          }
          for (const [at, who] of [undefined, s.other, ...more].entries()) {
            if (who) await come(who)
            await page.waitForFunction((count) => document.querySelectorAll('.room-person').length === count, at + 2)
            for (const [name, viewport] of looks) {
              await page.setViewportSize(viewport)
              await picture(page, `meeting-${at + 2}-${name}`)
              expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
                0,
              )
              const hidden = await page.evaluate(() => {
                const bar = document.querySelector('.room-bar')?.getBoundingClientRect()
                return [...document.querySelectorAll('.room-person')].filter(
                  (each) => each.getBoundingClientRect().bottom > (bar?.top ?? 0),
                ).length
              })
              expect([name, hidden]).toEqual([name, 0])
            }
          }
          await clean(page, faults)
          await page.getByRole('button', { name: 'Settings' }).click()
          await page.getByLabel('Volume of the others').waitFor()
          await clean(page, faults)
          await picture(page, 'meeting-settings')
        },
        { ...desktop, reducedMotion: 'reduce', colorScheme: 'dark' },
      )
    })
  }, 180_000)
})
