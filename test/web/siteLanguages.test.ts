/** Languages that a site adds: their files, the command that writes and checks them, the pages that show them, also without a connection. */
import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { englishTexts } from '#web/languages/english'
import {
  codeProblem,
  compare,
  keysFor,
  type LanguageFile,
  readLanguage,
  template,
  usualDirection,
} from '#web/languages/language'
import { fromSource, runProgram, startServer, testServerLine } from '../program'
import { freshFolder } from '../server/process/folder'
import { chromium, faultsOf, inBrowser } from './browser'

const english = new Map([
  ['kit', { 'dialog.cancel': 'Cancel', 'kept.one': '{count} form of {name}', 'kept.other': '{count} forms of {name}' }],
])
const file = (texts: LanguageFile['texts'][string], name = 'Nederlands'): LanguageFile => ({
  language: { name, direction: 'ltr' },
  texts: { kit: texts },
})

test.each([
  ['nl', true],
  ['pt-br', true],
  ['ckb', true],
  ['de', false],
  ['NL', false],
  ['pt_br', false],
  ['../nl', false],
  ['nederlands', false],
  ['', false],
])('the code %p can be that of a file: %p', (code, isPossible) => {
  expect(codeProblem(code) === undefined).toBe(isPossible)
})

test.each<[string, string]>([
  ['{', 'it is not JSON'],
  ['[]', '"language" and "texts"'],
  ['{"language":{"name":" ","direction":"ltr"},"texts":{}}', 'a "name"'],
  ['{"language":{"name":"X","direction":"up"},"texts":{}}', '"ltr" or "rtl"'],
  ['{"language":{"name":"X","direction":"ltr"},"texts":{"kit":[]}}', '"kit" is not an object'],
  ['{"language":{"name":"X","direction":"ltr"},"texts":{"kit":{"a":"b"}}}', '"a" of "kit" needs "english" and "text"'],
])('the file %s is refused: %s', (content, problem) => {
  expect(() => readLanguage(content)).toThrow(problem)
})

test('a file is compared with the English texts: what is missing, has changed, is unknown or has wrong placeholders', () => {
  const found = compare(
    'nl',
    file({
      'dialog.cancel': { english: 'Abort', text: 'Annuleren' },
      'kept.one': { english: '{count} form of {name}', text: 'één formulier van {name}' },
      'kept.other': { english: '{count} forms of {name}', text: '{count} formulieren van {naam}' },
      old: { english: 'Old', text: 'Oud' },
    }),
    english,
  )
  expect(found).toEqual({
    texts: { kit: { 'dialog.cancel': 'Annuleren', 'kept.one': 'één formulier van {name}' } },
    count: 3,
    missing: [],
    stale: ['kit dialog.cancel'],
    unknown: ['kit old'],
    wrong: ['kit kept.other: has {naam}, which the English text does not have'],
  })
  expect(compare('nl', file({}), english).missing).toHaveLength(3)
  const short = file({ 'kept.other': { english: '{count} forms of {name}', text: 'formulieren' } })
  expect(compare('nl', short, english).wrong).toEqual(['kit kept.other: lacks {count}, {name}'])
})

test('each form of a number that the language has is to be translated', () => {
  expect(keysFor('pl', english.get('kit')!).map(([key]) => key)).toEqual([
    'dialog.cancel',
    ...['kept.one', 'kept.few', 'kept.many', 'kept.other'],
  ])
  expect(keysFor('ja', english.get('kit')!).map(([key]) => key)).toEqual(['dialog.cancel', 'kept.other'])
})

test('every catalogue of the pages is in the file', async () => {
  const all = [...(await englishTexts()).keys()]
  const declared: string[] = []
  for (const path of new Glob('src/web/**/*.ts').scanSync('.'))
    for (const [, id = ''] of (await Bun.file(path).text()).matchAll(/Catalogue<\w+> = \{\n {2}id: '([\w/]+)'/g))
      declared.push(id)
  for (const path of new Glob('*/en.ts').scanSync('src/web/console/lang'))
    declared.push(`console/${path.split(/[\\/]/)[0]}`)
  expect(declared.length).toBeGreaterThan(15)
  expect(declared.filter((id) => !all.includes(id))).toEqual([])
  expect(all.filter((id) => !declared.includes(id)).sort()).toEqual(['form/answers', 'form/instructions', 'refusals'])
})

test('a file that is written again keeps what is translated, and says where English has changed until somebody has looked', () => {
  const before = file({ 'dialog.cancel': { english: 'Abort', text: 'Annuleren' } }, 'Vlaams')
  const written = template('nl', before, english)
  expect(written.language.name).toBe('Vlaams')
  expect(written.texts.kit).toMatchObject({
    'dialog.cancel': { english: 'Cancel', text: 'Annuleren', before: 'Abort' },
    'kept.other': { english: '{count} forms of {name}', text: '' },
  })
  expect(template('nl', written, english)).toEqual(written)
  expect(compare('nl', written, english).stale).toEqual(['kit dialog.cancel'])
  expect([usualDirection('he'), usualDirection('nl'), usualDirection('ckb')]).toEqual(['rtl', 'ltr', 'rtl'])
})

/** A folder with Hebrew, of which a few texts are translated, and a faulty file. */
async function folderWithHebrew() {
  const folder = join(freshFolder(), 'languages')
  const trialbox = (...words: string[]) => runProgram(fromSource, 'languages', ...words, '--languages', folder)
  const written = await trialbox('write', 'he')
  const path = join(folder, 'he.json')
  const content: LanguageFile = JSON.parse(readFileSync(path, 'utf8'))
  const translate = (catalogue: string, texts: Record<string, string>) => {
    for (const [key, text] of Object.entries(texts)) {
      expect([key, typeof content.texts[catalogue]![key]?.english]).toEqual([key, 'string'])
      content.texts[catalogue]![key]!.text = text
    }
  }
  translate('kit', { 'site.language': 'שפה', 'site.skip': 'דלגו לתוכן' })
  translate('participant', { 'signIn.title': 'כניסה' })
  translate('site', { 'account.title': 'חשבון' })
  translate('refusals', { notEmail: 'זו אינה כתובת דוא״ל.', tooMany: 'יותר מדי {limits}' })
  writeFileSync(path, JSON.stringify(content))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'nl.json'), '{')
  return { folder, written, trialbox }
}

test('the command writes the file and says what is wrong; the server uses what it can, and says what it cannot', async () => {
  const { folder, written, trialbox } = await folderWithHebrew()
  expect(written).toMatchObject({ code: 0, err: '' })
  expect(written.out).toMatch(/he\.json: \d{4} texts, \d{4} of them to be translated/)
  const checked = await trialbox('check')
  expect(checked.code).toBe(1)
  expect(checked.out).toContain('refusals tooMany: has {limits}, which the English text does not have')
  expect(checked.out).toContain('nl: the server does not use it: it is not JSON')
  expect((await trialbox('write', 'nl')).err).toContain('stays as it is')
  expect((await trialbox('write', 'de')).err).toContain('Trialbox has the language "de" itself.')

  const server = await startServer(fromSource, ['--test', '--port', '0', '--languages', folder], testServerLine)
  const { url } = server.found
  const read = (path: string, headers = {}) => fetch(url + path, { headers: { Accept: 'text/html', ...headers } })
  const account = await (await read('/account', { 'Accept-Language': 'he-IL, en;q=0.5' })).text()
  expect(account).toContain('<html lang="he" dir="rtl">')
  expect(account).toContain('חשבון')
  // What is not translated is in English; the menu offers the language on the pages in others, too.
  expect(account).toContain('>Manual</a>')
  expect(await (await read('/account')).text()).toMatch(/<a href="\?language=he" lang="he" hreflang="he">[^<]+<\/a>/)
  const chosen = await fetch(`${url}/account?language=he`, { redirect: 'manual' })
  expect(chosen.headers.get('set-cookie')).toStartWith('language=he;')
  expect(await (await read('/account', { Cookie: 'language=he' })).text()).toContain('lang="he"')
  expect((await read('/account?language=nl')).url).toContain('language=nl')
  const app = await (await read('/app/')).text()
  const [, meta = ''] = /<meta name="languages" content="([^"]*)">/.exec(app) ?? []
  const { he } = JSON.parse(meta.replaceAll('&quot;', '"')) as Record<string, { folder: string; dir: string }>
  expect(he).toMatchObject({ dir: 'rtl', name: expect.any(String) })
  const texts = await fetch(`${url}${he!.folder}/refusals.json`)
  expect(texts.headers.get('cache-control')).toContain('immutable')
  expect(await texts.json()).toEqual({ notEmail: 'זו אינה כתובת דוא״ל.' })
  expect((await fetch(`${url}${he!.folder}/other.json`)).status).toBe(404)
  const worker = await fetch(`${url}/app/sw.js`)
  expect(await worker.text()).toStartWith('self.ADDED_LANGUAGES="{')
  expect(worker.headers.get('content-security-policy')).toContain("default-src 'none'")
  const { err } = await server.stop()
  expect(err).toContain('nl.json is not used: it is not JSON')
  expect(err).toContain('he.json: 1 texts are shown in English')
}, 180_000)

describe.skipIf(!chromium)('in a browser', () => {
  test('the pages are in the language, from right to left, also without a connection', async () => {
    const { folder } = await folderWithHebrew()
    const server = await startServer(fromSource, ['--test', '--port', '0', '--languages', folder], testServerLine)
    const { url } = server.found
    await inBrowser(
      async (page) => {
        const faults = faultsOf(page, url)
        await page.goto(`${url}/account`)
        await page.locator('input[name=email]').fill('nonsense')
        await page.locator('input[name=password]').fill('x')
        await page.locator('form').evaluate((form: HTMLFormElement) => {
          form.noValidate = true
          form.requestSubmit()
        })
        await page.getByText('זו אינה כתובת דוא״ל.').waitFor()

        await page.goto(`${url}/app/`)
        await page.getByRole('heading', { name: 'כניסה' }).waitFor()
        expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
        const menu = page.getByLabel('שפה')
        expect(await menu.inputValue()).toBe('he')
        await menu.selectOption('de')
        await page.locator('html[lang=de][dir=ltr]').waitFor()
        await menu.or(page.getByLabel('Sprache')).selectOption('he')
        await page.locator('html[lang=he][dir=rtl]').waitFor()
        // The worker keeps its files, and the app opens without a connection in the language.
        await page.waitForFunction(async () => {
          const kept = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
          return kept.flat().filter((each) => each.url.includes('/web/languages/he-')).length >= 7
        })
        await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
        await page.context().setOffline(true)
        await page.reload()
        await page.getByRole('heading', { name: 'כניסה' }).waitFor()
        expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
        await page.context().setOffline(false)
        expect(faults.filter((each) => !each.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
      },
      { locale: 'he-IL' },
    )
    await server.stop()
  }, 180_000)
})
