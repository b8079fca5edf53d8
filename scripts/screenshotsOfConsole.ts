/** The states of the console, for `scripts/screenshots.ts`. */
import type { Page } from 'playwright-core'

type Where = Record<'url' | 'email' | 'password' | 'code', string>
type State = (page: Page, where: Where) => Promise<unknown>

async function fillIn(page: Page, { email, password }: Pick<Where, 'email' | 'password'>): Promise<void> {
  await page.locator('[name=email]').fill(email)
  await page.locator('[name=password]').fill(password)
  await page.locator('form [type=submit]').click()
}

/** A page of the study, after signing in. @param ready what the page shows when it is there */
const at =
  (path: string, ready: string, more: State = async () => {}): State =>
  async (page, where) => {
    await page.goto(`${where.url}/console/${path.replace(':study', where.code)}`)
    await fillIn(page, where)
    await page.locator(ready).first().waitFor()
    await page.waitForLoadState('networkidle')
    await more(page, where)
  }

const grid = (query = '', more?: State) => at(`:study/participants${query}`, '.grid [data-row]', more)

export const consoleStates: Record<string, State> = {
  'console-sign-in': async (page, { url }) => {
    await page.goto(`${url}/console`)
    await page.locator('[name=email]').waitFor()
  },
  'console-sign-in-refused': async (page, where) => {
    await page.goto(`${where.url}/console`)
    await fillIn(page, { email: 'nobody@example.org', password: 'wrong horse battery' })
    await page.locator('.notice').waitFor()
  },
  'console-studies': at('', '.study-card'),
  'console-participants': grid(),
  'console-participants-behind': grid('?f.schedule=behind&sort=-lastSeenAt'),
  'console-participant-details': grid('', async (page) => {
    await page.locator('[data-row="0"]').click()
    await page.locator('.tree li, .inspector-part .soft').first().waitFor()
  }),
  'console-filter': grid('', async (page) => {
    await page.locator('#filter-participants').click()
    await page.locator('[role=option]').first().waitFor()
  }),
  'console-none-fits': at(':study/participants?f.status=withdrawn&f.joined=yes&f.unread=yes', '.empty'),
  'console-person': at('', '.study-card', async (page) => {
    await page.locator('.person').click()
    await page.locator('.person-panel').waitFor()
  }),
  'console-register-dialog': grid('', async (page) => {
    await page.locator('.head .main').click()
    await page.locator('dialog[open]').waitFor()
  }),
  'console-session-ended-dialog': grid('', async (page) => {
    await page.context().clearCookies()
    await page.locator('.sort').first().click()
    await page.locator('dialog[open]').waitFor()
  }),
  'console-missing': at('nothing/participants', 'h1'),
}
