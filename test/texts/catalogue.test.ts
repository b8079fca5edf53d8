/** The catalogue is complete in each language, fits an SMS where it must, and is the only source of what is sent. */
import { describe, expect, test } from 'bun:test'
import { Glob } from 'bun'
import {
  catalogues,
  essentialPlaceholders,
  placeholdersIn,
  smsLimits,
  type TextKey,
  textKeys,
  trialKeys,
} from '#texts/catalogue'
import { smsParts } from '#texts/sms'
import { type SendableText, writerFor } from '#texts/writer'

const languages = Object.keys(catalogues)

test('it has English, German, French and Spanish', () => {
  expect(languages).toEqual(['en', 'de', 'fr', 'es'])
})

describe.each(languages)('in %s', (language) => {
  const texts = catalogues[language]!

  test('every key exists, in the same order, and has the same placeholders', () => {
    expect(Object.keys(texts)).toEqual([...textKeys])
    for (const key of textKeys)
      expect([key, placeholdersIn(texts[key])]).toEqual([key, placeholdersIn(catalogues.en![key])])
  })

  test('no text is blank, repeats a space, ends in one, or has unbalanced braces; headings are one line', () => {
    for (const [key, text] of Object.entries(texts)) {
      expect([key, text.trim() === '' || / {2}|[ \t]\n| $|[{}](?![a-z]\w*\})(?<!\{[a-z]\w*\})/.test(text)]).toEqual([
        key,
        false,
      ])
      if (key.includes('.subject')) expect(text).not.toContain('\n')
    }
  })

  // Minutes and seconds by their symbols.
  const UNITS = 'consentPdf.pageTime'

  test('it is not the English text left in place', () => {
    if (language === 'en') return
    const same: string[] = textKeys.filter((key) => key !== UNITS && texts[key] === catalogues.en![key])
    // The word for a byte is the same.
    const expected = language === 'es' ? ['masterFileReport.size.one', 'masterFileReport.size.other'] : []
    expect(same).toEqual(expected)
  })

  /** Typical values: a trial with a name of 30 characters, a sign-in link, three forms. */
  const values: Record<string, string> = {
    trial: 'Sleep and Memory After Surgery',
    url: `https://study.example-hospital.org/join?grant=${'a'.repeat(43)}`,
    date: '31/12/2026, 14:00',
    code: '123456',
    minutes: '15',
    count: '3',
    title: 'Visit with the study nurse',
    service: 'Fitbit',
    when: '31/12/2026, 14:00 (Europe/Berlin)',
    forms: writerFor(language).list(['Diary day 3', 'Sleep quality', 'Weekly questions'], 6),
  }
  const filled = (key: TextKey) => texts[key].replace(/\{(\w+)\}/g, (_, name) => values[name]!)

  test.each(Object.entries(smsLimits))('%s needs at most %d parts as an SMS', (key, most) => {
    expect(smsParts(filled(key as TextKey))).toBeLessThanOrEqual(most)
  })

  test('no line breaks before punctuation that French sets apart; a text for SMS may, for the sake of its alphabet', () => {
    const apart = /\S [:;?!](?!\w)|« | »/
    const wrong = textKeys.filter((key) => language === 'fr' && smsLimits[key] === undefined && apart.test(texts[key]))
    expect(wrong).toEqual([])
  })

  test('what goes to participants has a limit for SMS', () => {
    const toParticipants = textKeys.filter((key) =>
      /^(signInLink|(verification|consent)Code\.body|behindSchedule|attachments|wearable|appointment\.(?!staff))/.test(
        key,
      ),
    )
    expect(toParticipants.every((key) => smsLimits[key] !== undefined)).toBe(true)
  })
})

test.each([
  ['a'.repeat(160), 1],
  ['a'.repeat(161), 2],
  ['a'.repeat(306), 2],
  ['a'.repeat(307), 3],
  ['€'.repeat(80), 1],
  ['€'.repeat(81), 2],
  ['ñäöüßéèàù¿¡', 1],
  ['ç'.repeat(70), 1],
  ['ç'.repeat(71), 2],
  ['😀'.repeat(36), 2],
  ['', 1],
])('%j needs %d parts', (text, parts) => {
  expect(smsParts(text)).toBe(parts)
})

describe('nothing else is sent', () => {
  const sources = [...new Glob('src/**/*.ts').scanSync('.')].map((path) => path.replaceAll('\\', '/'))
  const read = async (path: string) => [path, await Bun.file(path).text()] as const

  // The outbox takes `SendableText` only, so a text comes from the catalogue or through `authoredText`.
  test('only one file makes texts that the outbox takes, and its tables are written by one function', async () => {
    const files = await Promise.all(sources.map(read))
    const casts = files.filter(
      ([, source]) => /#texts\/write'|type SendableText = string/.test(source) && /as SendableText\b/.test(source),
    )
    expect(casts.map(([path]) => path)).toEqual(['src/texts/writer.ts'])
    const inserts = files.flatMap(([path, source]) => (/insert\(db, outbox\b|INTO outbox\b/.test(source) ? [path] : []))
    expect(inserts).toEqual(['src/outbox/messages.ts'])
  })

  test('no text that stands in the source is passed off as written by a person', async () => {
    const files = await Promise.all(sources.map(read))
    const wrong = files.flatMap(([path, source]) =>
      [...source.matchAll(/\bauthoredText\(((?:[^()]|\([^()]*\))*)\)/g)].flatMap(([, rest]) =>
        path !== 'src/texts/writer.ts' && /['"`][^'"`]*\p{L}{2}/u.test(rest!) ? [`${path}: ${rest}`] : [],
      ),
    )
    expect(wrong).toEqual([])
  })

  test('every key is used', async () => {
    const all = (await Promise.all(sources.filter((path) => !path.startsWith('src/texts/')).map(read)))
      .map(([, source]) => source)
      .join('\n')
    const own = ['quoted', 'more.one', 'more.other']
    const isUsed = (key: string) =>
      (key.startsWith('report.field.') && all.includes('`report.field.$')) ||
      (key.startsWith('second.') && all.includes('`second.$')) ||
      (key.startsWith('consentPdf.event.') && all.includes('`consentPdf.event.$')) ||
      all.includes(`'${key}'`) ||
      all.includes(`'${key.replace(/\.(one|other)$/, '')}'`)
    expect(textKeys.filter((key) => !own.includes(key) && !isUsed(key))).toEqual([])
  })
})

describe('a writer', () => {
  const trial = {
    languages: ['fr', 'de'],
    texts: { it: { 'query.study': 'Studio: {trial}\n' }, 'de-CH': { 'query.study': 'Schweizer Studie: {trial}\n' } },
  }
  const study = (language: string | null, of?: typeof trial): string =>
    writerFor(language, of).write('query.study', { trial: 'X' })

  test.each([
    ['de', undefined, 'Studie: X\n'],
    ['de-AT', undefined, 'Studie: X\n'],
    [null, undefined, 'Study: X\n'],
    ['nl', undefined, 'Study: X\n'],
    [null, trial, 'Étude\u00a0: X\n'],
    ['nl', trial, 'Étude\u00a0: X\n'],
    ['es', trial, 'Estudio: X\n'],
    ['it', trial, 'Studio: X\n'],
    ['de-CH', trial, 'Schweizer Studie: X\n'],
    ['de-AT', trial, 'Studie: X\n'],
  ])('for %p writes in the best language', (language, of, text) => {
    expect(study(language, of)).toBe(text)
  })

  test('takes a text that the trial lacks in its language from the next', () => {
    const { write } = writerFor('it', trial)
    expect<string>(write('queryMessage.subject', { trial: 'X' })).toBe(
      catalogues.fr!['queryMessage.subject'].replace('{trial}', 'X'),
    )
  })

  test('fills in values as they are, braces included', () => {
    expect<string>(writerFor('en').write('query.form', { participant: '{form}', form: '$&' })).toBe(
      'Participant {form}, form “$&”\n',
    )
  })

  test.each([
    ['en', 0, '0 queries'],
    ['en', 1, 'a query'],
    ['de', 3, '3 Rückfragen'],
    ['fr', 0, 'une question'],
    ['es', 1_000_000, '1000000 consultas'],
  ])('in %s, for %d, chooses the form of the language', (language, count, part) => {
    expect<string>(writerFor(language).writeCounted('queryAssigned.subject', count, { trial: 'X' })).toContain(part)
  })

  test.each([
    ['en', '“A”, “B” and 2 more'],
    ['de', '„A“, „B“ und 2 weitere'],
    ['fr', '«\u00a0A\u00a0», «\u00a0B\u00a0» et 2 autres'],
    ['es', '«A», «B» y 2 más'],
  ])('in %s lists names', (language, text) => {
    expect(writerFor(language).list(['A', 'B', 'C', 'D'], 3)).toBe(text)
  })

  test.each([
    ['en', '05 Mar 2026, 00:30'],
    ['de', '05.03.2026, 00:30'],
    ['fr', '05/03/2026 00:30'],
    ['es', '05/03/2026, 00:30'],
  ])('in %s writes a moment of a zone', (language, text) => {
    const at = Date.UTC(2026, 2, 4, 23, 30) * 1000
    expect(writerFor(language).moment(at, 'Europe/Berlin')).toBe(text)
  })

  test('the type of a text keeps other texts out', () => {
    // @ts-expect-error a text of the source is not `Written`
    const text: SendableText = 'Hello'
    expect<string>(text).toBe('Hello')
  })
})

test('a trial can replace every text but those of accounts, and what a text is for stays in it', () => {
  expect(textKeys.filter((key) => !trialKeys.includes(key)).every((key) => key.startsWith('account.'))).toBe(true)
  expect(essentialPlaceholders).toEqual(['url', 'code', 'forms', 'name', 'when'])
})
