/** What the server refuses of what people enter on the pages of the account is in the language of the page. */
import { expect, test } from 'bun:test'
import { refusalTexts } from '#texts/refusals/catalogue'
import type { FailedAnswer } from '#web/kit/api/send'
import { isLanguage } from '#web/kit/language/languages'
import { translate } from '#web/kit/refusals/translate'
import { PASSWORD, sharedInFile, world } from '../harness'

const made = sharedInFile(async () => {
  const w = world()
  return { ...w, web: await w.signIn(w.owner) }
})

const mine = { currentPassword: PASSWORD } as const
const far = 'x'.repeat(201)

/** Entries that are refused, by operation, with the field that is at fault. */
const refused: [string, string, object, string][] = [
  ['POST', '/sessions', { email: 'a@b.example' }, 'password'],
  ['POST', '/sessions', { email: '', password: 'x' }, 'email'],
  ['POST', '/password-resets', { email: 'nonsense' }, 'email'],
  ['PUT', '/users/me', { name: '' }, 'name'],
  ['PUT', '/users/me', { name: '  ' }, 'name'],
  ['PUT', '/users/me', { name: far }, 'name'],
  ['PUT', '/users/me', { ...mine, password: 'short' }, 'password'],
  ['PUT', '/users/me', { ...mine, password: far }, 'password'],
  ['PUT', '/users/me', { ...mine, password: 'password123' }, 'password'],
  ['PUT', '/users/me', { password: 'another lantern 72' }, 'currentPassword'],
  ['POST', '/users/me/email', { email: 'nonsense', password: 'x' }, 'email'],
  ['POST', '/users/me/email', { email: 'OWNER@example.org', password: PASSWORD }, 'email'],
  ['POST', '/users/me/api-keys', { name: '' }, 'name'],
  ['POST', '/users/me/api-keys', { name: 'x', expiresAt: '2026-03-01T23:59:59Z' }, 'expiresAt'],
  ['POST', '/users/me/api-keys', { name: 'x', expiresAt: '0000-03-01' }, 'expiresAt'],
  ['POST', '/users/me/api-keys', { name: 'x', trials: ['0123456789abcdef01234567'] }, 'trials'],
]

test.each(refused)('%s %s %j: %s', async (method, path, body, field) => {
  const { status, body: answer } = await (await made()).web.call(method, path, body)
  const said: string = answer.validations.json[field].join(' ')
  expect([status, typeof said]).toEqual([422, 'string'])
  const refusal: FailedAnswer = {
    isDone: false,
    isRefusal: true,
    status,
    message: answer.message,
    fields: { [field]: said },
    details: answer.details,
  }
  const texts = new Set([said])
  for (const [language, [first]] of Object.entries(refusalTexts)) {
    if (!isLanguage(language)) throw new Error(`There is no language ${language}.`)
    const shown = translate(refusal, first!, language)
    const { fields, message } = shown.answer
    expect([language, shown.isWhole, message === answer.message]).toEqual([language, true, false])
    texts.add(fields[field]!)
  }
  // Each language says it in its own words.
  expect(texts.size).toBe(5)
})
