/** A study with a consent form for visits in a browser: everything that a form may ask, and texts of which none may run. */
import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { listen } from '#server/listen'
import { present } from '../present'
import { testServer } from '../testServer'
import { violations } from './browser'

export const HOSTILE = '<img src=x onerror="window.ran=1"><script>window.ran=1</script>\ud83d'.toWellFormed()
const SHOTS = process.env.SHOTS

const paragraph = 'You can stop at any time, without giving a reason. '
const sheet = `<h1>Breath ${HOSTILE}</h1><p>${paragraph.repeat(10)}</p><h2>Visits</h2><ul><li>Two visits</li></ul>
  <h2>Risks</h2><p onclick="window.ran=1">${paragraph.repeat(30)}</p><table><tr><th>What</th></tr><tr><td>Dizziness</td></tr></table>
  <h2>Data</h2><p><a href="javascript:window.ran=1">Bad</a> <a href="https://example.org/">Good</a></p><svg onload="window.ran=1"></svg>
  <iframe src="https://elsewhere.test"></iframe><p>${paragraph.repeat(20)}</p>`

const form = {
  document: sheet,
  eligibilityCriteria: `Adults.\n${HOSTILE}`,
  conditions: [
    { id: 'a', title: `I take part. ${HOSTILE}`, description: HOSTILE },
    { id: HOSTILE.slice(0, 40), title: 'My data may be stored.', requiresInitials: true },
    { id: 'c', title: 'I may be called.', optional: true, requiresInitials: true },
  ],
  ...{ verificationMethods: ['email', 'phone'], requiredVerificationMethods: ['email'], readToEnd: true },
  ...{ identityVerificationEnabled: true, requiresCountersignature: true, connectContactDetails: true },
  ...{ postConsentText: `Thank you ${HOSTILE}`, postSubmissionText: HOSTILE },
  quiz: [
    { question: `How many visits? ${HOSTILE}`, options: ['One', `Two ${HOSTILE}`], correct: 1, explanation: HOSTILE },
    { question: 'Can you stop?', options: ['Yes', 'No'], correct: 0, explanation: 'At any time.' },
  ],
}

/** A form that asks for nothing but a typed name. */
export const plain = {
  ...{ quiz: [], eligibilityCriteria: null, conditions: [], identityVerificationEnabled: false, readToEnd: false },
  ...{ requiredVerificationMethods: [], requiresCountersignature: false, document: '<p>Two visits.</p>' },
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of many operations, of which each use knows its own.
type Call = (method: string, path: string, body?: unknown) => Promise<any>
/** `inApp`: as the owner in the web app, who has just confirmed their identity. */
export type ConsentVisit = {
  base: string
  call: Call
  inApp: Call
  trial: string
  documentId: string
  participant: string
}

/** Runs this with a server whose study has the form with these changes. @param now the time of the server, if it is another one */
export async function withConsent(
  change: object,
  act: (where: ConsentVisit) => Promise<void>,
  now?: Date,
): Promise<void> {
  const { service, owner, call: send, inApp: sendInApp } = await testServer()
  const checked =
    (by: typeof sendInApp): Call =>
    async (method, path, body) => {
      const answer = await by(method, path, body)
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
  const [call, inApp] = [checked(send), checked(sendInApp)]
  if (now) await call('PUT', '/test/clock', { now: now.toISOString() })
  const trial = (await call('POST', `/teams/${owner.team}/trials`, { name: `Sleep ${HOSTILE}` }))._id
  await call('PUT', `/trials/${trial}`, { code: 'sleep', eConsentEnabled: true, languages: ['en'] })
  const dataType = (
    await call('POST', `/trials/${trial}/data-types`, { name: 'Mood', code: 'mood', format: 'rating', min: 1, max: 5 })
  )._id
  const components = [{ id: 'q', dataType, title: 'How are you?' }]
  const postConsentStage = (await call('POST', `/trials/${trial}/stages`, { name: `About you ${HOSTILE}`, components }))
    ._id
  const forms = `/trials/${trial}/consentDocuments`
  const documentId = (await call('POST', forms, { ...form, postConsentStage, ...change }))._id
  const participant = (await call('POST', `/trials/${trial}/participants`, { participantId: 'P-1' }))._id
  const server = listen(service, { host: '127.0.0.1', port: 0 })
  try {
    await act({ base: `http://127.0.0.1:${server.port}`, call, inApp, trial, documentId, participant })
  } finally {
    await server.stop()
  }
}

/** The code that the team reads out to this address. */
export async function codeFor({ inApp, trial }: ConsentVisit, address: string): Promise<string> {
  const { codes } = await inApp('GET', `/trials/${trial}/consent-codes`)
  return present(codes.find((each: { address: string }) => each.address === address)).code
}

/** The page has no fault of axe, of scripts and of the policy, nothing of a text ran, and nothing is wider than the screen. @param name of its picture */
export async function clean(page: Page, faults: readonly string[], name: string): Promise<void> {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/consent-${name}.png`, fullPage: true })
  const isRun = await page.evaluate(() => 'ran' in window)
  const wider = await page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth))
  const outside = await page.evaluate(() =>
    [...document.querySelectorAll('.card *')]
      .filter(
        (each) => each.getBoundingClientRect().right > (each.closest('.card')?.getBoundingClientRect().right ?? 0) + 1,
      )
      .map((each) => each.outerHTML.slice(0, 200)),
  )
  expect([name, await violations(page), faults, isRun, wider, outside]).toEqual([name, [], [], false, 0, []])
}

/** Waits for the heading of a step. */
export const arrive = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** Goes on to the step with this heading. */
export async function goOn(page: Page, to: string): Promise<void> {
  await page.locator('.step-actions [type=submit]').click()
  await arrive(page, to)
}

/** Reads the sheet, and waits until the page has noticed. */
export async function read(page: Page): Promise<void> {
  await page.keyboard.press('End')
  await page.getByText('Read to the end').waitFor()
}

/** Enters an address, and the code for it. */
export async function confirm(page: Page, where: ConsentVisit, address: string): Promise<void> {
  await page.locator('[name=address]').fill(address)
  await page.getByRole('button', { name: 'Ask for a code' }).click()
  await page.locator('[name=code]').waitFor()
  await page.locator('[name=code]').fill((await codeFor(where, address)).replace(/(...)/, '$1 '))
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await page.locator('.verified').waitFor()
}

/** Draws a line across the box. */
export async function drawLine(page: Page): Promise<void> {
  const { x, y, width, height } = present(await page.locator('canvas').boundingBox())
  await page.mouse.move(x + width * 0.1, y + height / 2)
  await page.mouse.down()
  for (let at = 1; at <= 20; at++)
    await page.mouse.move(x + width * (0.1 + at * 0.035), y + height * (0.5 + Math.sin(at / 2) * 0.3))
  await page.mouse.up()
  await page.getByRole('img', { name: 'Box with your signature' }).waitFor()
}
