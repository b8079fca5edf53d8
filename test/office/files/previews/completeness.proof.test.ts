/** What documents hold is in their previews, and previews go with what they show. */
import { expect, test } from 'bun:test'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDict, PDFDocument, PDFName, StandardFonts } from '@cantoo/pdf-lib'
import { Document, ImageRun, Packer, Paragraph, Table, TableCell, TableRow } from 'docx'
import { unusedExports } from '#server/background/removal'
import { present } from '../../../present'
import { chromium } from '../../../web/browser'
import { inFolder } from '../../../writers/folder'
import { own, pdfOf, previews, wordOf, workbookOf } from './documents'

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const picture = (megabytes: number, start: Uint8Array = PNG) =>
  new Paragraph({
    children: [
      new ImageRun({
        type: 'png',
        data: Buffer.concat([start, Buffer.alloc(megabytes << 20, 'pixels')]),
        transformation: { width: 200, height: 200 },
      }),
    ],
  })

const documentOf = async (...children: (Paragraph | Table)[]) =>
  own(await Packer.toBuffer(new Document({ sections: [{ children }] })))

test('the photographs of a Word document are shown, whatever they weigh; what is left out is said', async () => {
  const { filed, shown, owner } = await previews()
  const fitting = await shown(
    await filed('photo.docx', await documentOf(new Paragraph('Before'), picture(2), new Paragraph('After'))),
  )
  expect(fitting).toMatch(/Before.*<img src="data:image\/png;base64,iVBORw0K[^"]*" ?\/?>.*After/)
  expect(fitting.length).toBeGreaterThan(2 << 20)
  expect(fitting).not.toContain('class="cut"')
  const file = await filed('large.docx', await documentOf(picture(13), new Paragraph('After')))
  expect(await shown(file)).toMatch(/class="cut".*Some pictures are not shown.*After/)
  const drawing = await documentOf(picture(0, Buffer.from('<svg onload="alert(1)"/>')))
  await owner.call('DELETE', `/files/${file}`, {})
  const page = await shown(await filed('drawing.docx', drawing))
  expect(page).toContain('Some pictures are not shown')
  expect(page).not.toContain('<img')
})

test('of a Word document with very many elements the beginning is shown', async () => {
  const { filed, shown } = await previews()
  const cell = (text: string) => new TableCell({ children: [new Paragraph(text)] })
  const rows = Array.from({ length: 2500 }, (_, n) => new TableRow({ children: Array(10).fill(cell(`Row ${n}`)) }))
  const page = await shown(await filed('log.docx', await documentOf(new Table({ rows }))))
  expect(page).toMatch(/class="cut".*this is its beginning.*Row 1</)
})

test('the fonts of a PDF stay, whatever a page calls them', async () => {
  const { filed, opened } = await previews()
  const pdf = await PDFDocument.create()
  const page = pdf.addPage()
  page.drawText('A', { font: await pdf.embedFont(StandardFonts.Helvetica) })
  await pdf.flush()
  const fonts = page.node.Resources()!.lookup(PDFName.of('Font'), PDFDict)
  fonts.set(PDFName.of('A'), present(fonts.values()[0]))
  const { bytes } = await opened(await filed('a.pdf', own(await pdf.save())))
  const shown = (await PDFDocument.load(bytes)).getPage(0).node.Resources()!
  expect(shown.toString()).toMatch(/\/A \d+ 0 R/)
})

test('renderings are removed soon after their file, and no others', async () => {
  const { filed, shown, opened, owner, service } = await previews()
  const [gone, other, kept] = [
    await filed('a.txt', 'Mrs Miller'),
    await filed('b.pdf', await pdfOf()),
    await filed('c.docx', await wordOf('kept')),
  ]
  await Promise.all([shown(gone), opened(other), shown(kept)])
  const { storage } = service.services
  expect(readdirSync(storage.exports)).toHaveLength(3)
  for (const file of [gone, other]) await owner.call('DELETE', `/files/${file}`, {})
  await unusedExports.run(service.services, service.services.clock.now())
  const { latestVersion } = await owner.do('readFile', kept)
  expect(readdirSync(storage.exports)).toEqual([`${latestVersion!._id}.html`])
})

test.skipIf(!chromium)('a browser shows the words of a wide table whole, and long ones within their cell', async () => {
  const { filed, shown } = await previews()
  const names = Array.from({ length: 24 }, (_, n) => `measurement_${n + 1}_before`)
  const page = await shown(await filed('wide.xlsx', workbookOf([names, ['x'.repeat(1500)]])))
  const measure = `<script>document.title = [...document.querySelectorAll('td')].map((each) => each.clientHeight < 50).join()
    + ' ' + document.querySelector('td').clientWidth</script>`
  const dom = inFolder((folder) => {
    const path = join(folder, 'a.html')
    writeFileSync(path, page.replace('</body>', `${measure}</body>`))
    const options = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${folder}`, '--dump-dom']
    return Bun.spawnSync([chromium!, ...options, `file://${path}`]).stdout.toString()
  })
  const [, heights, width] = present(/<title>([a-z,]+) (\d+)</.exec(dom))
  expect(heights).toStartWith(`${names.map(() => 'true').join()},false`)
  expect(Number(width)).toBeLessThan(600)
})
