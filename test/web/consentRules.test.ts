/** What the consent pages decide without a browser: steps, faults, the body that is sent, lines of a signature, the way of the course. */
import { afterEach, expect, test } from 'bun:test'
import { createActivityLog } from '#web/links/consent/activityLog'
import type { Session, Sheet } from '#web/links/consent/requests'
import { headingsOf, readingMinutes, textOf } from '#web/links/consent/sheetTree'
import {
  type ConsentInput,
  consentBody,
  emptyInput,
  minutesOf,
  missingStep,
  reachableStep,
  signatureFault,
  statementFaults,
  stepsOf,
} from '#web/links/consent/steps'
import { HEIGHT, hasDrawing, pointAt, type Stroke } from '#web/links/consent/strokes'

type Element = Exclude<Sheet['document'][number], string>
const el = (name: string, ...children: (string | Element)[]): Element => ({ name, attributes: {}, children })

const sheet: Sheet = {
  ...{
    trialName: 'Sleep',
    formKey: 'main',
    version: 1,
    isClosed: false,
    document: [el('p', 'Two visits.')],
    language: null,
  },
  ...{ eligibilityCriteria: null, conditions: [], verificationMethods: ['email'], requiredVerificationMethods: [] },
  ...{ identityVerificationEnabled: false, readToEnd: false, signatureMethods: ['drawn', 'typed'], quiz: [] },
  ...{ requiresCountersignature: false, readOutMethods: [] },
}
const condition = { id: 'a', title: 'A', description: null, optional: false, requiresInitials: false }
const full: Sheet = {
  ...sheet,
  ...{ eligibilityCriteria: 'Adults.', readToEnd: true, identityVerificationEnabled: true },
  requiredVerificationMethods: ['email'],
  quiz: [{ question: 'How many?', options: ['One', 'Two'] }],
  conditions: [condition, { ...condition, id: 'b', optional: true, requiresInitials: true }],
}
const session = (of: Sheet, change: Partial<Session> = {}): Session => ({
  ...{ expiresAt: '', isInPerson: false, participantId: null, newestVersion: 1, sheet: of, verifications: [] },
  ...{ hasRead: false, hasPassedQuiz: false, hasPhoto: false, consent: null },
  ...change,
})
const line: Stroke = [
  [0.1, 0.1, 0.005],
  [0.4, 0.2, 0.005],
]
const signed: ConsentInput = {
  ...emptyInput(full),
  ...{ isEligible: true, confirmations: { a: true, b: false }, fullName: ' Ann Lee ', typedName: 'Ann Lee' },
}
const verification = { address: 'a@b.c', createdAt: '', expiresAt: '', triesLeft: 5 }
const verified = { ...verification, method: 'email' as const, verifiedAt: '2026-03-02T12:00:00Z' }
const all = { hasRead: true, hasPassedQuiz: true, hasPhoto: true, verifications: [verified] }

test('a form has the steps that it asks for', () => {
  expect(stepsOf(sheet)).toEqual(['information', 'contact', 'signature', 'review'])
  expect(stepsOf(full)).toEqual([
    ...(['information', 'questions', 'eligibility', 'statements', 'contact', 'photo', 'signature', 'review'] as const),
  ])
})

test.each<[Partial<Session>, Partial<ConsentInput>, ReturnType<typeof missingStep>]>([
  [{}, {}, undefined],
  [{ hasRead: false }, {}, 'information'],
  [{ hasPassedQuiz: false }, {}, 'questions'],
  [{}, { isEligible: false }, 'eligibility'],
  [{}, { confirmations: { b: false } }, 'statements'],
  [{}, { confirmations: { a: true } }, 'statements'],
  [{}, { confirmations: { a: true, b: true } }, 'statements'],
  [{}, { confirmations: { a: true, b: true }, initials: { b: 'AL' } }, undefined],
  [{ verifications: [{ ...verified, verifiedAt: null }] }, {}, 'contact'],
  [{ verifications: [{ ...verified, method: 'phone' }] }, {}, 'contact'],
  [{ hasPhoto: false }, {}, 'photo'],
  [{}, { fullName: 'A' }, 'signature'],
  [{}, { typedName: 'Ann' }, 'signature'],
  [{}, { way: 'drawn' }, 'signature'],
  [{}, { way: 'drawn', strokes: [line] }, undefined],
])('with %p and %p the step %p is missing', (change, part, step) => {
  expect(missingStep(session(full, { ...all, ...change }), { ...signed, ...part })).toBe(step)
})

test('nobody comes past a step that lacks something, whatever the device kept', () => {
  expect(reachableStep('review', session(full, all), { ...signed, isEligible: false })).toBe('eligibility')
  expect(reachableStep('information', session(full, all), signed)).toBe('information')
  expect(reachableStep('photo', session(sheet), emptyInput(sheet))).toBe('signature')
  expect(reachableStep(undefined, session(sheet), emptyInput(sheet))).toBe('information')
})

test('statements: one that is needed is confirmed, one that is free is decided, and initials stand beside a yes only', () => {
  expect(statementFaults(full, emptyInput(full))).toEqual([
    { id: 'a', fault: 'confirm' },
    { id: 'b', fault: 'choice' },
  ])
  const yes = { ...emptyInput(full), confirmations: { a: true, b: true }, initials: { b: ' ' } }
  expect(statementFaults(full, yes)).toEqual([{ id: 'b', fault: 'initials' }])
})

test('what is sent has each statement, initials of those with a yes, and no spaces around names', () => {
  const initials = { a: 'XX', b: ' AL ' }
  expect(consentBody(full, { ...signed, initials }, undefined)).toEqual({
    ...{ fullName: 'Ann Lee', eligibilityConfirmed: true, confirmations: { a: true, b: false }, initials: {} },
    signature: { method: 'typed', name: 'Ann Lee' },
  })
  const drawn: ConsentInput = { ...signed, way: 'drawn', confirmations: { b: true }, initials }
  expect(consentBody(full, drawn, 'iVBOR')).toMatchObject({
    ...{ confirmations: { a: false, b: true }, initials: { b: 'AL' }, signature: { method: 'drawn', image: 'iVBOR' } },
  })
  expect(consentBody(sheet, signed, undefined)).not.toHaveProperty('eligibilityConfirmed')
})

test('a form that is drawn only begins with drawing', () => {
  expect(emptyInput({ ...sheet, signatureMethods: ['drawn'] }).way).toBe('drawn')
  expect(signatureFault({ ...signed, fullName: '\ud83d' })).toBe('fullName')
})

test('a sheet is read as text: headings without those that are empty, and minutes that grow with it', () => {
  const document = [
    el('h1', 'The ', el('b', 'study')),
    el('h2', ' '),
    el('blockquote', el('h2', 'Risks', el('br'), 'too')),
  ]
  expect(headingsOf(document).map(textOf)).toEqual(['The study', 'Risks too'])
  expect(readingMinutes([el('p', 'word '.repeat(360))])).toBe(2)
  expect(readingMinutes([el('p', '字'.repeat(800))])).toBeGreaterThan(1.9)
  expect(minutesOf(sheet)).toBe(5)
  expect(minutesOf({ ...full, document: [el('p', 'word '.repeat(1800))] })).toBe(15)
})

test('a touch is no signature, a line is; quick lines are thin, and a pen says how hard it presses', () => {
  expect([hasDrawing([]), hasDrawing([[[0.5, 0.2, 0.01]]]), hasDrawing([line])]).toEqual([false, false, true])
  const start = { point: pointAt({ x: 0, y: 0, time: 0 }), time: 0 }
  const [, , slow] = pointAt({ x: 0.01, y: 0, time: 100 }, start)
  const [, , quick] = pointAt({ x: 0.5, y: 0, time: 10 }, start)
  const [, , hard] = pointAt({ x: 0.5, y: 0, time: 10, pressure: 1 }, start)
  expect(quick).toBeLessThan(slow)
  expect(hard).toBeGreaterThan(quick)
  expect(HEIGHT).toBe(0.4)
})

const { fetch } = globalThis
const listeners = { addEventListener: globalThis.addEventListener, removeEventListener: globalThis.removeEventListener }
afterEach(() => {
  Object.assign(globalThis, { fetch, ...listeners })
})

/** A course whose requests are answered with these statuses, the last one for all others. */
function course(...statuses: number[]) {
  const sent: { type: string; page?: string }[][] = []
  Object.assign(globalThis, {
    addEventListener() {},
    removeEventListener() {},
    fetch: async (_path: string, { body }: { body: string }) => {
      sent.push(JSON.parse(body).events)
      return new Response('{}', { status: (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200 })
    },
  })
  return { sent, ...createActivityLog('/consent-sessions/x') }
}

test('the course goes out in groups, in order, and the end of the sheet at once', async () => {
  const { sent, note, flush, stop } = course(200)
  for (let at = 0; at < 60; at++) note({ type: 'page', page: `${at}` })
  expect(sent).toEqual([])
  note({ type: 'readToEnd' })
  expect(await flush()).toBe(true)
  expect(sent.map(({ length }) => length)).toEqual([50, 11])
  expect(sent.flat().map(({ type, page }) => page ?? type)).toEqual(
    [...Array(60).keys()].map(String).concat('readToEnd'),
  )
  expect(await flush()).toBe(true)
  expect(sent).toHaveLength(2)
  stop()
})

test('without a connection the course waits and loses nothing; what is refused is not sent for ever; pages have a limit', async () => {
  const lost = course(503, 200)
  lost.note({ type: 'page', page: 'a' })
  expect(await lost.flush()).toBe(false)
  lost.note({ type: 'readToEnd' })
  expect(await lost.flush()).toBe(true)
  expect(lost.sent.at(-1)).toEqual([{ type: 'page', page: 'a' }, { type: 'readToEnd' }])
  lost.stop()
  const refused = course(400)
  refused.note({ type: 'page', page: 'a' })
  expect([await refused.flush(), await refused.flush(), refused.sent.length]).toEqual([true, true, 1])
  refused.stop()
  const many = course(200)
  for (let at = 0; at < 400; at++) many.note({ type: 'page', page: 'a' })
  many.note({ type: 'ended' })
  await many.flush()
  expect([many.sent.flat().length, many.sent.at(-1)?.at(-1)?.type]).toEqual([151, 'ended'])
  many.stop()
})
