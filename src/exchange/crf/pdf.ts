/** A case report form as a PDF, to be printed and filled in by hand. */
import { PDFDocument } from '@cantoo/pdf-lib'
import type { Crf, Item, Question } from './item'
import { type Frame, flow, GREY, type Pen, type Piece, WIDTH } from './paper'
import { drawingPieces, INDENT, lines, space } from './sketches'
import { type Typeface, typefaceOf } from './typeface'

/** @returns the file, and the characters that are not in the typeface: they are drawn as boxes */
export async function pdfOf(crf: Crf): Promise<{ bytes: Uint8Array; missing: string[] }> {
  const document = await PDFDocument.create()
  const typeface = await typefaceOf(document)
  document.setTitle(`${crf.trial}: ${crf.name}`)
  document.setSubject('Case report form')
  document.setProducer('Trialbox')
  document.setCreator('Trialbox')
  const pieces = [
    ...opening(crf, typeface),
    ...crf.items.flatMap((item) => itemPieces(item, typeface)),
    ...closing(crf, typeface),
  ]
  const frame = frameOf(crf, typeface)
  flow(document, typeface, pieces, frame)
  return { bytes: await document.save(), missing: [...typeface.missing] }
}

function opening({ description, instructions, items }: Crf, { regular }: Typeface): Piece[] {
  const required = items.some((item) => item.kind === 'question' && item.isRequired) ? '* must be answered.' : ''
  const notes = [...instructions, required].filter(Boolean).join(' ')
  return [...lines(description, regular, 9.5), ...lines(notes, regular, 8.5, { shade: GREY }), space(6)]
}

function itemPieces(item: Item, typeface: Typeface): Piece[] {
  return item.kind === 'question' ? questionPieces(item, typeface) : headingPieces(item, typeface)
}

function headingPieces({ text, help, isDivider }: Exclude<Item, Question>, { bold, regular }: Typeface): Piece[] {
  const rule: Piece = { height: 8, keep: true, draw: (pen, y) => pen.line(0, y + 4, WIDTH, 0.1) }
  return [
    space(8, true),
    ...(isDivider ? [rule] : []),
    ...lines(text, bold, 12.5, { keep: true }),
    ...lines(help, regular, 9, { shade: GREY, keep: true }),
    space(4, true),
  ]
}

function questionPieces(question: Question, typeface: Typeface): Piece[] {
  const { regular, bold } = typeface
  const { number, text, isRequired, help, condition, hint, drawing } = question
  const room = { x: INDENT, width: WIDTH - INDENT, keep: true }
  const [first, ...others] = lines(isRequired ? `${text} *` : text, bold, 10, room)
  const numbered: Piece = {
    ...first!,
    draw(pen, y) {
      pen.text(`${number}.`, 0, y + 10.5, 10, bold)
      first!.draw(pen, y)
    },
  }
  return [
    space(5, true),
    numbered,
    ...others,
    ...lines(condition, bold, 8.5, { ...room, shade: 0.25 }),
    ...lines(help, regular, 8.5, { ...room, shade: 0.3 }),
    ...lines(hint, regular, 8, { ...room, shade: GREY }),
    ...drawingPieces(drawing, typeface),
    space(6),
  ]
}

/** Lines for signatures; and a note on the boxes, if characters could not be drawn. */
function closing({ signatures }: Crf, typeface: Typeface): Piece[] {
  const { regular } = typeface
  const width = WIDTH / signatures.length
  const signed: Piece = {
    height: 44,
    draw(pen, y) {
      for (const [at, label] of signatures.entries()) {
        pen.line(at * width, y + 28, width - 14)
        pen.text(label, at * width, y + 38, 7.5, regular, GREY)
      }
    },
  }
  const note = typeface.missing.size
    ? 'Some characters of this form are not in its typeface and are shown as boxes; the Word version has them.'
    : ''
  return [space(10, true), signed, ...lines(note, regular, 8, { shade: GREY })]
}

/** Head and foot of every page. */
function frameOf(crf: Crf, { regular, bold }: Typeface): Frame {
  const clip = (text: string, size: number, width: number, most: number) => {
    const all = bold.wrap(text, size, width)
    return all.length <= most ? all : [...all.slice(0, most - 1), `${all[most - 1]!.slice(0, -1)}…`]
  }
  const protocol = crf.protocol ? clip(`Protocol ${crf.protocol}`, 8.5, WIDTH * 0.35, 2) : []
  const trial = clip(crf.trial, 8.5, WIDTH * 0.62, 2)
  const name = clip(crf.name, 13, WIDTH, 2)
  const first = Math.max(trial.length, protocol.length) * 12
  const writing = 37 + first + name.length * 17
  const top = writing + 34
  const width = [0.3, 0.3, 0.15, 0.25].map((part) => part * WIDTH)
  return {
    top: top + 10,
    bottom: 54,
    draw(pen: Pen, page: number, pages: number, height: number) {
      for (const [n, line] of trial.entries()) pen.text(line, 0, 40 + n * 12, 8.5, bold, 0.25)
      for (const [n, line] of protocol.entries())
        pen.text(line, WIDTH - bold.width(line, 8.5), 40 + n * 12, 8.5, bold, 0.25)
      for (const [n, line] of name.entries()) pen.text(line, 0, 47 + first + n * 17, 13, bold)
      let x = 0
      for (const [n, { label }] of crf.head.entries()) {
        const written = regular.clean(label)
        const from = regular.width(written, 8.5) + 4
        pen.text(written, x, writing + 20, 8.5)
        pen.line(x + from, writing + 22, width[n]! - from - 10)
        x += width[n]!
      }
      pen.line(0, top, WIDTH, 0.1)
      const foot = height - 30
      pen.line(0, foot - 12, WIDTH)
      const count = `Page ${page} of ${pages}`
      pen.text(regular.clean(crf.version), 0, foot, 8, regular, GREY)
      pen.text(count, (WIDTH - regular.width(count, 8)) / 2, foot, 8, regular, GREY)
      pen.text(crf.printed, WIDTH - regular.width(crf.printed, 8), foot, 8, regular, GREY)
    },
  }
}
