/** The states of forms and of shared tablets in the app, for `scripts/screenshotsOfApp.ts`. */
import type { Locator, Page } from 'playwright-core'
import type { Call } from '../test/web/appStudy'
import { formOfEveryFormat } from '../test/web/everyFormat'

export type Forms = Awaited<ReturnType<typeof makeForms>>
type State<W> = (page: Page, where: W) => Promise<unknown>
type Where = Forms & { url: string }

const PIN = '284613'

/** Makes the forms, and a site that shares tablets. */
export async function makeForms(call: Call, trial: string, people: readonly string[]) {
  const { stage, ids } = await formOfEveryFormat(call, trial)
  const components = ['call', 'smokes', 'pain'].map((code) => ({
    ...{ id: code, dataType: ids[code], title: { call: 'What shall we call you?', smokes: 'Do you smoke?' }[code] },
    ...{ ...(code === 'pain' ? { title: 'How strong is your pain now?' } : {}), isRequired: true },
  }))
  const short = { name: 'Three questions', components, adHoc: true, oneQuestionPerScreen: true, showProgressBar: true }
  const steps: string = (await call('POST', `/trials/${trial}/stages`, short))._id
  const site: string = (await call('POST', `/trials/${trial}/sites`, { name: 'Ward of the North', id: 'N1' }))._id
  for (const person of people) {
    await call('PUT', `/sites/${site}/memberships/${person}`)
    await call('PUT', `/trials/${trial}/participants/${person}/pin`, { pin: PIN })
  }
  const devices = `/trials/${trial}/sites/${site}/shared-devices`
  const tablet = async (): Promise<string> => {
    const { url } = await call('POST', devices, { name: 'By the window', idleMinutes: 2 })
    return url.split('/').at(-1)
  }
  return { form: stage, ids, steps, tablet }
}

const control = (page: Page, id: string | undefined, part = ''): Locator => page.locator(`[id="answer-${id}${part}"]`)

/** Answers most questions. */
async function fillIn(page: Page, { ids }: Where): Promise<void> {
  await control(page, ids.call).fill('Anna')
  await control(page, ids.night).fill('I slept well until four, then the cough woke me.')
  await control(page, ids.pulse).fill('64')
  await control(page, ids.warmth).fill('37')
  await control(page, ids.pain).click()
  await page.locator('.point').nth(7).click()
  await control(page, ids.since).fill('2026-02-28')
  await control(page, ids.dose).fill('2026-03-01T07:30')
  await control(page, ids.bed).fill('22:15')
  await page.getByText('No', { exact: true }).first().click()
  await page.getByText('Cough', { exact: true }).click()
  await page.getByText('Metformin', { exact: true }).click()
  for (const at of [0, 1]) await page.locator('.statement').nth(at).locator('.option').nth(1).click()
  await control(page, ids.drugs).click()
  await control(page, ids.drugs, '-0-n').fill('Honey')
  await control(page, ids.body).fill('172')
  await control(page, ids.body, '-weight').fill('68')
  const picture = await page.locator('.question').nth(8).screenshot({ type: 'jpeg' })
  await control(page, ids.wound).setInputFiles({ name: 'IMG_2041.jpeg', mimeType: 'image/jpeg', buffer: picture })
  await page.locator('img.preview').waitFor()
}

const send = (page: Page) => page.locator('form button.main').click()
const atForm = ({ form }: Where) => `stages/${form}`

/** @param signedIn opens a path of the app as the participant who is in the middle of the study, and then shows the state */
export function formStates<W extends Where>(
  signedIn: (path: (where: W) => string, show: State<W>) => State<W>,
): Record<string, State<W>> {
  const form = (show: State<Where>, path: (where: Where) => string = atForm) =>
    signedIn(path, async (page, where) => {
      await page.locator('.question').first().waitFor()
      await show(page, where)
    })
  const steps = (show: State<Where>) => form(show, (where) => `stages/${where.steps}`)
  return {
    'app-form': form(async () => {}),
    'app-form-filled': form(fillIn),
    'app-form-faulty': form(async (page, { ids }) => {
      await control(page, ids.pulse).fill('300')
      await control(page, ids.drugs).click()
      await control(page, ids.drugs, '-0-d').fill('a lot')
      await control(page, ids.body).fill('2')
      await send(page)
      await page.locator('.summary').waitFor()
    }),
    'app-form-wrong-file': form(async (page, { ids }) => {
      await control(page, ids.letter).setInputFiles({
        ...{ name: 'letter.docx', mimeType: 'application/msword', buffer: Buffer.from('x') },
      })
      await page.locator('.file .fault').waitFor()
    }),
    'app-form-afresh': form(async (page, { ids, url, form }) => {
      await control(page, ids.call).fill('Anna')
      await page.waitForTimeout(800)
      await page.goto(`${url}/app/stages/${form}`)
      await page.locator('.notice .button').click()
      await page.locator('dialog[open]').waitFor()
    }),
    'app-steps': steps(async () => {}),
    'app-steps-faulty': steps(async (page) => {
      await send(page)
      await page.locator('.fault').waitFor()
    }),
    'app-steps-second': steps(async (page, { ids }) => {
      await control(page, ids.call).fill('Anna')
      await send(page)
      await control(page, ids.smokes).waitFor()
    }),
    'app-form-sent': form(async (page, where) => {
      await fillIn(page, where)
      await send(page)
      await page.locator('section[role=status]').waitFor()
    }),
    'app-form-waiting': form(async (page, where) => {
      await fillIn(page, where)
      await page.context().setOffline(true)
      await send(page)
      await page.locator('section[role=status]').waitFor()
    }),
    'app-waiting-kept': form(async (page, where) => {
      await fillIn(page, where)
      await page.context().setOffline(true)
      await send(page)
      await page.locator('section[role=status]').waitFor()
      await page.goto(`${where.url}/app/waiting`)
      await page.locator('.kept').first().waitFor()
    }),
    'app-home-waiting': form(async (page, where) => {
      await fillIn(page, where)
      await page.context().setOffline(true)
      await send(page)
      await page.locator('section[role=status]').waitFor()
      await page.goto(`${where.url}/app/`)
      await page.locator('.form-card').first().waitFor()
    }),
    'app-form-refused': form(async (page, where) => {
      await refuseAnswers(page, where)
      await page.locator('section[role=alert]').waitFor()
    }),
    'app-waiting-refused': form(async (page, where) => {
      await refuseAnswers(page, where)
      await page.locator('section[role=alert]').waitFor()
      await page.goto(`${where.url}/app/waiting`)
      await page.locator('.kept').first().waitFor()
    }),
    'app-form-gone': signedIn(
      () => 'stages/none',
      (page) => page.locator('.empty').waitFor(),
    ),
    'app-update': async (page, where) => {
      // As if the browser had found a new version.
      await page.addInitScript(() =>
        Object.defineProperty(ServiceWorkerRegistration.prototype, 'waiting', { get: () => ({ postMessage() {} }) }),
      )
      const show: State<W> = async () => {
        await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
        await page.reload()
        await page.getByRole('button', { name: /now|jetzt|ahora|maintenant|الآن/i }).waitFor()
      }
      await signedIn(() => 'messages', show)(page, where)
    },
    'tablet-link': async (page, { url, tablet }) => {
      await page.goto(`${url}/app/tablet/${await tablet()}`)
      await page.locator('.card .main').waitFor()
    },
    'tablet-link-ended': async (page, { url }) => {
      await page.goto(`${url}/app/tablet/none`)
      await page.locator('.card .main').click()
      await page.locator('[role=alert]').waitFor()
    },
    'tablet-welcome': welcome,
    'tablet-wrong-pin': async (page, where) => {
      await welcome(page, where)
      await atTablet(page, '999911')
      await page.locator('.notice.fault').waitFor()
    },
    'tablet-staff': async (page, where) => {
      await welcome(page, where)
      await page.locator('a[href="/app/staff"]').click()
      await page.locator('h1').first().waitFor()
      await page.waitForTimeout(500)
    },
    'tablet-home': tabletHome,
    'tablet-form': async (page, where) => {
      await tabletHome(page, where)
      await page.locator('.form-card a, a.form-card').first().click()
      await page.locator('.question').first().waitFor()
    },
    'tablet-leave-dialog': async (page, where) => {
      await tabletHome(page, where)
      await page.locator('.form-card a, a.form-card').first().click()
      await page.locator('.question .point').first().click()
      await page.waitForTimeout(800)
      await page.locator('.tablet-bar button').click()
      await page.locator('dialog[open]').waitFor()
    },
    'tablet-idle-dialog': async (page, where) => {
      await page.clock.install()
      await tabletHome(page, where)
      await page.clock.fastForward(96_000)
      await page.locator('dialog[open]').waitFor()
    },
  }
}

/** The server refuses what is sent. */
async function refuseAnswers(page: Page, where: Where): Promise<void> {
  await fillIn(page, where)
  const problem = (text: string) => ({ code: 'own', params: {}, text })
  const problems = {
    [where.ids.pulse ?? '']: problem('Your pulse is higher than your heart can beat. Please measure again.'),
    [where.ids.warmth ?? '']: problem('“Your temperature” must be at most 42.'),
  }
  const json = { message: 'Some answers do not fit.', details: { problems } }
  await page.route('**/responses?*', (route) => route.fulfill({ status: 400, json }))
  await send(page)
}

const welcome: State<Where> = async (page, { url, tablet }) => {
  await page.goto(`${url}/app/tablet/${await tablet()}`)
  await page.locator('.card .main').click()
  await page.locator('#tablet-id').waitFor()
}
async function atTablet(page: Page, pin: string): Promise<void> {
  await page.locator('#tablet-id').fill('P-1')
  await page.locator('#tablet-pin').fill(pin)
  await page.locator('.tablet-form .main').click()
}
const tabletHome: State<Where> = async (page, where) => {
  await welcome(page, where)
  await atTablet(page, PIN)
  await page.locator('.tablet-bar').waitFor()
  await page.locator('.form-card').first().waitFor()
}
