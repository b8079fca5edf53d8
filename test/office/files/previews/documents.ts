/** A master file with documents of every kind, and what their previews answer. */
import { expect } from 'bun:test'
import { PDFDocument, PDFName, PDFString, StandardFonts } from '@cantoo/pdf-lib'
import { Document, ExternalHyperlink, HeadingLevel, Packer, Paragraph, TextRun } from 'docx'
import { utils, write } from 'xlsx'
import type { Id } from '#kernel/id'
import { uploadRequestUrl } from '../../../conduct/uploads/uploads.study'
import type { Person } from '../../../harness'
import { masterFile } from '../files.study'

export type Content = string | Uint8Array<ArrayBuffer>

export async function previews() {
  const m = await masterFile()
  const { owner } = m
  /** Uploads a document. Returns its stored name. */
  async function store(name: string, content: Content, type = 'application/octet-stream'): Promise<string> {
    const size = Buffer.byteLength(content)
    const { signedRequestURL, fileName } = await owner.get(uploadRequestUrl('trial', m.trial, { name, size, type }))
    const sent = await m.fetch(signedRequestURL, { method: 'PUT', body: content, headers: { 'Content-Type': type } })
    expect(sent.status).toBe(200)
    return fileName
  }
  /** Adds a version with this content to a file, by default a new one. Returns the `_id` of the file. */
  async function filed(
    name: string,
    content: Content,
    { file, status, type, site }: { file?: Id; status?: 'approved'; type?: string; site?: Id } = {},
  ): Promise<Id> {
    const _id = file ?? (await m.add(site === undefined ? {} : { site }))._id
    const storedName = await store(name, content, type)
    await owner.do('createFileVersion', _id, { storedName, ...(status ? { status } : {}) })
    return _id
  }
  /** What the link answers. */
  async function opened(file: Id, by: Person = owner) {
    const { url, mimeType } = await by.do('previewFile', file)
    const answer = await m.fetch(url)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, mimeType])
    return { url, headers: answer.headers, bytes: await answer.bytes() }
  }
  return {
    ...m,
    filed,
    opened,
    shown: async (file: Id, by?: Person) => new TextDecoder().decode((await opened(file, by)).bytes),
    refusal: async (file: Id, by: Person = owner) => {
      const { status, body } = await by.call('GET', `/files/${file}/preview`)
      return [status, (body as { message: string }).message] as const
    },
  }
}

export const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)

/** A PDF with a script, an action, an attachment and a link, on so many pages. */
export async function pdfOf(pages = 1) {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (let n = 1; n <= pages; n++) pdf.addPage().drawText(`Visit ${n}`, { x: 50, y: 700, size: 20, font })
  pdf.addJavaScript('open', 'app.alert("evil script")')
  await pdf.attach(new TextEncoder().encode('evil attachment'), 'evil.txt')
  const script = { Type: 'Action', S: 'JavaScript', JS: PDFString.of('evil script') }
  const link = {
    Type: 'Annot',
    Subtype: 'Link',
    Rect: [0, 0, 9, 9],
    A: { S: 'URI', URI: PDFString.of('https://evil.example') },
  }
  const chain = { S: 'GoTo', D: [0, 'Fit'], Next: { S: 'Launch', F: PDFString.of('evil program') } }
  const jump = { Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 9, 9], A: chain }
  const movie = { Type: 'Annot', Subtype: 'RichMedia', Rect: [0, 0, 9, 9], Contents: PDFString.of('evil movie') }
  const first = pdf.getPage(0).node
  first.set(PDFName.of('AA'), pdf.context.obj({ O: script }))
  first.set(
    PDFName.of('Annots'),
    pdf.context.obj([pdf.context.register(pdf.context.obj(link)), pdf.context.obj(jump), movie]),
  )
  return own(await pdf.save({ useObjectStreams: false }))
}

export async function wordOf(text: string) {
  const link = new ExternalHyperlink({ children: [new TextRun('a link')], link: 'javascript:evil()' })
  const children = [
    new Paragraph({ text: 'Delegation', heading: HeadingLevel.HEADING_1 }),
    new Paragraph(text),
    new Paragraph({ children: [link] }),
  ]
  return own(await Packer.toBuffer(new Document({ sections: [{ children }] })))
}

export function workbookOf(...sheets: unknown[][][]) {
  const book = utils.book_new()
  for (const [at, rows] of sheets.entries()) utils.book_append_sheet(book, utils.aoa_to_sheet(rows), `Sheet<${at + 1}>`)
  return own(new Uint8Array(write(book, { type: 'array', bookType: 'xlsx' })))
}
