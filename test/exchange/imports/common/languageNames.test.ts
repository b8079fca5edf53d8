import { expect, test } from 'bun:test'
import { headingOf, languageNamed } from '#exchange/imports/common/languageNames'

test.each([
  ['deutsch (de)', 'de'],
  ['português (pt-br)', 'pt-BR'],
  ['de', 'de'],
  ['pt_BR', 'pt-BR'],
  ['German', 'de'],
  ['français', 'fr'],
  ['english', 'en'],
  ['zh-hant', 'zh-Hant'],
  ['klingon', undefined],
  ['', undefined],
  ['de (', undefined],
  ['x-old', undefined],
  ['__proto__', undefined],
])('a heading with “%s” is of %p', (name, language) => {
  expect(languageNamed(name)).toBe(language as string)
})

test.each(['de', 'pt-BR', 'zh-Hant', 'ar'])('the heading of %s is read back, also in lower case', (language) => {
  expect(languageNamed(headingOf(language).toLowerCase())).toBe(language)
})
