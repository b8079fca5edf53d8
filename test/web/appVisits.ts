/** Visits to the app of participants, on a server with a study (`appStudy.ts`). */
import type { Page } from 'playwright-core'
import { listen } from '#server/listen'
import { type Settings, START, testServer } from '../testServer'
import { appStudy, type Call, PASSWORD } from './appStudy'
import { type BrowserOptions, inBrowser } from './browser'

export const NOW = START / 1000
export const phone = { viewport: { width: 390, height: 844 }, locale: 'en-GB', hasTouch: true } as const
export type StudyVisit = Awaited<ReturnType<typeof appStudy>> & {
  base: string
  /** As the owner. */
  call: Call
  /** As the owner in the web app, who has just confirmed their identity. */
  inApp: Call
}

export async function withStudy<T>(act: (where: StudyVisit) => Promise<T>, settings: Settings = {}): Promise<T> {
  const { service, owner, call: send, inApp: sendInApp } = await testServer(settings)
  const checked = (by: typeof sendInApp) => async (method: string, path: string, body?: unknown) => {
    const answer = await by(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const [call, inApp] = [checked(send), checked(sendInApp)]
  const study = await appStudy(call, owner.team, { now: NOW, diaries: 300 })
  const server = listen(service, { host: '127.0.0.1', port: 0 })
  try {
    return await act({ ...study, call, inApp, base: `http://127.0.0.1:${server.port}` })
  } finally {
    await server.stop()
  }
}

/** A page on a device whose clock shows the time of the server. */
export const onDevice = <T>(act: (page: Page) => Promise<T>, options: BrowserOptions = phone): Promise<T> =>
  inBrowser(
    async (page) => {
      page.setDefaultTimeout(60_000)
      await page.clock.install({ time: NOW })
      return act(page)
    },
    { reducedMotion: 'reduce', ...options },
  )

export async function fillIn(
  page: Page,
  { code }: Pick<StudyVisit, 'code'>,
  password = PASSWORD,
  participant = 'P-1',
): Promise<void> {
  await page.locator('[name=trialCode]').fill(code)
  await page.locator('[name=participantId]').fill(participant)
  await page.locator('[name=password]').fill(password)
  await page.locator('form .main').click()
}

export async function signIn(page: Page, where: StudyVisit): Promise<void> {
  await page.goto(`${where.base}/app/`)
  await fillIn(page, where)
  await page.locator('.form-card').first().waitFor()
}

/** Follows the menu; a form has none on a narrow screen, but a link to the start. */
export async function goTo(page: Page, path: string): Promise<void> {
  const link = page.locator(`a[href="/app/${path}"]:visible`).first()
  const toStart = page.locator('a.leave:visible')
  await link.or(toStart).first().waitFor()
  if (!(await link.count())) await toStart.click()
  await link.click()
}
