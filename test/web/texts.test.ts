/** The texts of the pages are complete in each language, and each request gets the language that fits it. */
import { describe, expect, test } from 'bun:test'
import { Glob } from 'bun'
import { placeholdersIn } from '#texts/catalogue'
import { staffLanguages } from '#web/console/lang/staffLanguages'
import { fill } from '#web/form/fillTexts'
import { form } from '#web/form/texts'
import { acceptedLanguages } from '#web/kit/language/acceptedLanguages'
import { builtIn, isBuiltIn, type BuiltInLanguage as Language } from '#web/kit/language/languages'
import { common } from '#web/kit/language/translator'
import { signIn } from '#web/kit/signIn/texts'
import { consent } from '#web/links/consent/texts'
import { meeting } from '#web/links/meeting/texts'
import { links } from '#web/links/texts'
import { tablet } from '#web/participant/tablet/texts'
import { participant } from '#web/participant/texts'
import { languageOf } from '#web/serving/negotiate'
import { account, loadTranslator as loadAccountTranslator } from '#web/site/account/texts'
import { loadTranslator, site } from '#web/site/texts'

const all = Object.keys(builtIn).filter(isBuiltIn)
const catalogues = { common, signIn, site, account, form, fill, participant, tablet, links, meeting, consent }
/** Those of the console, by folder. Staff have fewer languages. */
const ofStaff = [...new Glob('*/en.ts').scanSync('src/web/console/lang')].map((path) => path.split(/[\\/]/)[0]!)
const groups = Object.keys(catalogues) as (keyof typeof catalogues)[]

/** The texts of a group of pages. */
const textsOf = async (group: string, language: Language): Promise<Record<string, string>> =>
  ofStaff.includes(group)
    ? (await import(`#web/console/lang/${group}/${language}`))[language]
    : { ...(await catalogues[group as keyof typeof catalogues][language]()) }
const english = Object.fromEntries(
  await Promise.all([...groups, ...ofStaff].map(async (each) => [each, await textsOf(each, 'en')])),
)

describe.each(all)('in %s', (language) => {
  const complete = staffLanguages.some((each) => each === language) ? [...groups, ...ofStaff] : groups
  test.each<string>(complete)(
    'every text of %s is there, with the same placeholders, and translated',
    async (group) => {
      const texts = await textsOf(group, language)
      const en: Record<string, string> = english[group]
      const keys = Object.keys(en)
      const counted = keys.flatMap((key) => (key.endsWith('.one') ? [key.slice(0, -4)] : []))
      const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
      // Every form of a number that a language has needs a text, but "many" of French and Spanish, which are millions.
      const needed = counted.flatMap((key) => categories.map((each) => `${key}.${each}`))
      const missing = needed.filter(
        (key) => !Object.hasOwn(texts, key) && !(key.endsWith('.many') && language !== 'ar'),
      )
      expect(missing).toEqual([])
      for (const key of keys) {
        const [ours, theirs] = [placeholdersIn(texts[key]!), placeholdersIn(en[key]!)]
        // "One section" may say the number in words.
        const isOne = key.endsWith('.one')
        expect([key, ours.filter((name) => !isOne || name !== 'count')]).toEqual([
          key,
          theirs.filter((name) => !isOne || name !== 'count'),
        ])
        expect([key, /^\s|\s$| {2}/.test(texts[key]!), texts[key] === '']).toEqual([key, false, false])
        // A line must not begin with the punctuation that French sets apart.
        if (language === 'fr') expect([key, / [:;?!](?!\w)|« | »/.test(texts[key]!)]).toEqual([key, false])
      }
      const same = keys.filter((key) => texts[key] === en[key])
      const international = [
        'site.api',
        'site.pages',
        'site.manual',
        'signIn.code',
        'meeting.chat',
        'consent.email',
        'review.version',
        'queries.occurrence',
        'casebook.numbered',
        'casebook.name',
        'casebook.whatsapp',
        'participants.name',
        'thread.age',
      ]
      if (language !== 'en') expect(same.filter((key) => !international.includes(key))).toEqual([])
    },
  )
})

test('every text is used', async () => {
  const sources = [...new Glob('src/web/**/*.{ts,tsx}').scanSync('.')].filter((path) => !path.includes('/lang/'))
  const source = (await Promise.all(sources.map((path) => Bun.file(path).text()))).join('\n')
  // A key is written as it is, or its last part is a value: `state.${state}`.
  const used = (key: string) => {
    const written = key.replace(/\.(one|other)$/, '')
    return source.includes(`'${written}'`) || source.includes(`\`${written.replace(/\.\w+$/, '')}.\${`)
  }
  // Named by the purpose of a link.
  const purposes = ['setup.first', 'setup.invitation', 'setup.reset']
  const keys = [...groups, ...ofStaff].flatMap((group) => Object.keys(english[group]))
  expect(keys.filter((key) => !used(key) && !purposes.includes(key))).toEqual([])
})

test.each<[Language, number, string]>([
  ['en', 0, '0 sections with “x”'],
  ['en', 1, '1 section with “x”'],
  ['de', 1, '1 Abschnitt mit „x“'],
  ['de', 1234, '1.234 Abschnitte mit „x“'],
  ['fr', 0, '0 section avec «\u00a0x\u00a0»'],
  ['fr', 1_000_000, '1\u202f000\u202f000 sections avec «\u00a0x\u00a0»'],
  ['ar', 2, 'قسمان فيهما «\u2068x\u2069»'],
  ['ar', 3, '\u20683\u2069 أقسام فيها «\u2068x\u2069»'],
  ['ar', 11, '\u206811\u2069 قسمًا فيه «\u2068x\u2069»'],
  ['ar', 100, '\u2068100\u2069 قسم فيه «\u2068x\u2069»'],
])('%s counts %d', async (language, count, text) => {
  expect((await loadTranslator(language)).count('manual.hits', count, { query: 'x' })).toBe(text)
})

test('values are put in as they are, even if they look like placeholders', async () => {
  const { t } = await loadAccountTranslator('en')
  expect(t('account.deleted', { name: '{name} $& <b>\ud83d' })).toBe('The key “{name} $& <b>\ud83d” was deleted.')
})

test('a value that is read in the other direction keeps to itself', async () => {
  const [english, arabic] = [await loadAccountTranslator('en'), await loadAccountTranslator('ar')]
  for (const name of ['خطة.pdf', 'invoice\u202efdp.txt'])
    expect(english.t('account.deleted', { name })).toBe(`The key “\u2068${name}\u2069” was deleted.`)
  expect(arabic.t('account.deleted', { name: 'plan' })).toContain('\u2068plan\u2069')
})

test.each<[accept: string | null, cookie: string | null, Language]>([
  [null, null, 'en'],
  ['de', null, 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', null, 'de'],
  ['en;q=0.5, fr-CA', null, 'fr'],
  ['nl, es;q=0.4, de;q=0.6', null, 'de'],
  ['nl', null, 'en'],
  ['de;q=0, es', null, 'es'],
  ['AR-eg', null, 'ar'],
  ['*', null, 'en'],
  [`${'x,'.repeat(10_000)}de`, null, 'en'],
  [';;;q=,,=;q=abc', null, 'en'],
  ['constructor, __proto__', null, 'en'],
  ['de', 'language=fr', 'fr'],
  ['de', 'session=1; language=ar; x=y', 'ar'],
  ['de', 'language=xx', 'de'],
  ['de', 'mylanguage=fr', 'de'],
])('Accept-Language %p and the cookie %p mean %s', (accept, cookie, language) => {
  const headers = { ...(accept === null ? {} : { 'Accept-Language': accept }), ...(cookie ? { Cookie: cookie } : {}) }
  expect(languageOf(new Request('http://localhost/', { headers }))).toBe(language)
})

test.each<[page: Language, browser: string[], header: string]>([
  ['en', ['it-IT', 'it', 'en'], 'it-IT, it;q=0.9, en;q=0.8'],
  ['en', ['nl'], 'nl, en;q=0.9'],
  ['de', ['de-AT', 'en'], 'de-AT, en;q=0.9, de;q=0.8'],
  ['fr', ['de-AT', 'en'], 'fr, de-AT;q=0.9, en;q=0.8'],
  ['en', [], 'en'],
])('a page in %s of a browser for %j asks for %s', (page, browser, header) => {
  expect(acceptedLanguages(page, browser)).toBe(header)
})
