/** The page behind the link of a meeting: two browsers with made-up cameras meet. */
import { describe, expect, test } from 'bun:test'
import { until } from '../until'
import { chromium, faultsOf } from './browser'
import {
  clean,
  comeIn,
  endConnection,
  forget,
  noteConnections,
  picture,
  seen,
  together,
  withMeeting,
} from './meetingVisits'

describe.skipIf(!chromium)('in a meeting', () => {
  test('two people see each other, write, lose their connection and come back', async () => {
    await withMeeting(async (s) => {
      await together(async (nurse, anna) => {
        const faults = [faultsOf(nurse, s.base), faultsOf(anna, s.base)] as const
        await noteConnections(anna)
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
        const sockets: string[] = []
        anna.on('websocket', (socket) => void sockets.push(socket.url()))
        s.cut()
        await until(() => sockets.length > 0)
        await anna.locator('.notice.warning').waitFor({ state: 'detached' })
        await forget(anna)
        await seen(anna, 'Person 1')
        await nurse
          .locator('.room-person', { hasText: 'P-1' })
          .locator('.room-person-state')
          .waitFor({ state: 'detached' })

        // The connection between the two breaks: they make another one.
        await endConnection(anna)
        await nurse.locator('.room-person-state').waitFor()
        await nurse.locator('.room-person-state').waitFor({ state: 'detached' })
        await Promise.all([forget(nurse), forget(anna)])
        await Promise.all([seen(nurse, 'P-1'), seen(anna, 'Person 1')])

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
})
