/** Copies of PDFs that can only be read: pages without scripts, actions, attachments and media. */
import { PDFArray, PDFDict, PDFDocument, PDFName, type PDFObject, PDFStream, StandardFonts } from '@cantoo/pdf-lib'

const MOST_PAGES = 200

const ANNOTATIONS = new Set(
  (
    'Link Text FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Stamp Caret Ink ' +
    'Popup Widget'
  ).split(' '),
)
const nameIn = (dict: PDFDict, key: string): string | undefined => {
  const value = dict.lookup(PDFName.of(key))
  return value instanceof PDFName ? value.decodeText() : undefined
}

/** What runs, leads out of the document, or brings something along. */
const REMOVED = [
  'AA',
  'JS',
  'JavaScript',
  'OpenAction',
  'EF',
  'AF',
  'PA',
  'Names',
  'XFA',
  'RichMediaContent',
  'URI',
  'Ref',
]

function clean(object: PDFObject): void {
  const left: PDFObject[] = [object]
  for (let each = left.pop(); each; each = left.pop()) {
    if (each instanceof PDFArray) left.push(...each.asArray())
    const dict = each instanceof PDFStream ? each.dict : each instanceof PDFDict ? each : undefined
    if (!dict) continue
    for (const key of REMOVED) dict.delete(PDFName.of(key))
    // The content of a stream may be in another file.
    if (each instanceof PDFStream) dict.delete(PDFName.of('F'))
    const action = dict.lookup(PDFName.of('A'))
    // An action has a kind: a font that the resources of a page call `A` has none.
    const kind = action instanceof PDFDict ? nameIn(action, 'S') : undefined
    // An action may be followed by others.
    if (action instanceof PDFDict && kind === 'GoTo') action.delete(PDFName.of('Next'))
    else if (kind !== undefined) dict.delete(PDFName.of('A'))
    removeAnnotations(dict)
    left.push(...dict.values())
  }
}

function removeAnnotations(page: PDFDict): void {
  const annotations = page.lookup(PDFName.of('Annots'))
  if (!(annotations instanceof PDFArray)) return
  for (let at = annotations.size() - 1; at >= 0; at--) {
    const each = annotations.lookup(at)
    if (!(each instanceof PDFDict) || !ANNOTATIONS.has(nameIn(each, 'Subtype') ?? '')) annotations.remove(at)
  }
}

/** The first pages of the document, with a page that says so if there are more. */
export async function readOnlyPdf(bytes: Uint8Array, title: string): Promise<Uint8Array> {
  const source = await PDFDocument.load(bytes, { updateMetadata: false })
  const count = source.getPageCount()
  const pdf = await PDFDocument.create({ updateMetadata: false })
  const pages = await pdf.copyPages(
    source,
    Array.from({ length: Math.min(count, MOST_PAGES) }, (_, at) => at),
  )
  for (const page of pages) pdf.addPage(page)
  await pdf.flush()
  for (const [, object] of pdf.context.enumerateIndirectObjects()) clean(object)
  if (count > MOST_PAGES) {
    const font = await pdf.embedFont(StandardFonts.Helvetica)
    pdf
      .insertPage(0)
      .drawText(`The preview shows the first ${MOST_PAGES} of ${count} pages.`, { x: 50, y: 700, size: 14, font })
  }
  pdf.setTitle(title)
  return pdf.save()
}
