/** A consent that is missing or withdrawn, as people see it in the app and on the page on which they withdraw. */
import { describe, expect, test } from 'bun:test'
import { onDevice, phone, signIn, withStudy } from './appVisits'
import { chromium, faultsOf, violations } from './browser'
import { plain, withConsent } from './consentVisits'

describe.skipIf(!chromium)('a consent that the study requires', () => {
  test('is asked for before a form is filled in; who signs in the app signs as themselves, and goes on', async () => {
    await withStudy((where) =>
      onDevice(async (page) => {
        const { call, trial, code } = where
        await signIn(page, where)
        const forms = `/trials/${trial}/consentDocuments`
        await call('POST', forms, { document: '<p>Two visits.</p>', verificationMethods: ['email'] })
        await call('PUT', `/trials/${trial}`, { eConsentEnabled: true, requiresConsent: ['main'] })
        const faults = faultsOf(page, where.base)
        await page.reload()
        await page.getByText('Please sign the consent form first').waitFor()
        await page.locator('.form-card a, a.form-card').first().click()
        await page.getByText('Before you can answer, the study needs your consent.').waitFor()
        expect(await page.getByLabel('4', { exact: true }).count()).toBe(0)
        expect(await violations(page)).toEqual([])
        await page.getByRole('link', { name: 'Read and sign' }).click()
        await page.getByRole('button', { name: 'Begin' }).click()
        await page.getByText('For participant P-1').first().waitFor()
        expect(new URL(page.url()).pathname).toBe(`/app/consent/${code}/main`)
        await page.getByRole('button', { name: 'Continue' }).click()
        await page.getByRole('button', { name: 'Continue' }).click()
        await page.locator('[name=fullName]').fill('Ann Lee')
        await page.locator('[name=typedName]').fill('Ann Lee')
        await page.getByRole('button', { name: 'Continue' }).click()
        await page.getByRole('button', { name: 'Sign now' }).click()
        await page.getByText('Thank you. You have signed.').waitFor()
        const { consents } = await call('GET', `/trials/${trial}/consents`)
        expect(consents).toMatchObject([{ participantId: 'P-1', startedBy: null }])
        await page.goto(`${where.base}/app/`)
        await page.locator('.form-card').first().waitFor()
        // What was kept on the device is shown until the answer is there.
        await page.getByText('Please sign the consent form first').waitFor({ state: 'detached' })
        expect(faults).toEqual([])
      }),
    )
  }, 180_000)

  test.each([
    ['de-DE', 'Sie haben Ihre Einwilligung widerrufen', 'Lesen und unterschreiben'],
    ['ar', 'لقد سحبت موافقتك', 'اقرأ ووقّع'],
  ])(
    'that was withdrawn is told in the language of the person (%s)',
    async (locale, title, sign) => {
      await withStudy((where) =>
        onDevice(
          async (page) => {
            const { call, inApp, trial, anna } = where
            await signIn(page, where)
            const form = (await call('POST', `/trials/${trial}/consentDocuments`, { document: '<p>Two visits.</p>' }))
              ._id
            await call('PUT', `/trials/${trial}`, { eConsentEnabled: true })
            const path = `/trials/${trial}/participants/${anna}/consent-sessions`
            const { token } = await inApp('POST', path, { consentDocument: form, witness: 'Will Witness' })
            const signed = { fullName: 'Ann Lee', signature: { method: 'typed', name: 'Ann Lee' } }
            const answer = await fetch(`${where.base}/consent-sessions/${token}/consent`, {
              method: 'POST',
              headers: { 'Content-Type': 'application/json' },
              body: JSON.stringify(signed),
            })
            const { _id } = (await answer.json()) as { _id: string }
            await call('POST', `/trials/${trial}/consents/${_id}/withdrawal`, { reason: 'By telephone.' })
            await page.reload()
            await page.getByText(title).waitFor()
            await page.getByRole('link', { name: sign }).waitFor()
            expect(await violations(page)).toEqual([])
          },
          { ...phone, locale },
        ),
      )
    },
    180_000,
  )
})

describe.skipIf(!chromium)('the page on which somebody withdraws', () => {
  test('offers what the study offers for the data, and the first of it is chosen', async () => {
    await withConsent({ ...plain, verificationMethods: ['email'] }, (where) =>
      onDevice(async (page) => {
        const { base, call, inApp, trial } = where
        const choices = ['keep', 'erasePersonalInformation', 'deleteAnswers']
        await call('PUT', `/trials/${trial}`, { consentWithdrawalChoices: choices })
        const send = async (path: string, body: object) => {
          const headers = { 'Content-Type': 'application/json' }
          const answer = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
          return (await answer.json()) as { token: string }
        }
        const newest = async () => (await inApp('GET', `/trials/${trial}/consent-codes`)).codes[0].code
        const { token } = await send('/consent/sleep/main/sessions', {})
        const email = { method: 'email', address: 'ann@example.org' }
        await send(`/consent-sessions/${token}/verifications`, email)
        await send(`/consent-sessions/${token}/verifications/codes`, { method: 'email', code: await newest() })
        const signature = { method: 'typed', name: 'Ann Lee' }
        await send(`/consent-sessions/${token}/consent`, { fullName: 'Ann Lee', signature })
        await call('PUT', '/test/clock', { advance: 'PT2M' })
        await page.goto(`${base}/app/consent/sleep/main/withdraw`)
        await page.locator('[name=address]').fill(email.address)
        await page.keyboard.press('Enter')
        await page.locator('[name=code]').fill(await newest())
        await page.keyboard.press('Enter')
        await page.getByText('What shall become of your data?').waitFor()
        expect(await page.locator('[name=data]:checked').inputValue()).toBe('keep')
        expect(await violations(page)).toEqual([])
        await page.locator('[name=data][value=erasePersonalInformation]').check()
        await page.getByRole('button', { name: 'Withdraw my consent' }).click()
        await page.getByText('Your consent is withdrawn').waitFor()
        const { consents } = await call('GET', `/trials/${trial}/consents`)
        expect(consents).toMatchObject([{ fullName: null, withdrawalChoice: 'erasePersonalInformation' }])
      }),
    )
  }, 180_000)
})
