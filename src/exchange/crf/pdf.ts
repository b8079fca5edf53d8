/** A case report form as a PDF, to be printed and filled in by hand. */
import { PDFDocument } from '@cantoo/pdf-lib'
import { lines, space } from '#documents/lines'
import { type Block, type Canvas, drawPages, type Frame, GREY, WIDTH } from '#documents/page'
import { frameOf, pageOf } from '#documents/titleFrame'
import { type Typeface, typefaceOf, type UnprintableCharacter } from '#documents/typeface'
import { type Problem, refuse } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'
import { cut } from '#kernel/text'
import type { Crf, Item, Question } from './item'
import { fieldBlocks, INDENT } from './pdfFields'

/** Draws a form. 400 if it has a character that cannot be printed; the message names the character and its place. */
export async function pdfOf(crf: Crf): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const texts = textsOf(crf)
  const found = await typefaceOf(
    document,
    texts.map(({ text }) => text),
  )
  if ('unprintable' in found) throw unprintable(found.unprintable, texts)
  const { typeface } = found
  document.setTitle(`${crf.trial}: ${crf.name}`)
  document.setSubject('Case report form')
  document.setProducer('Trialbox')
  document.setCreator('Trialbox')
  const blocks = [
    ...opening(crf, typeface),
    ...crf.items.flatMap((item) => itemBlocks(item, typeface)),
    ...closing(crf, typeface),
  ]
  drawPages(document, typeface, blocks, crfFrame(crf, typeface))
  return document.save()
}

/** A text of the form, and its place. */
type Text = { text: string; place: Reason }

/** Every text of the form. */
function textsOf({ items, ...head }: Crf): Text[] {
  const all: Text[] = []
  function collect(value: unknown, place: Reason): void {
    if (typeof value === 'string') all.push({ text: value, place })
    else if (typeof value === 'object' && value) for (const each of Object.values(value)) collect(each, place)
  }
  for (const [field, value] of Object.entries(head)) collect(value, places[field] ?? reason('placeForm'))
  for (const item of items) {
    const title = cut(item.text.replace(/\s+/g, ' '), 100)
    const isQuestion = item.kind === 'question'
    collect(
      item,
      isQuestion ? reason('placeQuestion', { number: item.number, title }) : reason('placeHeading', { title }),
    )
  }
  return all
}

const places: Record<string, Reason> = {
  trial: reason('placeTrialName'),
  protocol: reason('placeProtocol'),
  name: reason('placeFormName'),
  description: reason('placeFormDescription'),
}

function unprintable({ character, place }: UnprintableCharacter, texts: readonly Text[]): Problem {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  return refuse.bad('unprintable', { character, unicode: `U+${code}`, place: texts[place]!.place })
}

function opening({ description, instructions, items }: Crf, { regular }: Typeface): Block[] {
  const required = items.some((item) => item.kind === 'question' && item.isRequired) ? '* must be answered.' : ''
  const notes = [...instructions, required].filter(Boolean).join(' ')
  return [...lines(description, regular, 9.5), ...lines(notes, regular, 8.5, { shade: GREY }), space(6)]
}

function itemBlocks(item: Item, typeface: Typeface): Block[] {
  return item.kind === 'question' ? questionBlocks(item, typeface) : headingBlocks(item, typeface)
}

function headingBlocks({ text, help, isDivider }: Exclude<Item, Question>, { bold, regular }: Typeface): Block[] {
  const rule: Block = { height: 8, keepWithNext: true, draw: (canvas, y) => canvas.line(0, y + 4, WIDTH, 0.1) }
  return [
    space(8, true),
    ...(isDivider ? [rule] : []),
    ...lines(text, bold, 12.5, { keepWithNext: true }),
    ...lines(help, regular, 9, { shade: GREY, keepWithNext: true }),
    space(4, true),
  ]
}

function questionBlocks(question: Question, typeface: Typeface): Block[] {
  const { regular, bold } = typeface
  const { number, text, isRequired, help, condition, hint, field } = question
  const room = { x: INDENT, width: WIDTH - INDENT, keepWithNext: true }
  const [first, ...others] = lines(isRequired ? `${text} *` : text, bold, 10, room)
  const numberedLine: Block = {
    ...first!,
    draw(canvas, y) {
      const size = Math.min(10, ((INDENT - 2) * 10) / bold.width(`${number}.`, 10))
      canvas.text(`${number}.`, 0, y + 10.5, size, bold)
      first!.draw(canvas, y)
    },
  }
  return [
    space(5, true),
    numberedLine,
    ...others,
    ...lines(condition, bold, 8.5, { ...room, shade: 0.25 }),
    ...lines(help, regular, 8.5, { ...room, shade: 0.3 }),
    ...lines(hint, regular, 8, { ...room, shade: GREY }),
    ...fieldBlocks(field, typeface),
    space(6),
  ]
}

/** Lines for signatures. */
function closing({ signatures }: Crf, { regular }: Typeface): Block[] {
  const width = WIDTH / signatures.length
  const signatureLine: Block = {
    height: 44,
    draw(canvas, y) {
      for (const [at, label] of signatures.entries()) {
        canvas.line(at * width, y + 28, width - 14)
        canvas.text(label, at * width, y + 38, 7.5, regular, GREY)
      }
    },
  }
  return [space(10, true), signatureLine]
}

/** Head and foot of every page. */
function crfFrame(crf: Crf, typeface: Typeface): Frame {
  const { regular, bold } = typeface
  const protocol = crf.protocol ? bold.wrap(`Protocol ${crf.protocol}`, 8.5, WIDTH * 0.35) : []
  const trial = bold.wrap(crf.trial, 8.5, WIDTH * 0.62)
  const name = bold.wrap(crf.name, 13, WIDTH)
  const first = Math.max(trial.length, protocol.length) * 12
  const fieldsTop = 37 + first + name.length * 17
  const width = [0.3, 0.3, 0.15, 0.25].map((part) => part * WIDTH)
  function head(canvas: Canvas): void {
    for (const [n, line] of trial.entries()) canvas.text(line, 0, 40 + n * 12, 8.5, bold, 0.25)
    for (const [n, line] of protocol.entries())
      canvas.text(line, WIDTH - bold.width(line, 8.5), 40 + n * 12, 8.5, bold, 0.25)
    for (const [n, line] of name.entries()) canvas.text(line, 0, 47 + first + n * 17, 13, bold)
    let x = 0
    for (const [n, { label }] of crf.head.entries()) {
      const labelText = regular.clean(label)
      const from = regular.width(labelText, 8.5) + 4
      canvas.text(labelText, x, fieldsTop + 20, 8.5)
      canvas.line(x + from, fieldsTop + 22, width[n]! - from - 10)
      x += width[n]!
    }
  }
  const foot = [crf.version, pageOf, crf.printed]
  return frameOf({ end: fieldsTop + 34, room: 10, head, foot, isRuled: true }, typeface)
}
