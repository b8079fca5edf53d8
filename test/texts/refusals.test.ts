/** The refusals in German: each is about the same values as the English one, and is written as German is. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { sentences } from '#kernel/refusals/sentences'

const folder = join(import.meta.dir, '../../src/texts/refusals/de')
const german = Object.assign(
  {},
  ...(await Promise.all(
    [...new Glob('*.ts').scanSync(folder)].map(async (path) => Object.values(await import(join(folder, path)))[0]),
  )),
) as Record<string, string>
const english: Readonly<Record<string, string>> = sentences
/** The placeholders of a sentence. "One of them" needs no number. */
const placeholders = (key: string, text: string) =>
  [...new Set(text.match(/\{\w+(?::\w+)?\}/g))].filter((each) => !(key.endsWith('.one') && each === '{count}')).sort()

test('every refusal is in German, about the same values', () => {
  expect(Object.keys(german).toSorted()).toEqual(Object.keys(english).toSorted())
  const wrong = Object.entries(english).filter(
    ([key, text]) => !Bun.deepEquals(placeholders(key, text), placeholders(key, german[key]!)),
  )
  expect(wrong).toEqual([])
})

test('German refusals have German quotation marks, and end as the English ones do', () => {
  const wrong = Object.entries(german).filter(([key, text]) => {
    const pairs = text.match(/„[^“]*“/g)?.length ?? 0
    const marks = text.match(/[„“”]/g)?.length ?? 0
    const isSentence = (each: string) => /[.!?]$/.test(each)
    return marks !== 2 * pairs || text.trim() !== text || isSentence(text) !== isSentence(english[key]!)
  })
  expect(wrong).toEqual([])
})
