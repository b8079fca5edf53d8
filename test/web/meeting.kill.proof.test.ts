/** The server is killed in the middle of a meeting, and started again. */
import { expect, test } from 'bun:test'
import { listen } from '#server/listen'
import { afterKill } from '../harness'
import { until } from '../until'
import { chromium, faultsOf } from './browser'
import { comeIn, forget, picture, seen, together, withMeeting } from './meetingVisits'

/** A port that nobody listens on: the server is gone. */
const NOBODY = 9

test.skipIf(!chromium)(
  'pictures go on while the server is gone; both pages come back by themselves, and the log has each joining with its end',
  async () => {
    await withMeeting(async (s) => {
      await together(async (nurse, anna) => {
        await comeIn(nurse, `${s.base}/app/meeting/${s.tokens.nurse}`)
        await nurse.getByText('You are the only one here').waitFor()
        await comeIn(anna, `${s.base}/app/meeting/${s.tokens.anna}`)
        await nurse.getByRole('button', { name: 'Let in', exact: true }).click()
        await Promise.all([seen(nurse, 'P-1'), seen(anna, 'Person 1')])
        await until(async () => (await s.entries()).length === 2)

        s.lead(NOBODY)
        for (const page of [nurse, anna]) {
          await page.getByText('Your connection is lost.').waitFor()
          await forget(page)
        }
        await Promise.all([seen(nurse, 'P-1'), seen(anna, 'Person 1')])
        await picture(anna, 'meeting-server-gone-phone')

        const again = afterKill(s)
        const server = listen(again, { host: '127.0.0.1', port: 0 })
        const faults = [...faultsOf(nurse, s.base), ...faultsOf(anna, s.base)]
        s.lead(server.port)
        await nurse.getByText('P-1 is waiting').waitFor()
        await anna.getByText('The study team sees that you are here').waitFor()
        await nurse.getByRole('button', { name: 'Let in', exact: true }).click()
        await Promise.all([forget(nurse), anna.getByText('Person 1').first().waitFor()])
        await Promise.all([seen(nurse, 'P-1'), seen(anna, 'Person 1')])
        await nurse.getByText('Your connection is lost.').waitFor({ state: 'detached' })
        expect(faults).toEqual([])
        const entries = () =>
          again.services.db.$client
            .query(
              `SELECT type || ' ' || userType || ' ' || coalesce(event ->> '$.reason', '') || coalesce(event ->> '$.isLate', '')
               FROM auditEntries WHERE type LIKE '%Meeting' AND type NOT LIKE '%ateMeeting' ORDER BY number`,
            )
            .values()
            .flat()
        await until(() => entries().length === 6)
        expect(entries()).toEqual([
          'joinMeeting user ',
          'joinMeeting participant ',
          'leaveMeeting user stopped1',
          'leaveMeeting participant stopped1',
          'joinMeeting user ',
          'joinMeeting participant ',
        ])
        await server.stop()
      })
    })
  },
  240_000,
)
