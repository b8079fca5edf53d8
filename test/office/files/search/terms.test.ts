/** What a search finds in a text, as pure functions: the index is asked with the expressions, excerpts come from the patterns. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { excerptOf, MAX_LENGTH } from '#office/files/search/excerpt'
import { expressionOf, termsIn } from '#office/files/search/terms'
import { foldText, indexWords, normaliseText } from '#office/files/words/tokens'
import { runs } from '../../../proof'

const sqlite = new Database(':memory:', { strict: true })
sqlite.run(
  `CREATE VIRTUAL TABLE found USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '8')`,
)

/** Whether the index finds the text. */
function finds(text: string, search: string, trial = 'a'): boolean {
  const terms = termsIn(search)
  if (!terms.length) return false
  sqlite.query('INSERT OR REPLACE INTO found (rowid, words) VALUES (1, ?)').run(indexWords('a', normaliseText(text)))
  return sqlite.query('SELECT 1 FROM found WHERE found MATCH ?').get(expressionOf(terms, trial)) !== null
}

const marked = (text: string, search: string) => {
  const found = excerptOf(normaliseText(text), termsIn(search))
  return found.marks.map(({ from, to }) => found.text.slice(from, to))
}

const PROTOCOL =
  'The COVID-19 protocol (v2.1) of Dr. Müller-Lüdenscheidt: café visits at straße 5, e-mail a.b@example.org.'

test.each<[text: string, search: string, marks: string[] | null]>([
  [PROTOCOL, 'protocol', ['protocol']],
  [PROTOCOL, 'PROTO', ['protocol']],
  [PROTOCOL, 'rotocol', null],
  [PROTOCOL, 'of', ['of']],
  [PROTOCOL, 'vi', null],
  [PROTOCOL, 'vis', ['visits']],
  [PROTOCOL, 'visits the', ['The', 'visits']],
  [PROTOCOL, 'visits missing', null],
  [PROTOCOL, '"of dr"', ['of Dr']],
  [PROTOCOL, '"protoco"', null],
  [PROTOCOL, '"dr of"', null],
  [PROTOCOL, '„of Dr“ caf', ['of Dr', 'café']],
  [PROTOCOL, '"covid 19 protocol', ['COVID-19 protocol']],
  [PROTOCOL, 'covid-19', ['COVID-19']],
  [PROTOCOL, '19-covid', null],
  [PROTOCOL, 'muller', ['Müller']],
  [PROTOCOL, 'MÜLLER', ['Müller']],
  [PROTOCOL, 'Mu\u0308ller-Ludens', ['Müller-Lüdenscheidt']],
  [PROTOCOL, 'cafe', ['café']],
  [PROTOCOL, 'strasse', null],
  [PROTOCOL, 'v2.1', ['v2.1']],
  [PROTOCOL, 'a.b@example.org', ['a.b@example.org']],
  [PROTOCOL, 'AND OR NOT', null],
  [PROTOCOL, '-protocol', ['protocol']],
  ['an oﬃce with ﬁles', 'office files', ['office', 'files']],
  ['proto\u00adcol', 'protocol', ['protocol']],
  ['q\u0303uery', 'query', ['q\u0303uery']],
  ['ΟΔΟΣ', 'οδός', ['ΟΔΟΣ']],
  ['Ёлка', 'елка', ['Ёлка']],
  ['İstanbul', 'istanbul', ['İstanbul']],
  ['كِتَاب', 'كتاب', ['كِتَاب']],
  ['临床试验方案第二版', '试验', ['试验']],
  ['临床试验方案第二版', '试验方案', ['试验方案']],
  ['临床试验方案第二版', '验试', null],
  ['临床试验方案第二版', '版', ['版']],
  ['临床试验方案第二版', '案', ['案']],
  ['临床试验方案第二版', '"方案第"', ['方案第']],
  ['临床试验COVID方案', '试验covid', ['试验COVID']],
  ['临床试验COVID方案', 'covid方案', ['COVID方案']],
  ['臨床試験プロトコール', 'プロトコール', ['プロトコール']],
  ['임상시험계획서', '시험', ['시험']],
  ['การทดลองทางคลินิก', 'คลินิก', ['คลินิก']],
  ['ການທົດລອງ', 'ທົດ', ['ທົດ']],
  ['𠮷野家 と 𠮷田', '𠮷', ['𠮷', '𠮷']],
  ['Deseret 𐐔𐐯𐑅', '𐐼𐐯𐑅', ['𐐔𐐯𐑅']],
])('%p with %p', (text, search, marks) => {
  expect(finds(text, search)).toBe(marks !== null)
  if (marks) expect(marked(text, search)).toEqual(marks.map(normaliseText))
  expect(finds(text, search, 'another trial')).toBe(false)
})

test.each(['', ' ', '"', '""', '" "', '*', '^', '( )', '\\', "'", ':', '—', '😀', '"" ""', '{} -'])(
  '%p has no word',
  (search) => {
    expect(termsIn(search)).toEqual([])
  },
)

test('no text is a faulty search, and folding keeps each character in its place (property)', () => {
  const signs = fc.constantFrom(...`"*^():{}-+'\\“”«AND NEAR OR NOT a1é药ก\u0301\u200d𐐔😀İß`)
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(signs, { maxLength: 30 }).map((all) => all.join('')),
    fc.string(),
  )
  fc.assert(
    fc.property(text, text, (search, content) => {
      finds(content, search)
      const plain = normaliseText(content)
      expect(foldText(plain)).toHaveLength(plain.length)
      const { text, marks } = excerptOf(plain, termsIn(search))
      expect(text.isWellFormed()).toBe(true)
      expect(text.length).toBeLessThanOrEqual(MAX_LENGTH + 2)
      for (const { from, to } of marks)
        expect(text.slice(from, to).isWellFormed() && from < to && to <= text.length).toBe(true)
    }),
    { numRuns: runs(300) },
  )
})

test('a text is found by each of its words, and the excerpt marks it (property)', () => {
  // A few letters of compatibility, such as U+FE70, stand for a blank with a mark: they divide words.
  const words = fc.stringMatching(/^[\p{L}\p{N}]{1,12}$/u).filter((word) => !/\s/.test(word.normalize('NFKC')))
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 20 }), fc.nat(), (all, at) => {
      const word = all[at % all.length]!
      expect([word, finds(all.join(' '), word)]).toEqual([word, true])
      expect(marked(all.join(' '), word).length).toBeGreaterThan(0)
      expect(finds(all.join(' '), `"${all.slice(0, at + 1).join(' ')}"`)).toBe(true)
    }),
    { numRuns: runs(300) },
  )
})

test('an excerpt is the part with most of the words, cut at spaces', () => {
  const filler = 'lorem ipsum dolor '.repeat(40)
  const { text, marks } = excerptOf(`${filler}alpha ${filler}the alpha and\nthe beta ${filler}`, termsIn('alpha beta'))
  expect(text).toMatch(/^…\S.* the alpha and the beta .*…$/)
  expect(marks.map(({ from, to }) => text.slice(from, to))).toEqual(['alpha', 'beta'])
  expect(excerptOf(filler, termsIn('absent'))).toMatchObject({ text: expect.stringMatching(/^lorem.*…$/), marks: [] })
})
