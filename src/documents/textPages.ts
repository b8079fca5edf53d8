/** Reports of headings and lines of text as PDF: a title on every page, and the number of the page. */
import { PDFDocument } from '@cantoo/pdf-lib'
import type { Font } from './font'
import { lines, space } from './lines'
import { type Block, drawPages, GREY, WIDTH } from './page'
import { titleFrame } from './titleFrame'
import { charactersIn, type Typeface, typefaceWithBoxes } from './typeface'

/** A line of a report: a heading, a smaller one, a text, small print, or a line to sign on with what is to be written there. */
export type Line = { as: 'heading' | 'name' | 'text' | 'small' | 'sign'; text: string }

/** Room to write, above a rule with its explanation. It stays with the next line, so that no signature line stands alone on a page. */
const signatureBlocks = (text: string, font: Font): Block[] => [
  space(34, true),
  { height: 4, draw: (canvas, y) => canvas.line(0, y, WIDTH * 0.75), keepWithNext: true },
  ...lines(text, font, 8, { shade: GREY, keepWithNext: true }),
]

function blocksOf({ as, text }: Line, { regular, bold }: Typeface): Block[] {
  if (as === 'heading') return [space(12, true), ...lines(text, bold, 13, { keepWithNext: true }), space(4, true)]
  if (as === 'name') return [space(6, true), ...lines(text, bold, 10, { keepWithNext: true })]
  if (as === 'sign') return signatureBlocks(text, regular)
  return as === 'text'
    ? lines(text, regular, 9.5)
    : lines(text, regular, 7.5, { x: 10, width: WIDTH - 10, shade: GREY })
}

function* blocksOfAll(all: Iterable<Line>, typeface: Typeface, printable: (text: string) => string): Generator<Block> {
  for (const line of all) yield* blocksOf({ ...line, text: printable(line.text) }, typeface)
}

/** The texts of lines, one by one. */
function* textsOf(all: Iterable<Line>): Generator<string> {
  for (const { text } of all) yield text
}

/**
 * Draws a report. What no font can print is shown as a box, and the first page says so.
 * @param linesOf returns the lines from the first on, each time the same: it is called once for the fonts, and once to draw them
 * @param about a line at the foot of every page; @param unprintable the sentence about boxes
 */
export async function textPages(
  linesOf: () => Iterable<Line>,
  { title, about, unprintable }: { title: string; about: string; unprintable: string },
): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const notes: Line[] = [{ as: 'text', text: unprintable }]
  const { typeface, printable, isWhole } = await typefaceWithBoxes(document, [
    ...[title, about, unprintable],
    ...charactersIn(textsOf(linesOf())),
  ])
  document.setTitle(title)
  document.setProducer('Trialbox')
  document.setCreator('Trialbox')
  const first = isWhole ? [] : [...blocksOfAll(notes, typeface, printable)]
  function* blocks() {
    yield* first
    yield* blocksOfAll(linesOf(), typeface, printable)
  }
  drawPages(document, typeface, blocks(), titleFrame(printable(title), printable(about), typeface))
  return document.save()
}
