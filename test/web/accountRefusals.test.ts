/** What the server refuses of what people enter on the pages of the account is in the language of the page. */
import { expect, test } from 'bun:test'
import type { Answer } from '#web/kit/api/send'
import { languages } from '#web/kit/language/translator'
import { translateAnswer } from '#web/site/account/refusals'
import { loadTranslator } from '#web/site/account/texts'
import { PASSWORD, sharedInFile, world } from '../harness'

const made = sharedInFile(async () => {
  const w = world()
  return { ...w, web: await w.signIn(w.owner) }
})

const mine = { currentPassword: PASSWORD } as const
const far = 'x'.repeat(201)

/** Entries that are refused, by operation: the field, and how its sentence begins in German. */
const refused: [string, string, object, string, RegExp][] = [
  ['POST', '/sessions', { email: 'a@b.example' }, 'password', /^Bitte ausfüllen/],
  ['POST', '/sessions', { email: '', password: 'x' }, 'email', /^Das ist keine E-Mail/],
  ['POST', '/password-resets', { email: 'nonsense' }, 'email', /^Das ist keine E-Mail/],
  ['PUT', '/users/me', { name: '' }, 'name', /^Bitte ausfüllen/],
  ['PUT', '/users/me', { name: '  ' }, 'name', /^Bitte ausfüllen/],
  ['PUT', '/users/me', { name: far }, 'name', /^Darf höchstens 100 Zeichen haben/],
  ['PUT', '/users/me', { ...mine, password: 'short' }, 'password', /^Braucht mindestens 10 Zeichen/],
  ['PUT', '/users/me', { ...mine, password: far }, 'password', /^Darf höchstens 200 Zeichen haben/],
  ['PUT', '/users/me', { ...mine, password: 'password123' }, 'password', /^Gehört zu den häufigsten/],
  ['PUT', '/users/me', { password: 'another lantern 72' }, 'currentPassword', /^Bitte ausfüllen/],
  ['POST', '/users/me/email', { email: 'nonsense', password: 'x' }, 'email', /^Das ist keine E-Mail/],
  ['POST', '/users/me/email', { email: 'OWNER@example.org', password: PASSWORD }, 'email', /^Das ist schon die/],
  ['POST', '/users/me/api-keys', { name: '' }, 'name', /^Bitte ausfüllen/],
  [
    'POST',
    '/users/me/api-keys',
    { name: 'x', expiresAt: '2026-03-01T23:59:59Z' },
    'expiresAt',
    /^Bitte wählen Sie einen/,
  ],
  ['POST', '/users/me/api-keys', { name: 'x', expiresAt: '0000-03-01' }, 'expiresAt', /^Das ist kein Datum/],
  ['POST', '/users/me/api-keys', { name: 'x', trials: ['0123456789abcdef01234567'] }, 'trials', /^Eine dieser Studien/],
]

test.each(refused)('%s %s %j: %s', async (method, path, body, field, german) => {
  const { status, body: answer } = await (await made()).web.call(method, path, body)
  const said: string = answer.validations.json[field].join(' ')
  expect([status, typeof said]).toEqual([422, 'string'])
  const refusal: Answer<never> = {
    isDone: false,
    status,
    message: answer.message,
    fields: { [field]: said },
    details: {},
  }
  const texts = new Set<string>()
  for (const language of Object.keys(languages) as (keyof typeof languages)[]) {
    const shown = translateAnswer(await loadTranslator(language), refusal)
    const text = shown.isDone ? '' : (shown.fields[field] ?? '')
    if (language === 'de') expect(text).toMatch(german)
    texts.add(text)
  }
  // Each language says it in its own words.
  expect(texts.size).toBe(Object.keys(languages).length)
})
