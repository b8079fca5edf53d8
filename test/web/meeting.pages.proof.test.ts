/** What the page behind the link of a meeting shows without devices, at other times, in each look, and with many people. */
import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions } from 'playwright-core'
import { openPage } from '../conduct/meetingRooms/rooms.study'
import { until } from '../until'
import { phone } from './appVisits'
import { chromium, faultsOf, inBrowser } from './browser'
import { enlargeTexts, tooWide } from './layout'
import { clean, comeIn, desktop, picture, seen, together, withMeeting } from './meetingVisits'

describe.skipIf(!chromium)('at the link of a meeting', () => {
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

  test('with a browser that cannot make calls somebody writes, and the others see that they can only do that', async () => {
    await withMeeting(async (s) => {
      await together(async (nurse, anna) => {
        const faults = [faultsOf(nurse, s.base), faultsOf(anna, s.base)] as const
        await comeIn(nurse, `${s.base}/app/meeting/${s.tokens.nurse}`)
        await anna.addInitScript(() => Reflect.deleteProperty(window, 'RTCPeerConnection'))
        await anna.goto(`${s.base}/app/meeting/${s.tokens.anna}`)
        await anna.getByText('This browser cannot transmit pictures and sound').waitFor()
        await clean(anna, faults[1])
        await anna.getByRole('button', { name: 'Come in without camera and microphone' }).click()
        await nurse.getByRole('button', { name: 'Let in', exact: true }).click()
        await nurse.getByText('Can only read and write').waitFor()
        await anna.getByLabel('Write a message').fill('I write.')
        await anna.keyboard.press('Enter')
        await nurse.getByText('1 new message').waitFor({ state: 'attached' })
        expect(await anna.getByText('Connecting').count()).toBe(0)
        await Promise.all([clean(nurse, faults[0]), clean(anna, faults[1])])
        await picture(nurse, 'meeting-onlywrites-desktop')
        await anna.keyboard.press('Escape')
        await picture(anna, 'meeting-unable-phone')
      })
    })
  }, 180_000)

  test('with texts of twice the size on a phone, everything is below each other, and nothing is cut off', async () => {
    await withMeeting(async (s) => {
      const nurse = await s.come('nurse')
      await inBrowser(
        async (anna) => {
          const faults = faultsOf(anna, s.base)
          await anna.goto(`${s.base}/app/meeting/${s.tokens.anna}`)
          await enlargeTexts(anna, 32)
          await anna.getByRole('button', { name: 'Activer la caméra et le micro' }).click()
          await anna.locator('video.own').waitFor()
          await clean(anna, faults)
          expect(await anna.evaluate(tooWide)).toEqual([])
          await picture(anna, 'meeting-lobby-200')
          await anna.getByRole('button', { name: 'Entrer', exact: true }).click()
          await until(() => nurse.room()?.waiting.length === 1)
          nurse.say({ type: 'admit', person: nurse.room()?.waiting[0]?.id })
          await anna.getByRole('button', { name: 'Discussion' }).click()
          await anna.locator('.room-chat input:focus').waitFor()
          nurse.say({ type: 'chat', text: 'Bonjour, vous m’entendez ?' })
          await anna.getByText('Bonjour, vous m’entendez ?').waitFor()
          await clean(anna, faults)
          await picture(anna, 'meeting-chat-200')
          const edges = await anna.evaluate(() => {
            const at = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
            return [at('.room-chat-lines li')?.height ?? 0, at('.room-chat')?.bottom ?? 0, at('.room-bar')?.top ?? 0]
          })
          expect(edges[0]).toBeGreaterThan(0)
          expect(edges[1]).toBeLessThanOrEqual(edges[2] ?? 0)
        },
        { ...phone, locale: 'fr-FR', reducedMotion: 'reduce' },
      )
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
        await s.nurse.put<'updateMeeting'>(`${s.all}/${s.meeting._id}`, { startAt: '2026-03-11T09:00:00Z' })
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
        await s.nurse.delete<'deleteMeeting'>(`${s.all}/${s.meeting._id}`)
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
      await s.nurse.put<'updateMeeting'>(`${s.all}/${s.meeting._id}`, {
        personnel: [s.nurse, s.other, ...more].map(({ _id }) => _id),
      })
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
            const [found] = (await who.get<'listMeetings'>(s.all)).meetings
            const address = `ws://${s.host}/meeting-rooms/${found?.joinUrl?.split('/').at(-1)}?page=x`
            const visit = openPage(address, { Origin: `http://${s.host}` })
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
