/** Documents that were made to do harm, or that take too much: each is refused with a reason, or shown without it. */
import { expect, test } from 'bun:test'
import { type PDFArray, PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { withPart, zipped } from '../../../exchange/imports/archive'
import { type Content, own, previews, wordOf, workbookOf } from './documents'

/** A PDF whose page tree has itself as a page. */
async function circularPdf() {
  const pdf = await PDFDocument.create()
  pdf.addPage()
  const pages = pdf.catalog.Pages()
  const kids = pages.lookup(PDFName.of('Kids')) as PDFArray
  kids.push(pdf.catalog.get(PDFName.of('Pages'))!)
  return own(await pdf.save({ useObjectStreams: false }))
}

const much = 'a'.repeat(80 << 20)

test.each<[what: string, name: string, content: () => Promise<Content> | Content]>([
  ['a Word document that unpacks to 80 MB', 'a.docx', () => own(zipped({ 'word/document.xml': much }))],
  ['a workbook that unpacks to 80 MB', 'a.xlsx', () => own(zipped({ 'xl/worksheets/sheet1.xml': much }))],
  ['an archive that is no Word document', 'a.docx', () => own(zipped({ 'a.txt': 'a' }))],
  ['a PDF that holds itself', 'a.pdf', circularPdf],
  ['a document cut short', 'a.docx', async () => (await wordOf('text')).slice(0, -100)],
  [
    'half of a surrogate pair',
    'a.docx',
    async () => own(withPart(await wordOf('text'), 'word/document.xml', (xml) => xml.replace('text', '&#xd800;'))),
  ],
])('%s is refused with a reason, and the next document is shown', async (_, name, content) => {
  const { filed, refusal, shown, faults } = await previews()
  const [status, message] = await refusal(await filed(name, await content()))
  expect([status, message]).toEqual([400, expect.stringMatching(/^The document cannot be shown\. .{10,300}\.$/)])
  expect(await shown(await filed('next.txt', 'the next one'))).toContain('the next one')
  expect(faults).toEqual([])
})

test('a Word document names files of the server and of the web: none is read', async () => {
  const { filed, shown } = await previews()
  const evil = withPart(await wordOf('text'), 'word/document.xml', (xml) =>
    xml
      .replace('<w:document', '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><w:document')
      .replace('text', 'text https://evil.example/x.png'),
  )
  const page = await shown(await filed('a.docx', own(evil))).catch((error: Error) => error.message)
  expect(page).not.toContain('root:')
  expect(page).not.toMatch(/src="http/)
})

test('names are shown as text, whatever they hold', async () => {
  const { filed, shown } = await previews()
  const page = await shown(await filed('</title><script>alert(1)</script>.txt', 'a'))
  expect(page.match(/<script/i)).toBeNull()
  const book = await shown(await filed('a.xlsx', workbookOf([['=1+1', '<svg onload=alert(1)>', '\u0007']])))
  expect(book).toContain('&#60;svg onload')
  expect(book).not.toContain('\u0007')
})
