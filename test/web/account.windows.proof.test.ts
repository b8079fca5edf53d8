/** Several windows of one browser: what one of them did, the others say in the language of the page, and nothing is done for somebody else. */
import { expect, test } from 'bun:test'
import { listen } from '#server/listen'
import { PASSWORD, world } from '../harness'
import { chromium, faultsOf, inBrowser, violations } from './browser'

const NEW = 'quiet meadow 48 lamps'

test.skipIf(!chromium)(
  'a link that another window used meanwhile, and another sign-in, are told in German',
  async () => {
    const { service, owner, team, signIn } = world()
    const server = listen(service, { host: '127.0.0.1', port: 0 })
    const base = `http://127.0.0.1:${server.port}`
    await signIn(owner)
    const body = { email: 'nina@example.org', name: 'Nina' } as const
    const { setupUrl } = await owner.do('inviteMember', team, body)
    await inBrowser(
      async (page) => {
        const other = await page.context().newPage()
        const faults = faultsOf(page, base)
        const sound = async (state: string) => expect([state, await violations(page), faults]).toEqual([state, [], []])
        const link = setupUrl!.replace('http://localhost', base)
        for (const window of [page, other]) {
          await window.goto(link)
          await window.getByLabel('Passwort', { exact: true }).fill(NEW)
          await window.getByLabel('Dasselbe Passwort noch einmal').fill(NEW)
        }
        await other.getByRole('button', { name: 'Einrichten' }).click()
        await other.getByText('Ihr Konto ist bereit.').waitFor()
        await page.getByRole('button', { name: 'Einrichten' }).click()
        await page.getByRole('heading', { name: 'Dieser Link ist nicht gültig' }).waitFor()
        await page.getByText('Er wurde schon benutzt').waitFor()
        await sound('a link that was used meanwhile')

        const enter = async (window: typeof page, email: string, password: string) => {
          await window.goto(`${base}/account/two-step`)
          await window.getByLabel('E-Mail-Adresse').fill(email)
          await window.getByLabel('Passwort').fill(password)
          await window.getByRole('button', { name: 'Anmelden' }).click()
          await window.getByRole('button', { name: 'Einrichten' }).waitFor()
        }
        await enter(page, body.email, NEW)
        await page.context().clearCookies()
        await enter(other, owner.email, PASSWORD)
        await page.getByRole('button', { name: 'Einrichten' }).click()
        await page.getByText('Sie haben sich in einem anderen Fenster neu angemeldet.').waitFor()
        await page.getByRole('button', { name: 'Einrichten' }).waitFor()
        await sound('another sign-in')
        await page.getByRole('link', { name: 'Zurück zu Ihrem Konto' }).click()
        await page.getByText('(owner@example.org)').waitFor()
      },
      { locale: 'de-DE' },
    )
    await server.stop()
  },
  180_000,
)
