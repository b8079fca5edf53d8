import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { PDFDocument } from '@cantoo/pdf-lib'
import { extractText, getDocumentProxy } from 'unpdf'
import { HOUR } from '#kernel/time'
import { proof } from '../../../proof'
import { type Content, own, pdfOf, previews, wordOf, workbookOf } from './documents'

const SCRIPT = '<script>alert(1)</script><img src=https://evil.example/x onerror=alert(1)>'
const PNG = own(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
)
const HTML_POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox"

/** Everything in a tag that could run or load in a page. */
const ACTIVE = /<script|<iframe|<object|<svg|<link|<meta(?! charset)|\son\w+=["'a-z]|javascript:|src="(?!data:)|url\(/i

describe('what is shown', () => {
  test.each<[name: string, content: () => Content | Promise<Content>, parts: string[]]>([
    ['notes.txt', () => `First & <b>line</b>\n${SCRIPT}`, ['First &#38; &#60;b&#62;line', '&#60;script&#62;']],
    ['notes.MD', () => '# A heading', ['<pre># A heading</pre>']],
    ['latin.txt', () => own(Buffer.from('Größe', 'latin1')), ['Größe']],
    ['half.txt', () => own(Buffer.from([0x61, 0xed, 0xa0, 0x80, 0x62])), ['<pre>a\ufffd']],
    ['wide.txt', () => own(Buffer.from('\ufeffÄ 😀', 'utf16le')), ['Ä 😀']],
    ['list.csv', () => `Name;Dose\n"A;B";${SCRIPT}\n`, ['<td>Name</td><td>Dose</td>', '<td>A;B</td><td>&#60;script']],
    ['broken.csv', () => 'a,b\n"never closed', ['<pre>a,b\n&#34;never closed</pre>']],
    [
      'book.xlsx',
      () => workbookOf([['Dose', SCRIPT]], [[1.5, true]]),
      ['<h2>Sheet&#60;1&#62;', '<td>Dose</td><td>&#60;script', '<td>1.5</td><td>TRUE</td>'],
    ],
    ['word.docx', () => wordOf(SCRIPT), ['<h1>', 'Delegation</h1>', '&lt;script&gt;', 'a link']],
  ])('%s', async (name, content, parts) => {
    const { filed, opened } = await previews()
    const { bytes, headers } = await opened(await filed(name, await content()))
    const page = new TextDecoder().decode(bytes)
    for (const part of parts) expect(page).toContain(part)
    expect(page.match(/<[^>]*>/g)!.join('\n')).not.toMatch(ACTIVE)
    expect(page).not.toContain('class="cut"')
    expect(page).toContain(`<title>${name}</title>`)
    expect(headers.get('content-security-policy')).toBe(HTML_POLICY)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('content-disposition')).toStartWith('inline')
  })

  test('images as they are, with the type that their bytes have', async () => {
    const { filed, opened, owner } = await previews()
    const file = await filed('scan.jpg', PNG, { type: 'text/html' })
    const { mimeType } = await owner.do('previewFile', file)
    const { bytes, headers } = await opened(file)
    expect([mimeType, Buffer.from(bytes).equals(Buffer.from(PNG))]).toEqual(['image/png', true])
    expect(headers.get('content-security-policy')).toBe(HTML_POLICY)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('PDFs without scripts, actions, attachments and media', async () => {
    const { filed, opened } = await previews()
    const evil = await pdfOf()
    expect(Buffer.from(evil).toString('latin1')).toContain('evil.example')
    const { bytes, headers } = await opened(await filed('visits.pdf', evil))
    expect(headers.get('content-security-policy')).not.toContain('sandbox')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    const { text } = await extractText(await getDocumentProxy(bytes.slice()), { mergePages: true })
    expect(text).toBe('Visit 1')
    const plain = await (await PDFDocument.load(bytes)).save({ useObjectStreams: false })
    expect(Buffer.from(plain).toString('latin1')).not.toMatch(/evil|JavaScript|\/AA|\/URI|RichMedia|EmbeddedFile/)
  })
})

describe('what is cut says so', () => {
  test.each<[name: string, content: () => Content, note: RegExp, most: number]>([
    ['long.txt', () => 'word '.repeat(300_000), /this is its beginning/, 1_100_000],
    ['long.csv', () => `a,b\n${'1,2\n'.repeat(1500)}`, /first 1000 rows/, 50_000],
    ['wide.csv', () => `${'a,'.repeat(150)}z\n`, /first 100 columns/, 10_000],
    ['cell.csv', () => `a,${'b'.repeat(3000)}\n`, /Long cells are cut/, 4000],
    ['rows.xlsx', () => workbookOf(Array.from({ length: 1200 }, (_, n) => [n])), /first 1000 rows/, 50_000],
    ['sheets.xlsx', () => workbookOf(...Array.from({ length: 31 }, () => [['a']])), /first 30 sheets/, 20_000],
  ])('%s', async (name, content, note, most) => {
    const { filed, shown } = await previews()
    const page = await shown(await filed(name, content()))
    expect(page).toMatch(note)
    expect(page).toContain('class="cut"')
    expect(page.length).toBeLessThan(most)
  })

  proof('a PDF of many pages', async () => {
    const { filed, opened } = await previews()
    const { bytes } = await opened(await filed('long.pdf', await pdfOf(203)))
    const { totalPages, text } = await extractText(await getDocumentProxy(bytes.slice()))
    expect([totalPages, text[0]]).toEqual([201, 'The preview shows the first 200 of 203 pages.'])
  })
})

describe('refusals', () => {
  test.each<[name: string, content: Content, message: RegExp]>([
    ['page.html', '<p>', /cannot be shown in a browser/],
    ['drawing.svg', '<svg onload="alert(1)"/>', /cannot be shown in a browser/],
    ['program.exe', 'MZ', /cannot be shown in a browser/],
    ['old.doc', 'D0', /cannot be shown in a browser/],
    ['scan.png', '<svg onload="alert(1)"/>', /not a PNG, JPEG, GIF or WebP/],
    ['bad.pdf', '%PDF-1.7 nothing', /damaged, protected or not a pdf file/],
    ['bad.docx', 'PK\x03\x04 nothing', /cannot be shown\. /],
    ['bad.xlsx', 'nothing', /It is not a workbook/],
    ['nul.txt', 'a\0b', /It is not a text/],
  ])('%s', async (name, content, message) => {
    const { filed, refusal } = await previews()
    expect(await refusal(await filed(name, content, { type: 'text/plain' }))).toEqual([
      400,
      expect.stringMatching(message),
    ])
  })

  test('a file without a version', async () => {
    const { add, refusal } = await previews()
    expect(await refusal((await add())._id)).toEqual([400, expect.stringContaining('no version yet')])
  })
})

describe('the link', () => {
  test('ends after an hour, and with the file; it cannot be changed to another', async () => {
    const { filed, opened, owner, clock, fetch } = await previews()
    const [one, other] = [await filed('a.txt', 'one'), await filed('b.txt', 'other')]
    const { url } = await opened(one)
    const { url: second } = await opened(other)
    const name = (link: string) => /previews\/([^?]+)/.exec(link)![1]!
    expect((await fetch(url.replace(name(url), name(second)))).status).toBe(403)
    expect((await fetch(url.replace('/previews/', '/files/'))).status).toBe(403)
    expect((await fetch(url.replace('text%2Fhtml', 'text%2Fplain'))).status).toBe(403)
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
    await owner.call('DELETE', `/files/${other}`, {})
    expect((await fetch(second)).status).toBe(404)
    clock(HOUR)
    expect((await fetch(url)).status).toBe(403)
  })

  test('a version is rendered once, also for several at a time', async () => {
    const { filed, shown, service } = await previews()
    const file = await filed('a.txt', 'once')
    const pages = await Promise.all([1, 2, 3, 4].map(() => shown(file)))
    expect(new Set(pages).size).toBe(1)
    const kept = readdirSync(service.services.storage.exports)
    expect(kept.filter((name) => name.endsWith('.html'))).toHaveLength(1)
    expect(kept).toHaveLength(1)
  })
})

test('readers of approved files see the latest approved version, and no other', async () => {
  const m = await previews()
  const reader = m.staff(m.trial, ['trial.readApprovedFiles'])
  const nurse = m.staff(m.trial, ['site.readFiles'], m.north)
  const draft = await m.filed('draft.txt', 'only a draft')
  const file = await m.filed('a.txt', 'approved text', { status: 'approved' })
  await m.filed('a.txt', 'new draft', { file })
  expect(await m.shown(file)).toContain('new draft')
  const page = await m.shown(file, reader)
  expect(page).toContain('approved text')
  expect(page).not.toContain('new draft')
  expect((await m.refusal(draft, reader))[0]).toBe(404)
  expect((await m.refusal(file, nurse))[0]).toBe(404)
  expect(await m.shown(await m.filed('n.txt', 'of the north', { site: m.north }), nurse)).toContain('of the north')
})
