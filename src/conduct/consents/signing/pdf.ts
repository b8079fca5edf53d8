/** Draws a signed consent as PDF. What it says is attached to it as data, too: fonts may lack characters, the data does not. */
import { AFRelationship, PDFDocument, type PDFImage } from '@cantoo/pdf-lib'
import { lines, space } from '#documents/lines'
import { type Block, drawPages, GREY, WIDTH } from '#documents/page'
import { titleFrame } from '#documents/titleFrame'
import { type Typeface, typefaceWithBoxes } from '#documents/typeface'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { DATA, type PdfContent, type PdfPart, TEXT } from './content'
import { consentText } from './plainText'

const INDENT = 14
const TITLE = { size: 13, lead: 17, first: 48 }
/** The most room that an image has, in points. */
const [WIDEST, HIGHEST] = [WIDTH, 300]
const DRAWING = { width: 260, height: 110 }

/** The image in the room that it has. */
function imageBlocks(image: PDFImage, width: number, height: number): Block[] {
  const size = image.scaleToFit(Math.min(width, image.width), Math.min(height, image.height))
  return [
    space(4, true),
    { height: size.height + 4, draw: (canvas, y) => canvas.image(image, 0, y, size.width, size.height) },
  ]
}

const bytesOf = (base64: string): Uint8Array => Buffer.from(base64, 'base64')

/** An image of the sheet; undefined if PDF has no such kind, or it is damaged. */
async function embedImage(document: PDFDocument, source: string): Promise<PDFImage | undefined> {
  const [, kind, base64 = ''] = /^data:image\/(png|jpeg);base64,(.*)$/.exec(source) ?? []
  try {
    if (kind === 'png') return await document.embedPng(bytesOf(base64))
    return kind === 'jpeg' ? await document.embedJpg(bytesOf(base64)) : undefined
  } catch {
    return undefined
  }
}

/** The drawing of a signature. Refuses (422) one that is damaged. */
async function drawingOf(document: PDFDocument, image: string): Promise<PDFImage> {
  try {
    return await document.embedPng(bytesOf(image))
  } catch {
    throw refuse.invalid({ signature: [reason('damagedDrawing')] })
  }
}

async function pageBlocksOf(
  document: PDFDocument,
  part: PdfPart,
  typeface: Typeface,
  toPrintable: (text: string) => string,
) {
  const { regular, bold } = typeface
  switch (part.as) {
    case 'title':
      return [space(14, true), ...lines(toPrintable(part.text), bold, 13, { keepWithNext: true }), space(4, true)]
    case 'heading':
      return [
        space(6, true),
        ...lines(toPrintable(part.text), bold, 10.5, { keepWithNext: true, ...indentOf(part.depth) }),
      ]
    case 'text':
      return [...lines(toPrintable(part.text), regular, 9.5, indentOf(part.depth)), space(4)]
    case 'small':
      return lines(toPrintable(part.text), regular, 8, { shade: GREY })
    case 'rule':
      return [{ height: 12, draw: (canvas, y) => canvas.line(0, y + 6, WIDTH) } satisfies Block]
    case 'drawing':
      return imageBlocks(await drawingOf(document, part.image), DRAWING.width, DRAWING.height)
    case 'image': {
      const image = await embedImage(document, part.source)
      return image ? imageBlocks(image, WIDEST, HIGHEST) : lines(toPrintable(part.text), regular, 9.5, { shade: GREY })
    }
  }
}

function indentOf(depth: number) {
  const x = Math.min(depth, 10) * INDENT
  return { x, width: WIDTH - x }
}

/** The bytes of the PDF. If its fonts lack characters, all of its text is attached, too. @param at when it was signed */
export async function pdfOf(content: PdfContent, at: number): Promise<Uint8Array> {
  const { parts, title, about, unprintable, data } = content
  const document = await PDFDocument.create()
  const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []))
  const { typeface, printable, isWhole } = await typefaceWithBoxes(
    document,
    [title, about, unprintable, ...texts],
    true,
  )
  document.setTitle(title)
  document.setProducer('Trialbox')
  document.setCreator('Trialbox')
  const date = new Date(at / 1000)
  document.setCreationDate(date)
  document.setModificationDate(date)
  const attach = (text: string, name: string, mimeType: string, afRelationship: AFRelationship) =>
    document.attach(Buffer.from(text), name, {
      ...{ mimeType, description: title, creationDate: date, modificationDate: date, afRelationship },
    })
  await attach(JSON.stringify(data, null, 2), DATA, 'application/json', AFRelationship.Data)
  if (!isWhole) await attach(consentText(content), TEXT, 'text/plain', AFRelationship.Alternative)
  const notes: PdfPart[] = isWhole ? [] : [{ as: 'small', text: unprintable }]
  const blocks: Block[] = []
  for (const part of [...notes, ...parts]) blocks.push(...(await pageBlocksOf(document, part, typeface, printable)))
  drawPages(document, typeface, blocks, titleFrame(printable(title), printable(about), typeface, TITLE))
  return document.save()
}
