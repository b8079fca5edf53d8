/** Consent forms in the browser: from a distance, in person, and withdrawn. */
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { sha256 } from '#kernel/id'
import { PIXEL } from '../conduct/consents/consents.study'
import { present } from '../present'
import { proof } from '../proof'
import { freshFolder } from '../server/process/folder'
import { NOW, phone } from './appVisits'
import { chromium, faultsOf, inBrowser } from './browser'
import {
  arrive,
  type ConsentVisit,
  clean,
  codeFor,
  confirm,
  drawLine,
  goOn,
  plain,
  read,
  withConsent,
} from './consentVisits'

const tablet = { ...phone, viewport: { width: 768, height: 1024 } }
const desktop = { viewport: { width: 1280, height: 800 }, locale: 'en-GB' }

/** A page on a device whose clock shows the time of the server. */
const visit = (act: (page: Page) => Promise<void>, options: BrowserContextOptions = phone) =>
  inBrowser(
    async (page) => {
      await page.clock.install({ time: NOW })
      await act(page)
    },
    { reducedMotion: 'reduce', ...options },
  )

const link = ({ base }: ConsentVisit) => `${base}/app/consent/sleep/main`
const kept = (page: Page) => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
const consentsOf = async ({ call, trial }: ConsentVisit) => (await call('GET', `/trials/${trial}/consents`)).consents

/** Begins, and signs a form that asks for nothing but a name. */
async function sign(page: Page, name = 'Ann Lee') {
  await page.locator('[name=fullName]').fill(name)
  await page.locator('[name=typedName]').fill(name)
  await goOn(page, 'A last look, then sign')
  await page.getByRole('button', { name: 'Sign now' }).click()
}

describe.skipIf(!chromium)('a consent form', () => {
  test(
    'is read, answered and signed on a phone; a lost answer leads to the same consent, and its PDF is what was signed',
    () =>
      withConsent({}, (where) =>
        visit(async (page) => {
          const faults = faultsOf(page, where.base)
          await page.goto(`${where.base}/consent/sleep/main`)
          await arrive(page, 'Would you like to take part?')
          expect(new URL(page.url()).pathname).toBe('/app/consent/sleep/main')
          await clean(page, faults, 'welcome')
          await page.getByRole('button', { name: 'Begin' }).click()
          await arrive(page, 'Information about the study')
          await clean(page, faults, 'information')
          await read(page)
          await goOn(page, 'Questions about what you read')
          await page.getByRole('button', { name: 'Check my answers' }).click()
          await page.getByText('Please choose an answer.').first().waitFor()
          await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'question-0')
          await page.locator('[name=question-0][value="0"]').check()
          await page.locator('[name=question-1][value="0"]').check()
          await page.getByRole('button', { name: 'Check my answers' }).click()
          await page.getByText('Some answers are not right yet').waitFor()
          await clean(page, faults, 'questions')
          await page.locator('[name=question-0][value="1"]').check()
          await page.getByRole('button', { name: 'Check my answers' }).click()
          await page.getByText('All answers are right').waitFor()
          await goOn(page, 'Is this study for you?')
          await page.locator('[name=eligible]').check()
          await goOn(page, 'What you agree to')
          await page.locator('.step-actions [type=submit]').click()
          await page.getByText('This is needed to take part').first().waitFor()
          await page.locator('[name=statement-0]').check()
          await page.locator('[name=statement-1]').check()
          await page.locator('[name=statement-2][value=no]').check()
          await page.locator('.step-actions [type=submit]').click()
          await page.getByText('Please enter your initials.').waitFor()
          await clean(page, faults, 'statements')
          await page.locator('[name=initials-1]').fill('AL')
          await goOn(page, 'How you can be reached')
          await page.locator('[name=address]').fill('ann')
          await page.getByRole('button', { name: 'Ask for a code' }).click()
          await page.getByText('This is no e-mail address').waitFor()
          await page.locator('[name=address]').fill('ann@example.org')
          await page.getByRole('button', { name: 'Ask for a code' }).click()
          await page.getByText('The study team reads the code out to you').waitFor()
          await page.locator('[name=code]').fill('1')
          await page.keyboard.press('Enter')
          await page.getByText('You have 4 more tries.').waitFor()
          await clean(page, faults, 'code')
          expect(await page.getByRole('button', { name: 'Another code in' }).isDisabled()).toBe(true)
          await page.clock.fastForward(61_000)
          await where.call('PUT', '/test/clock', { advance: 'PT61S' })
          await page.getByRole('button', { name: 'Get another code' }).click()
          await page.getByRole('button', { name: 'Another code in' }).waitFor()
          await page.locator('[name=code]').fill(await codeFor(where, 'ann@example.org'))
          await page.keyboard.press('Enter')
          await page.locator('.verified').waitFor()
          await clean(page, faults, 'contact')
          await goOn(page, 'Photo of an identity document')
          const photo = { name: 'id.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') }
          await page
            .locator('input[type=file]')
            .last()
            .setInputFiles({ ...photo, name: 'x.txt', mimeType: 'text/plain' })
          await page.getByText('Please choose a photo').waitFor()
          await page.locator('input[type=file]').last().setInputFiles(photo)
          await page.getByText('The photo has arrived').waitFor()
          await clean(page, faults, 'photo')
          await goOn(page, 'Your signature')
          await page.locator('[name=fullName]').fill('Ann Lee')
          await page.locator('[name=way][value=drawn]').check()
          await page.locator('.step-actions [type=submit]').click()
          await page.getByText('Please sign in the box.').waitFor()
          await drawLine(page)
          await clean(page, faults, 'signature')
          await goOn(page, 'A last look, then sign')
          await clean(page, faults, 'review')
          // The server stores the consent, and its answer is lost twice.
          await page.route(
            '**/consent',
            async (route) => {
              await route.fetch()
              await route.abort()
            },
            { times: 2 },
          )
          await page.getByRole('button', { name: 'Sign now' }).click()
          await page.getByText('We try again: you cannot sign twice.').waitFor()
          await page.clock.fastForward(1_500)
          await page.clock.fastForward(2_500)
          await arrive(page, 'Thank you. You have signed.')
          expect(faults.splice(0).every((each) => each.includes('ERR_FAILED'))).toBe(true)
          await page.getByText('How to check that the document is unchanged').click()
          await clean(page, faults, 'done')
          const [consent, ...others] = await consentsOf(where)
          expect([others, consent.fullName, consent.signatureMethod, consent.email]).toEqual([
            [],
            'Ann Lee',
            'drawn',
            'ann@example.org',
          ])
          expect(Object.values(consent.conditionConfirmations)).toEqual([
            { confirmed: true, initials: null },
            { confirmed: true, initials: 'AL' },
            { confirmed: false, initials: null },
          ])
          const pages = consent.sessionEvents.flatMap(({ page: each }: { page: string | null }) => each ?? [])
          expect(pages.slice(0, 3)).toEqual(['information', 'questions', 'eligibility'])
          const downloading = page.waitForEvent('download')
          await page.getByRole('link', { name: 'Download the signed document' }).click()
          const file = join(freshFolder(), 'consent.pdf')
          await (await downloading).saveAs(file)
          expect(sha256(await Bun.file(file).bytes())).toBe(present(await page.locator('.fold code').textContent()))
          const text = `${Bun.spawnSync(['pdftotext', '-layout', file, '-']).stdout}`
          expect([
            text.includes('Ann Lee'),
            text.includes('ann@example.org'),
            text.includes('My data may be stored.'),
          ]).toEqual([true, true, true])
          // Nothing that was entered stays, and the code opens the sign-in.
          expect(await kept(page)).not.toContain('Ann Lee')
          const code = present(await page.locator('.big-code').textContent())
          await page.getByRole('link', { name: 'Go to the sign-in' }).click()
          await page.locator('[name=code]').waitFor()
          expect([
            await page.locator('[name=code]').inputValue(),
            await page.locator('[name=trialCode]').inputValue(),
          ]).toEqual([code, 'sleep'])
          expect(page.url()).not.toContain(code)
          await page.goto(link(where))
          await arrive(page, 'Thank you. You have signed.')
          await page.getByRole('button', { name: 'Remove this from the device' }).click()
          await arrive(page, 'Would you like to take part?')
          expect(await kept(page)).not.toContain('token')
          expect(faults).toEqual([])
        }),
      ),
    240_000,
  )

  proof(
    'is signed by the keyboard alone, also after a pause; a newer version is offered before the signature',
    () =>
      withConsent({ ...plain, conditions: [{ id: 'a', title: 'I take part.' }] }, (where) =>
        visit(async (page) => {
          const faults = faultsOf(page, where.base)
          /** Goes to a control with the tabulator, as a person does who sees the focus. */
          const tabTo = async (name: string) => {
            for (let at = 0; at < 40; at++) {
              await page.keyboard.press('Tab')
              if (
                await page.evaluate(
                  (wanted) =>
                    (document.activeElement?.getAttribute('name') ?? document.activeElement?.textContent) === wanted,
                  name,
                )
              )
                return
            }
            throw new Error(`The tabulator does not come to ${name}.`)
          }
          await page.goto(link(where))
          await arrive(page, 'Would you like to take part?')
          await tabTo('Begin')
          await page.keyboard.press('Enter')
          await arrive(page, 'Information about the study')
          await page.waitForFunction(() => document.activeElement?.tagName === 'H1')
          await tabTo('Continue')
          await page.keyboard.press('Enter')
          await arrive(page, 'What you agree to')
          await tabTo('statement-0')
          await page.keyboard.press('Space')
          await page.waitForFunction(() => Object.values(localStorage).some((each) => `${each}`.includes('"a":true')))
          await page.reload()
          await page.getByText('Welcome back').waitFor()
          await arrive(page, 'What you agree to')
          expect(await page.locator('[name=statement-0]').isChecked()).toBe(true)
          await tabTo('Continue')
          await page.keyboard.press('Enter')
          await arrive(page, 'How you can be reached')
          await clean(page, faults, 'contact-free')
          await page.goBack()
          await arrive(page, 'What you agree to')
          await page.goForward()
          await arrive(page, 'How you can be reached')
          await tabTo('Continue without')
          await page.keyboard.press('Enter')
          await arrive(page, 'Your signature')
          await tabTo('fullName')
          await page.keyboard.type('Ann Lee')
          await tabTo('typedName')
          await page.keyboard.type('Ann')
          await page.keyboard.press('Enter')
          await page.getByText('This must be the same as your full name above.').waitFor()
          await clean(page, faults, 'typed')
          await page.keyboard.type(' Lee')
          await where.call('PATCH', `/trials/${where.trial}/consentDocuments/${where.documentId}`, {
            document: '<p>Three visits.</p>',
          })
          await page.keyboard.press('Enter')
          await page.getByText('The study has published newer information').waitFor()
          await clean(page, faults, 'newer')
          await tabTo('Sign now')
          await page.keyboard.press('Enter')
          await arrive(page, 'Thank you. You have signed.')
          await clean(page, faults, 'done-plain')
          expect(await consentsOf(where)).toMatchObject([
            { version: 1, fullName: 'Ann Lee', email: null, hasSignInCode: false },
          ])
        }, desktop),
      ),
    180_000,
  )

  proof(
    'says what to do where somebody cannot go on',
    () =>
      withConsent(plain, (where) =>
        visit(
          async (page) => {
            const faults = faultsOf(page, where.base)
            const settings = (change: object) => where.call('PUT', `/trials/${where.trial}`, change)
            const opens = async (title: string, name: string, path = '/app/consent/sleep/main') => {
              await page.goto(where.base + path)
              await arrive(page, title)
              await clean(page, faults, name)
            }
            await opens('There is no such consent form', 'gone', '/app/consent/sleep/other')
            await opens('This visit has ended', 'ended-in-person', `/app/consent-session/${'x'.repeat(43)}`)
            await settings({ eConsentClosed: true })
            await opens('This study takes no consents at present', 'closed')
            await settings({ eConsentClosed: false, eConsentEnabled: false })
            await opens('This study does not use this page at present', 'disabled')
            await settings({ eConsentEnabled: true })
            await page.goto(link(where))
            await page.getByRole('button', { name: 'Begin' }).click()
            await goOn(page, 'How you can be reached')
            await goOn(page, 'Your signature')
            await settings({ eConsentClosed: true })
            await sign(page)
            await arrive(page, 'This study takes no consents at present')
            await settings({ eConsentClosed: false })
            await page.goto(link(where))
            await arrive(page, 'A last look, then sign')
            await where.call('PUT', '/test/clock', { advance: 'PT25H' })
            await page.getByRole('button', { name: 'Sign now' }).click()
            await arrive(page, 'This visit has ended')
            await clean(page, faults, 'ended')
            expect(await kept(page)).not.toContain('Ann Lee')
            await page.getByRole('button', { name: 'Begin again' }).click()
            await page.getByRole('button', { name: 'Begin' }).click()
            await arrive(page, 'Information about the study')
            // A visit that ended while the page was closed.
            await where.call('PUT', '/test/clock', { advance: 'PT25H' })
            await page.reload()
            await page.getByText('Your last visit has ended').waitFor()
            await clean(page, faults, 'restarted')
          },
          { ...phone, colorScheme: 'dark' },
        ),
      ),
    180_000,
  )

  proof(
    'is signed in person on a tablet, and nothing of the person stays on it',
    () =>
      withConsent({ ...plain, verificationMethods: ['email'] }, (where) =>
        visit(async (page) => {
          const faults = faultsOf(page, where.base)
          const { trial, participant, documentId } = where
          const path = `/trials/${trial}/participants/${participant}/consent-sessions`
          const { url, token } = await where.inApp('POST', path, {
            consentDocument: documentId,
            witness: 'Will Witness',
          })
          const { pathname } = new URL(url, where.base)
          await page.goto(where.base + pathname)
          await page.getByText('For participant P-1').waitFor()
          await clean(page, faults, 'in-person')
          await page.getByRole('button', { name: 'Begin' }).click()
          await arrive(page, 'Information about the study')
          await page.getByRole('button', { name: 'Stop without signing' }).click()
          await page.getByRole('dialog').waitFor()
          await clean(page, faults, 'stop')
          await page.keyboard.press('Escape')
          await goOn(page, 'How you can be reached')
          await confirm(page, where, 'ann@example.org')
          await goOn(page, 'Your signature')
          await sign(page)
          await arrive(page, 'Thank you. You have signed.')
          await clean(page, faults, 'hand-back')
          expect(await kept(page)).not.toMatch(/Ann Lee|ann@|token/)
          expect(await consentsOf(where)).toMatchObject([{ participantId: 'P-1', email: 'ann@example.org' }])
          const ended = page.waitForResponse(
            (answer) =>
              answer.url().endsWith(`${token}/events`) && (answer.request().postData() ?? '').includes('ended'),
          )
          await page.getByRole('button', { name: 'Finish and hand the device back' }).click()
          await arrive(page, 'Please hand the device back')
          await ended
          await clean(page, faults, 'handed-back')
          expect([page.url().includes(token), await page.content()]).toEqual([
            false,
            expect.not.stringMatching(/Ann Lee|ann@/),
          ])
          await page.goto(where.base + pathname)
          await arrive(page, 'This visit has ended')
          // Somebody goes away in the middle.
          const second = await where.inApp('POST', path, { consentDocument: documentId, witness: 'Will Witness' })
          await page.goto(where.base + new URL(second.url, where.base).pathname)
          await page.getByRole('button', { name: 'Begin' }).click()
          await arrive(page, 'Information about the study')
          await page.clock.fastForward(31 * 60_000)
          await arrive(page, 'You have stopped')
          await page.goBack()
          await arrive(page, 'This visit has ended')
          expect(await page.content()).not.toMatch(/Ann Lee|ann@/)
        }, tablet),
      ),
    180_000,
  )

  proof(
    'is read in every language, from right to left, and with letters of twice the size',
    () =>
      withConsent({}, async (where) => {
        for (const [locale, begin, title] of [
          ['ar', 'ابدأ', 'معلومات عن الدراسة'],
          ['de-DE', 'Beginnen', 'Informationen zur Studie'],
          ['es', 'Empezar', 'Información sobre el estudio'],
          ['fr', 'Commencer', 'Informations sur l’étude'],
        ] as const)
          await visit(
            async (page) => {
              const faults = faultsOf(page, where.base)
              await page.goto(link(where))
              if (locale !== 'ar')
                await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
              await page.getByRole('button', { name: begin }).waitFor()
              await clean(page, faults, `welcome-${locale}`)
              await page.getByRole('button', { name: begin }).click()
              await arrive(page, title)
              await clean(page, faults, `information-${locale}`)
            },
            { ...phone, locale, colorScheme: locale === 'ar' ? 'light' : 'dark' },
          )
      }),
    180_000,
  )

  proof(
    'is withdrawn with the address and a code, in kind words; a stranger learns nothing',
    () =>
      withConsent(plain, (where) =>
        visit(
          async (page) => {
            const faults = faultsOf(page, where.base)
            await page.goto(link(where))
            await page.getByRole('button', { name: 'Begin' }).click()
            await goOn(page, 'How you can be reached')
            await confirm(page, where, 'ann@example.org')
            await goOn(page, 'Your signature')
            await sign(page)
            await arrive(page, 'Thank you. You have signed.')
            await where.call('PUT', '/test/clock', { advance: 'PT2M' })
            await page.getByRole('link', { name: 'I have given my consent' }).click()
            await arrive(page, 'Withdraw your consent')
            await clean(page, faults, 'withdraw')
            const ask = async (address: string) => {
              await page.locator('[name=address]').fill(address)
              await page.keyboard.press('Enter')
              await page.getByText(`If somebody gave their consent with ${address}`).waitFor()
            }
            await ask('bo@example.org')
            await page.locator('[name=code]').fill('481516')
            await page.keyboard.press('Enter')
            await page.getByText('You have 4 more tries.').waitFor()
            await page.getByRole('button', { name: 'Use another address' }).click()
            await ask('ann@example.org')
            await clean(page, faults, 'withdraw-code')
            await page.locator('[name=code]').fill(await codeFor(where, 'ann@example.org'))
            await page.keyboard.press('Enter')
            await page.locator('[name=consents]').uncheck()
            await page.getByRole('button', { name: 'Withdraw my consent' }).click()
            await page.getByText('Please choose at least one.').waitFor()
            await clean(page, faults, 'withdraw-choice')
            await page.locator('[name=consents]').check()
            await page.locator('[name=reason]').fill('We move away.')
            await page.getByRole('button', { name: 'Withdraw my consent' }).click()
            await arrive(page, 'Your consent is withdrawn')
            await clean(page, faults, 'withdrawn')
            expect(await consentsOf(where)).toMatchObject([{ withdrawalReason: 'We move away.', withdrawnBy: null }])
          },
          { ...tablet, colorScheme: 'dark' },
        ),
      ),
    180_000,
  )
})
