/** A story of people with a phone on a ward. */
import type { Page } from 'playwright-core'
import { phone } from './appVisits'
import { faultsOf, inBrowser, violations } from './browser'
import { NOW, OFFLINE, signIn, type Ward, ward } from './ward'

/** P-1 is signed in on a phone. In the end nothing is wrong with the page, and nothing was asked of another server. */
export const onWard = (act: (page: Page, where: Ward) => Promise<void>) => async (): Promise<void> => {
  const where = await ward()
  try {
    await inBrowser(async (page) => {
      const faults = faultsOf(page, where.base)
      page.setDefaultTimeout(60_000)
      await page.clock.install({ time: NOW })
      await signIn(page, where)
      await act(page, where)
      const axe = await violations(page)
      // Of a picture that is left while it is loaded, the browser asks its own memory.
      const other = faults.filter((fault) => !OFFLINE.test(fault) && !fault.startsWith('asks blob:'))
      if (axe.length || other.length) throw new Error([...axe, ...other].join('\n'))
    }, phone)
  } finally {
    await where.leave()
  }
}
