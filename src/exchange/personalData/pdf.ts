/** The report on a person as a PDF, in their language. */
import { PDFDocument } from '@cantoo/pdf-lib'
import { type Frame, flow, GREY, type Piece, WIDTH } from '#exchange/crf/paper'
import { lines, space } from '#exchange/crf/sketches'
import { forgivingTypefaceOf, type Typeface } from '#exchange/crf/typeface'
import type { Writer } from '#texts/write'
import { type Content, type Line, linesOf, type Moments } from './lines'

function piecesOf({ as, text }: Line, { regular, bold }: Typeface): Piece[] {
  if (as === 'heading') return [space(12, true), ...lines(text, bold, 13, { keep: true }), space(4, true)]
  if (as === 'name') return [space(6, true), ...lines(text, bold, 10, { keep: true })]
  return as === 'text'
    ? lines(text, regular, 9.5)
    : lines(text, regular, 7.5, { x: 10, width: WIDTH - 10, shade: GREY })
}

/** Title on every page, with the page number. */
function frameOf(title: string, about: string, { regular, bold }: Typeface): Frame {
  const heading = bold.wrap(title, 15, WIDTH)
  const top = 44 + heading.length * 19
  return {
    top: top + 14,
    bottom: 54,
    draw(pen, page, pages, height) {
      for (const [n, line] of heading.entries()) pen.text(line, 0, 50 + n * 19, 15, bold)
      pen.line(0, top, WIDTH, 0.1)
      pen.text(regular.clean(about), 0, height - 30, 8, regular, GREY)
      const count = `${page} / ${pages}`
      pen.text(count, WIDTH - regular.width(count, 8), height - 30, 8, regular, GREY)
    },
  }
}

/** Draws the report. What no font can print is shown as a box, and the first page says so. */
export async function pdfOf(content: Content, writer: Writer, moments: Moments): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const all = linesOf(content, writer, moments)
  const title = writer.write('report.title', {})
  const about = `${content.trial.name} · ${content.participant.id}`
  const note = writer.write('report.unprintable', {})
  const { typeface, printable, isWhole } = await forgivingTypefaceOf(document, [
    title,
    about,
    note,
    ...all.map(({ text }) => text),
  ])
  document.setTitle(title)
  document.setProducer('Trialbox')
  document.setCreator('Trialbox')
  const notes: Line[] = isWhole ? [] : [{ as: 'text', text: note }]
  const pieces = [...notes, ...all].flatMap((line) => piecesOf({ ...line, text: printable(line.text) }, typeface))
  flow(document, typeface, pieces, frameOf(printable(title), printable(about), typeface))
  return document.save()
}
