/** Refusals are said in the languages of the pages: German has all, the others what participants and people behind links can meet. */
import { expect, test } from 'bun:test'
import { nouns } from '#kernel/nouns'
import { sentences } from '#kernel/refusals/sentences'
import { operations } from '#start/app'
import { ar } from '#texts/refusals/ar'
import { de } from '#texts/refusals/de'
import { es } from '#texts/refusals/es'
import { fr } from '#texts/refusals/fr'
import type { OperationId } from '#web/kit/api/operations'
import { accountsOperations } from '#wings/accounts'
import { codesOf } from './metRefusals'

const english: Readonly<Record<string, string>> = sentences
const names = (text: string) => [...new Set([...text.matchAll(/\{\w+(:\w+)?\}/g)].map(([each]) => each))].sort()

test('what participants and people behind links can meet is said in each language of the app', async () => {
  const mayCall = operations.filter(({ who }) =>
    [who].flat().some((each) => each === 'anyone' || each === 'participant'),
  )
  const ofAccounts = accountsOperations.filter(({ who }) => [who].flat().includes('session'))
  const ids = [...mayCall, ...ofAccounts].map(({ id }) => id as OperationId)
  expect(ids.length).toBeGreaterThan(90)
  const { codes, unknown } = await codesOf(ids)
  // They are made by a function, whose module is among what is common.
  expect(unknown).toEqual(['requestFileUpload', 'requestVideoUpload', 'requestHardwareUpload'])
  expect(codes.size).toBeGreaterThan(300)
  expect(codes).toContain('tooManyHeld')
  expect(codes).not.toContain('packTypeElsewhere')
  const met = Object.keys(english).filter((key) => codes.has(key.replace(/\.(one|other)$/, '')))
  for (const { sentences } of [fr, es, ar]) expect(met.filter((key) => !Object.hasOwn(sentences, key))).toEqual([])
  // What nobody can meet is not translated for nothing.
  expect(Object.keys(fr.sentences).filter((key) => !met.includes(key))).toEqual([])
})

test.each(Object.entries({ de, fr, es, ar }))(
  'the sentences in %s have the placeholders of the English ones',
  (language, texts) => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const all: Readonly<Record<string, string>> = texts.sentences
    for (const [key, text] of Object.entries(all)) {
      const form = /\.(zero|one|two|few|many|other)$/.exec(key)?.[1]
      const original = english[key] ?? english[key.replace(/\.\w+$/, '.other')]!
      // "One section" may say the number in words, and Arabic says "two sections" in one.
      const isInWords = form !== undefined && form !== 'other'
      const without = (placeholders: string[]) => placeholders.filter((each) => !isInWords || each !== '{count}')
      // What kind of thing a file belongs to says nothing to a participant.
      const needed = names(original).filter((each) => each !== '{forType}' || names(text).includes(each))
      expect([key, without(names(text))]).toEqual([key, without(needed)])
      expect([key, /^\s|\s$| {2}/.test(text), text === '']).toEqual([key, false, false])
      if (language === 'fr') expect([key, / [:;?!](?!\w)|« | »/.test(text)]).toEqual([key, false])
      if (form !== undefined) expect(categories.includes(form as Intl.LDMLPluralRule)).toBe(true)
    }
    expect(Object.keys(texts.nouns).sort()).toEqual([...nouns].sort())
  },
)
