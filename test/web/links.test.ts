/** The pages behind links: reviews of files and forms. */
import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { present } from '../present'
import { proof } from '../proof'
import { onDevice, phone, type StudyVisit, withStudy } from './appVisits'
import { chromium, faultsOf, inBrowser, violations, wholeChromium } from './browser'
import { keptByLinks, PIXEL } from './linkVisits'

const HOSTILE = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>'
const APPROVER = 'sponsor@example.com'
const sizes = [phone.viewport, { width: 768, height: 1024 }, { width: 1280, height: 800 }]

/** Uploads a text and asks somebody without an account to approve it. Returns the path of the page behind the link. */
async function asked({ call, trial, base }: StudyVisit) {
  const content = `First line\n${HOSTILE}\n${'Breathe in and out. '.repeat(400)}`
  const upload = await call(
    'GET',
    `/uploads/file/request?${new URLSearchParams({ name: 'plan.txt', size: `${content.length}`, type: 'text/plain', forType: 'trial', forId: trial })}`,
  )
  const { pathname, search } = new URL(upload.signedRequestURL, base)
  await fetch(base + pathname + search, { method: 'PUT', body: content, headers: { 'Content-Type': 'text/plain' } })
  const { _id: file } = await call('POST', `/trials/${trial}/files`, { name: `Protocol ${HOSTILE}`, type: 'protocol' })
  const version = { name: 'plan.txt', storedName: upload.fileName, status: 'draft' }
  await call('POST', `/files/${file}/versions`, version)
  const request = await call('POST', `/files/${file}/approvals`, {
    approvers: [{ email: APPROVER, role: `Sponsor ${HOSTILE}` }],
    message: `Please read it by Friday.\n${HOSTILE}`,
  })
  const { messages } = await call('GET', '/test/outbox')
  const mail = messages.find(({ recipient }: { recipient: string }) => recipient === APPROVER)
  return { file, request, path: present(/\/app\/file-review\/[\w-]{43}/.exec(mail.body)?.[0]) }
}

async function stageLink({ call, trial, bert }: StudyVisit, fields: Record<string, unknown> = {}, mood = 'Your mood') {
  const type = await call('POST', `/trials/${trial}/data-types`, {
    ...{ name: mood, code: `m${Math.random().toString(36).slice(2, 8)}`, format: 'rating', min: 1, max: 5 },
  })
  const stage = await call('POST', `/trials/${trial}/stages`, {
    name: `Diary ${HOSTILE}`,
    description: HOSTILE,
    postSubmissionText: `Thank you ${HOSTILE}`,
    components: [{ id: 'q', dataType: type._id, title: `How are you? ${HOSTILE}`, isRequired: true }],
    ...fields,
  })
  const { url } = await call('POST', `/trials/${trial}/participants/${bert}/stages/${stage._id}/tokens`, {})
  return { path: new URL(url).pathname, stage: stage._id as string, type: type._id as string }
}

const isRun = (page: Page) => page.evaluate(() => 'ran' in window)
async function clean(page: Page, faults: readonly string[]) {
  expect([await violations(page), faults, await isRun(page)]).toEqual([[], [], false])
}

const SHOTS = process.env.SHOTS
/** Keeps a picture of the page in the folder that SHOTS names, to be looked at. */
const picture = (page: Page, name: string) =>
  SHOTS ? page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true }) : undefined

describe.skipIf(!chromium)('behind a link', () => {
  proof(
    'an approver reads the document and decides once, by the keyboard alone; two decisions at once are one',
    async () => {
      await withStudy(async (where) => {
        const { path, file } = await asked(where)
        for (const [at, viewport] of sizes.entries())
          await inBrowser(
            async (page) => {
              const faults = faultsOf(page, where.base)
              // A connection that is lost for a moment does not hide the document.
              if (at === 0) await page.route('**/preview', (route) => route.abort(), { times: 1 })
              await page.goto(where.base + path)
              await page.getByRole('heading', { level: 1, name: 'Protocol' }).waitFor()
              if (at === 0) await page.getByRole('button', { name: 'Try again' }).click()
              await page.frameLocator('iframe.document').getByText('First line').waitFor()
              // The browser notes the request that was cut.
              await clean(page, at === 0 ? [] : faults)
              expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
                0,
              )
              await picture(page, `review-${at}`)
            },
            { ...phone, viewport, colorScheme: at === 1 ? 'dark' : 'light', executablePath: wholeChromium },
          )
        await inBrowser(
          async (page) => {
            const faults = faultsOf(page, where.base)
            await page.goto(where.base + path)
            await page.getByLabel('Language').selectOption('ar')
            await page.getByRole('heading', { name: 'المستند', exact: true }).waitFor()
            await picture(page, 'review-ar')
            await page.getByLabel('اللغة').selectOption('en')
            await page.getByRole('button', { name: 'Send my decision' }).focus()
            await page.keyboard.press('Enter')
            await page.getByText('Please choose one.').waitFor()
            await page.getByLabel('I reject this version').focus()
            await page.keyboard.press('Space')
            await page.getByRole('button', { name: 'Send my decision' }).focus()
            await page.keyboard.press('Enter')
            await page.getByText('Please say why you reject it.').waitFor()
            await clean(page, faults)
            await picture(page, 'review-fault')
            await page.getByLabel('Comment').focus()
            await page.keyboard.type('Page 3 lacks the dose.')
            await page.getByRole('button', { name: 'Send my decision' }).focus()
            const token = path.split('/').at(-1)
            const other = fetch(`${where.base}/file-reviews/${token}`, {
              method: 'POST',
              headers: { 'Content-Type': 'application/json' },
              body: JSON.stringify({ decision: 'rejected', comment: 'Elsewhere.' }),
            })
            await page.keyboard.press('Enter')
            await page.getByRole('heading', { name: 'You have rejected this version' }).waitFor()
            await other
            await clean(page, faults)
            const { approvals } = await where.call('GET', `/files/${file}/approvals`)
            expect(approvals).toMatchObject([
              { status: 'rejected', approvers: [{ decision: 'rejected', byLink: true }] },
            ])
            await page.reload()
            await page.getByText('You have decided already').waitFor()
            await clean(page, faults)
            await picture(page, 'review-decided')
          },
          { ...phone, executablePath: wholeChromium },
        )
      })
    },
    180_000,
  )

  proof(
    'an approver who reads for more than an hour can still download and open the document',
    async () => {
      await withStudy(async (where) => {
        const { path } = await asked(where)
        await onDevice(async (page) => {
          await page.goto(where.base + path)
          await page.frameLocator('iframe.document').getByText('First line').waitFor()
          await page.getByLabel('Comment').fill('Page 3')
          for (let half = 0; half < 3; half++) {
            await where.call('PUT', '/test/clock', { advance: 'PT31M' })
            await Promise.all([page.waitForResponse(/file-reviews\/[\w-]+\/preview$/), page.clock.fastForward('31:00')])
          }
          const [download] = await Promise.all([
            page.waitForEvent('download'),
            page.getByRole('link', { name: 'Download' }).click(),
          ])
          expect(download.suggestedFilename()).toBe('plan.txt')
          const [tab] = await Promise.all([page.waitForEvent('popup'), page.getByText('Open in a new tab').click()])
          await tab.getByText('First line').waitFor()
          expect(await page.getByLabel('Comment').inputValue()).toBe('Page 3')
        })
      })
    },
    180_000,
  )

  proof(
    'who comes too late to a review is told why',
    async () => {
      await withStudy(async (where) => {
        const { path, file, request } = await asked(where)
        await where.call('DELETE', `/files/${file}/approvals/${request._id}`)
        await onDevice(async (page) => {
          const faults = faultsOf(page, where.base)
          await page.goto(where.base + path)
          await page.getByRole('heading', { name: 'This request was withdrawn' }).waitFor()
          await clean(page, faults)
          await page.goto(`${where.base}/app/file-review/${'x'.repeat(43)}`)
          await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor()
          await clean(page, faults)
          await picture(page, 'link-ended')
        })
      })
    },
    180_000,
  )

  test('a form is filled in without an account, also where the connection is lost, and is stored once', async () => {
    await withStudy(async (where) => {
      const { path, stage, type } = await stageLink(where)
      const stored = async () =>
        (await where.call('GET', `/trials/${where.trial}/participants/${where.bert}/responses`)).responses
          .filter((each: { stage: string }) => each.stage === stage)
          .map((each: { response: Record<string, { value: unknown }> }) => each.response[type]?.value)
      await onDevice(async (page) => {
        const faults = faultsOf(page, where.base)
        await page.goto(where.base + path)
        await page.getByRole('heading', { level: 1, name: 'Diary' }).waitFor()
        await page.getByRole('button', { name: 'Send' }).click()
        await page.locator('.summary h2', { hasText: /^\d+ questions? needs? an answer$/ }).waitFor()
        await clean(page, faults)
        await picture(page, 'stage-fault')
        await page.getByLabel('4', { exact: true }).check({ force: true })
        await page.context().setOffline(true)
        await page.getByRole('button', { name: 'Send' }).click()
        await page.getByRole('heading', { name: 'Your answers are kept on this device' }).waitFor()
        await picture(page, 'stage-waiting')
        expect(await page.evaluate(() => localStorage.length)).toBeGreaterThan(0)
        await page.context().setOffline(false)
        await page.getByRole('heading', { name: 'Thank you. Your answers have arrived.' }).waitFor()
        await page.getByText('Thank you <img').waitFor()
        expect(await page.evaluate(() => JSON.stringify(localStorage))).toBe('{}')
        expect(await stored()).toEqual([4])
        expect([await violations(page), await isRun(page)]).toEqual([[], false])
        await picture(page, 'stage-stored')
        await page.reload()
        await page.getByText('You have sent this form before').waitFor()
        expect(await page.getByLabel('4', { exact: true }).isChecked()).toBe(false)
      })
    })
  }, 180_000)

  proof(
    'a photo and a film go by a link, over a lost connection too, and leave nothing on the device',
    async () => {
      await withStudy(async (where) => {
        const { call, trial, bert } = where
        const photo = await call('POST', `/trials/${trial}/data-types`, { name: 'Rash', code: 'rash', format: 'image' })
        const film = await call('POST', `/trials/${trial}/data-types`, { name: 'Gait', code: 'gait', format: 'video' })
        const { path, stage } = await stageLink(where, {
          components: [
            { id: 'a', dataType: photo._id, title: 'A photo of the rash', isRequired: true },
            { id: 'b', dataType: film._id, title: 'A film of your steps' },
          ],
        })
        const rash = { name: `${HOSTILE}.png`, mimeType: 'image/png', buffer: PIXEL }
        // In more than one part.
        const steps = { name: 'steps.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(1_300_000, 'steps') }
        await onDevice(async (page) => {
          const faults = faultsOf(page, where.base)
          await page.goto(where.base + path)
          await page.getByRole('button', { name: 'Send' }).waitFor()
          await page.getByRole('button', { name: 'Send' }).click()
          await page.locator('.summary h2', { hasText: /^\d+ questions? needs? an answer$/ }).waitFor()
          await page.getByLabel('A photo of the rash').setInputFiles(rash)
          await page.getByText('.png').first().waitFor()
          await page.getByLabel('A film of your steps').setInputFiles(steps)
          await page.getByText('steps.mp4').first().waitFor()
          await clean(page, faults)
          await picture(page, 'stage-files')
          expect(await keptByLinks(page)).toBe(0)
          // The line breaks in the middle of the film, and comes back after the page was closed.
          const parts: string[] = []
          let isBroken = false
          await page.route('**/storage/**', async (route) => {
            const range = route.request().headers()['content-range']
            if (parts.length === 1) isBroken = true // The first part has arrived.
            if (range !== undefined && !isBroken) parts.push(range)
            await (isBroken ? route.abort('connectionreset') : route.continue())
          })
          await page.getByRole('button', { name: 'Send' }).click()
          await page.getByRole('heading', { name: 'Your answers are kept on this device' }).waitFor()
          await picture(page, 'stage-files-waiting')
          expect(await keptByLinks(page)).toBe(3)
          await page.goto('about:blank')
          parts.push('closed and opened')
          isBroken = false
          await page.goto(where.base + path)
          await page.getByRole('heading', { name: 'Thank you. Your answers have arrived.' }).waitFor()
          expect([await keptByLinks(page), await isRun(page)]).toEqual([0, false])
          // The first part is not sent again.
          const all = ['0-524287', 'closed and opened', '*', '524288-1048575', '1048576-1299999']
          expect(parts.map((range) => range.replace(/^bytes |\/1300000$/g, ''))).toEqual(all)
        })
        const { responses } = await call('GET', `/trials/${trial}/participants/${bert}/responses`)
        const { response } = responses.find((each: { stage: string }) => each.stage === stage)
        expect(response[photo._id].value.name).toBe(rash.name)
        const at = new URL(response[film._id].url)
        const bytes = Buffer.from(await (await fetch(where.base + at.pathname + at.search)).arrayBuffer())
        expect(bytes.equals(steps.buffer)).toBe(true)
      })
    },
    180_000,
  )

  proof(
    'a form that is not open says when it will be, and an ended link what to do',
    async () => {
      await withStudy(async (where) => {
        const later = { enableAfter: { type: 'stage', stage: where.first, delay: 3 } }
        const { path } = await stageLink(where, later)
        await onDevice(
          async (page) => {
            const faults = faultsOf(page, where.base)
            await page.goto(where.base + path)
            await page.getByRole('heading', { name: 'Dieses Formular ist noch nicht offen' }).waitFor()
            await clean(page, faults)
            await picture(page, 'stage-notyet-de')
            await where.call('PUT', '/test/clock', { advance: 'P9D' })
            await page.reload()
            await page.getByRole('heading', { name: 'Die Zeit dieses Links ist vorbei' }).waitFor()
            await clean(page, faults)
          },
          { ...phone, locale: 'de-DE' },
        )
      })
    },
    180_000,
  )

  proof(
    'answers that were not sent are not left by mistake; a link that ends meanwhile says what to do; a cut link too',
    async () => {
      await withStudy(async (where) => {
        const { path } = await stageLink(where)
        await onDevice(async (page) => {
          const asked: string[] = []
          page.on('dialog', (dialog) => {
            asked.push(dialog.type())
            void dialog.accept()
          })
          await page.goto(`${where.base + path}/`)
          await page.getByRole('heading', { name: 'Diary' }).waitFor()
          expect(new URL(page.url()).pathname).toBe(path)
          await page.reload()
          expect(asked).toEqual([])
          await page.getByRole('radio', { name: '4' }).check({ force: true })
          // The page notes soon that it holds an answer.
          await page.waitForFunction(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })))
          await page.reload()
          expect(asked).toEqual(['beforeunload'])
          await page.getByRole('radio', { name: '4' }).check({ force: true })
          await where.call('PUT', '/test/clock', { advance: 'P9D' })
          await page.getByRole('button', { name: 'Send' }).click()
          await page.getByText('Please ask the study team for a new link.').waitFor()
          await page.getByText('your answers are still on this page').waitFor()
          expect(await violations(page)).toEqual([])
          for (const cut of ['/app/stage/', `${path}/a`, '/poll', '/poll/x', '/app/file-review/', '/app/consent/x']) {
            await page.goto(where.base + cut)
            await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor()
          }
        })
      })
    },
    180_000,
  )

  proof(
    'a poll is answered without an account, by two people on one device, and nothing of them stays on it',
    async () => {
      await withStudy(async (where) => {
        const { trial, code, call, mood } = where
        const stage = await call('POST', `/trials/${trial}/stages`, {
          name: `Breath in the hall ${HOSTILE}`,
          description: HOSTILE,
          isPoll: true,
          postSubmissionText: `See you ${HOSTILE}`,
          pollSettings: { requireEmail: true, requirePhone: true },
          customLinks: [{ id: 'hall a', name: HOSTILE, attributes: [{ name: 'city', value: 'Ulm' }] }],
          components: [{ id: 'q', dataType: mood, title: `How do you breathe? ${HOSTILE}`, isRequired: true }],
        })
        const at = `${where.base}/poll/${code}/${stage._id}`
        const answers = async () => call('GET', `/trials/${trial}/stages/${stage._id}/pollAnswers`)
        for (const [n, viewport] of sizes.entries())
          await inBrowser(
            async (page) => {
              const faults = faultsOf(page, where.base)
              await page.goto(`${at}/hall%20a`)
              await page.getByRole('heading', { level: 1, name: 'Breath in the hall' }).waitFor()
              await clean(page, faults)
              expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
                0,
              )
              await picture(page, `poll-${n}`)
            },
            { ...phone, viewport, colorScheme: n === 1 ? 'dark' : 'light' },
          )
        await onDevice(async (page) => {
          const faults = faultsOf(page, where.base)
          await page.goto(`${at}/hall%20a`)
          for (const [n, name] of ['anna', 'bert'].entries()) {
            await page.getByLabel('4', { exact: true }).check({ force: true })
            if (n === 0) {
              await page.getByRole('button', { name: 'Send' }).click()
              await page.getByText('Please enter your e-mail address.').waitFor()
              await clean(page, faults)
              await picture(page, 'poll-fault')
            }
            await page.getByLabel('E-mail address').fill(`${name}@example.com`)
            if (n === 0) {
              await page.getByLabel('Phone number').fill('ask my wife')
              await page.getByRole('button', { name: 'Send' }).click()
              await page.getByText('Please enter the number with the code of your country').first().waitFor()
              await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'phone')
              await clean(page, faults)
            }
            await page.getByLabel('Phone number').fill('+44 7700 900123')
            await page.getByRole('button', { name: 'Send' }).focus()
            await page.keyboard.press('Enter')
            await page.getByRole('heading', { name: 'Thank you. Your answers have arrived.' }).waitFor()
            await clean(page, faults)
            expect(await page.evaluate(() => localStorage.length)).toBe(0)
            if (n === 0) await page.getByRole('button', { name: 'Answer again for somebody else' }).click()
          }
          await picture(page, 'poll-stored')
          const { total, answers: came } = await answers()
          expect([total, came[0].attributes, came.map(({ email }: { email: string }) => email)]).toEqual([
            2,
            [{ name: 'city', value: 'Ulm' }],
            ['bert@example.com', 'anna@example.com'],
          ])
          await page.goto(`${at}/hall%20a`)
          await page.getByLabel('اللغة').or(page.getByLabel('Language')).selectOption('ar')
          await page.getByText('كيف يمكن الوصول إليك').waitFor()
          await clean(page, faults)
          await picture(page, 'poll-ar')
          await call('PUT', `/stages/${stage._id}`, { enabled: false })
          await page.reload()
          await page.getByRole('heading', { name: 'هذا الاستطلاع مغلق' }).waitFor()
          await clean(page, faults)
          for (const broken of ['another', '%E0%A4%A']) {
            await page.goto(`${at}/${broken}`)
            await page.getByRole('heading', { name: 'لا يوجد استطلاع كهذا' }).waitFor()
          }
          await page.goto(`${where.base}/poll/${code}/${'0'.repeat(24)}`)
          await page.getByRole('heading', { name: 'لا يوجد استطلاع كهذا' }).waitFor()
          await clean(page, faults)
        })
      })
    },
    180_000,
  )

  proof(
    'a contact of a poll is confirmed by a code, answers once, and a lost connection is told',
    async () => {
      await withStudy(async (where) => {
        const { trial, code, call, mood } = where
        const stage = await call('POST', `/trials/${trial}/stages`, {
          name: 'Breath',
          isPoll: true,
          pollSettings: { verifyEmail: true, oneAnswerPerContact: true },
          components: [{ id: 'q', dataType: mood, title: 'How do you breathe?', isRequired: true }],
        })
        const codeNow = async () => (await where.inApp('GET', `/trials/${trial}/poll-codes`)).codes[0].code
        for (const [n, viewport] of sizes.entries())
          await onDevice(
            async (page) => {
              const faults = faultsOf(page, where.base)
              await page.goto(`${where.base}/poll/${code}/${stage._id}`)
              await page.getByLabel('4', { exact: true }).check({ force: true })
              await page.getByRole('button', { name: 'Send', exact: true }).click()
              await page.getByText('Please confirm this first, by the code.').waitFor()
              await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'email')
              await clean(page, faults)
              await picture(page, `poll-proof-${n}`)
              await page.getByLabel('E-mail address').fill(`Anna-${n}@Example.com`)
              await page.context().setOffline(true)
              await page.getByRole('button', { name: 'Send me a code' }).click()
              await page.getByText('There is no connection. A code needs one').waitFor()
              await picture(page, `poll-proof-offline-${n}`)
              await page.context().setOffline(false)
              await page.getByLabel('E-mail address').press('Enter')
              await page.getByText(`The study team reads out the code for anna-${n}@example.com`).waitFor()
              await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'email-code')
              const right = await codeNow()
              await page.keyboard.type(right === '000000' ? '000001' : '000000')
              await page.keyboard.press('Enter')
              await page.getByText('That is not the code. Tries left: 4.').waitFor()
              expect(await violations(page)).toEqual([])
              await picture(page, `poll-code-${n}`)
              await page.getByLabel('Code', { exact: true }).fill(`${right.slice(0, 3)} ${right.slice(3)}`)
              await page.getByRole('button', { name: 'Confirm' }).click()
              await page.getByText(`anna-${n}@example.com is confirmed.`).waitFor()
              await picture(page, `poll-confirmed-${n}`)
              await page.getByRole('button', { name: 'Send', exact: true }).click()
              await page.getByRole('heading', { name: 'Thank you. Your answers have arrived.' }).waitFor()
              expect([await violations(page), await page.evaluate(() => localStorage.length)]).toEqual([[], 0])
              if (n > 0) return
              await page.getByRole('button', { name: 'Answer again for somebody else' }).click()
              await call('PUT', '/test/clock', { advance: 'PT2M' })
              await page.getByLabel('Language').selectOption('ar')
              await page.getByLabel('البريد الإلكتروني').fill('ANNA-0@example.com')
              await page.getByRole('button', { name: 'أرسل لي رمزًا' }).click()
              await page.getByLabel('الرمز', { exact: true }).fill(await codeNow())
              await page.getByRole('button', { name: 'تأكيد' }).click()
              await page.getByText('تمت الإجابة بهذا العنوان').waitFor()
              expect(await violations(page)).toEqual([])
              await picture(page, 'poll-again-ar')
            },
            { ...phone, viewport, colorScheme: n === 1 ? 'dark' : 'light' },
          )
        const { total, answers } = await call('GET', `/trials/${trial}/stages/${stage._id}/pollAnswers`)
        const said = answers.map(({ email, emailVerifiedAt }: { email: string; emailVerifiedAt: string | null }) => [
          email,
          emailVerifiedAt !== null,
        ])
        expect([total, said]).toEqual([3, [2, 1, 0].map((n) => [`anna-${n}@example.com`, true])])
      })
    },
    180_000,
  )

  proof(
    'the form after a consent is filled in before the first sign-in, also over a lost connection',
    async () => {
      await withStudy(async (where) => {
        const { trial, code, call, mood } = where
        const components = [{ id: 'q', dataType: mood, title: `How do you sleep? ${HOSTILE}`, isRequired: true }]
        const stage = await call('POST', `/trials/${trial}/stages`, { name: 'Before the study', components })
        await call('PUT', `/trials/${trial}`, { eConsentEnabled: true })
        await call('POST', `/trials/${trial}/consentDocuments`, {
          ...{ document: '<p>What it asks.</p>', postConsentStage: stage._id },
        })
        const { token } = await call('POST', `/consent/${code}/main/sessions`, {})
        const signature = { method: 'typed', name: 'Ann Lee' }
        // A key cannot sign for anybody.
        const signed = await fetch(`${where.base}/consent-sessions/${token}/consent`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ fullName: 'Ann Lee', signature }),
        })
        const given = await signed.json()
        const { pathname } = new URL(given.postConsentStage.url)
        await onDevice(async (page) => {
          const faults = faultsOf(page, where.base)
          await page.goto(where.base + pathname)
          await page.getByRole('heading', { level: 1, name: 'Before the study' }).waitFor()
          await clean(page, faults)
          await picture(page, 'screening')
          await page.getByLabel('3', { exact: true }).check({ force: true })
          await page.context().setOffline(true)
          await page.getByRole('button', { name: 'Send' }).click()
          await page.getByRole('heading', { name: 'Your answers are kept on this device' }).waitFor()
          await page.context().setOffline(false)
          await page.getByRole('heading', { name: 'Thank you. Your answers have arrived.' }).waitFor()
          expect(await page.evaluate(() => localStorage.length)).toBe(0)
          await page.reload()
          await page.getByText('You have sent this form before').waitFor()
          expect([await violations(page), await isRun(page)]).toEqual([[], false])
        })
        expect((await call('GET', `/trials/${trial}/consents/${given._id}`)).screeningResponses).toHaveLength(1)
      })
    },
    180_000,
  )
})
