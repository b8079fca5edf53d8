/** The states of the app of participants, for `scripts/screenshots.ts`. */
import type { Page } from 'playwright-core'
import { appStudy, type Call, PASSWORD } from '../test/web/appStudy'
import { type Forms, formStates, makeForms } from './screenshotsOfForms'

type Server = Record<'url' | 'apiKey' | 'team', string>
type Study = Awaited<ReturnType<typeof appStudy>> & Forms & { call: Call }
type State = (page: Page, where: Server & Study) => Promise<unknown>

/** Makes the study of all states. */
export async function makeStudy({ url, apiKey, team }: Server): Promise<Study> {
  const call: Call = async (method, path, body) => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) }
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
    const answer = await fetch(url + path, { method, headers, ...content })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return answer.json()
  }
  const study = await appStudy(call, team, { now: Date.now(), diaries: 300 })
  return { ...study, ...(await makeForms(call, study.trial, [study.anna, study.bert])), call }
}

async function fillIn(page: Page, code: string, participant: string, password: string): Promise<void> {
  await page.locator('[name=trialCode]').fill(code)
  await page.locator('[name=participantId]').fill(participant)
  await page.locator('[name=password]').fill(password)
  await page.locator('form .main').click()
}

const signedIn =
  (path: string, participant = 'P-1', more: State = async () => {}): State =>
  async (page, where) => {
    await page.goto(`${where.url}/app/`)
    await fillIn(page, where.code, participant, PASSWORD)
    await page.locator('.menu-bar').waitFor()
    await page.goto(`${where.url}/app/${path}`)
    await page.waitForLoadState('networkidle')
    await more(page, where)
  }

export const appStates: Record<string, State> = {
  'app-sign-in': async (page, { url }) => {
    await page.goto(`${url}/app/`)
    await page.locator('.fold summary').click()
  },
  'app-sign-in-refused': async (page, { url, code }) => {
    await page.goto(`${url}/app/`)
    await fillIn(page, code, 'P-1', 'wrong horse')
    await page.locator('[role=alert]').waitFor()
  },
  'app-join-ended': async (page, { url }) => {
    await page.goto(`${url}/app/join/none`)
    await page.locator('[role=alert]').waitFor()
  },
  'app-welcome': signedIn('', 'P-2'),
  'app-home': signedIn(''),
  'app-home-folds': signedIn('', 'P-1', async (page) => {
    await page.locator('.fold.earlier summary').click()
    await page.locator('#past ~ .fold summary').click()
  }),
  'app-home-offline': signedIn('', 'P-1', async (page) => {
    await page.context().setOffline(true)
    await page.locator('.status-line').waitFor()
  }),
  'app-messages': signedIn('messages'),
  'app-messages-written': signedIn('messages', 'P-1', async (page) => {
    await page.context().setOffline(true)
    await page.locator('#message').fill('Thank you! The first night was calm, and I breathed well.')
    await page.locator('.composer [type=submit]').click()
    await page.locator('.bubble.waiting').waitFor()
  }),
  'app-calendar': signedIn('calendar'),
  'app-calendar-link': signedIn('calendar', 'P-2', async (page) => {
    await page.locator('#own-calendar ~ .actions .button').first().click()
    await page.locator('code').waitFor()
  }),
  'app-more': signedIn('more'),
  'app-you': signedIn('you'),
  'app-sign-out-dialog': signedIn('you', 'P-1', async (page) => {
    await page.locator('main > .actions .button').click()
    await page.locator('dialog[open]').waitFor()
  }),
  'app-resources': signedIn('resources', 'P-1', (page) => page.locator('.resource summary').click()),
  'app-food': signedIn('food'),
  'app-food-dialog': signedIn('food', 'P-1', (page) => page.locator('.meal .button').first().click()),
  'app-waiting': signedIn('waiting'),
  'app-session-dialog': signedIn('', 'P-1', async (page) => {
    await page.route('**/participants/**', (route) =>
      route.fulfill({ status: 401, json: { message: 'Sign in again.' } }),
    )
    await page.locator('.round').click()
    await page.locator('dialog[open]').waitFor()
  }),
  'app-not-found': signedIn('nothing'),
  ...formStates((path, show) => async (page, where) => signedIn(path(where), 'P-1', show)(page, where)),
}
