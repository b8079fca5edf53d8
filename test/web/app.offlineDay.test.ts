/** A diary on a device that has no connection for a day. */
import { describe, expect, test } from 'bun:test'
import { chromium, violations } from './browser'
import { online, rate, readDeviceRecords, send } from './ward'
import { onWard } from './wardStory'

const HOURS = 20

describe.skipIf(!chromium)('a diary', () => {
  test(
    'of tomorrow is filled in without a connection, by somebody who has never opened it',
    onWard(async (page, where) => {
      const { base, anna, trial, call, entries, mood, first } = where
      const stage: string = (
        await call('POST', `/trials/${trial}/stages`, {
          name: 'Tomorrow',
          components: [{ id: 'mood', dataType: mood, title: 'How was your night?' }],
          enableAfter: { type: 'stage', stage: first, delay: 1 },
          enableAtTime: '06:00:00',
          availabilityWindowHours: 6,
        })
      )._id
      await page.goto(`${base}/app/`)
      await page.waitForFunction(() => navigator.serviceWorker.controller)
      await page.waitForLoadState('networkidle')
      await online(page, false)
      await page.clock.fastForward(HOURS * 3_600_000)
      await page.goto(`${base}/app/`)
      const card = page.locator('.form-card', { hasText: 'Tomorrow' })
      await card.waitFor()
      expect(await violations(page)).toEqual([])
      await card.click()
      await page.getByRole('heading', { name: 'Tomorrow' }).waitFor()
      await rate(page, 2)
      await send(page)
      await page.getByText('Your answers are kept on this device').waitFor()
      const [entry] = (await readDeviceRecords(page)).queue
      await call('PUT', '/test/clock', { advance: `PT${HOURS}H` })
      await online(page, true)
      await page.goto(`${base}/app/waiting`)
      await page.locator('.empty').waitFor()
      expect(entries(anna)).toEqual([entry?.id])
      expect((await where.stored(anna, stage)).map(({ response }) => response[mood]?.value)).toEqual([2])
    }),
    180_000,
  )
})
