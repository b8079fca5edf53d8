/** Draws a casebook: a title on every page, "Page x of y", and a bookmark for each occurrence of a stage. */
import { PDFDocument } from '@cantoo/pdf-lib'
import { addBookmarks } from '#documents/bookmarks'
import { lines, space } from '#documents/lines'
import { type Block, drawPages, GREY, WIDTH } from '#documents/page'
import { pageOf, titleFrame } from '#documents/titleFrame'
import { charactersIn, type Typeface, typefaceWithBoxes } from '#documents/typeface'
import type { Casebook, Line } from './model'

const UNPRINTABLE =
  'Characters that the fonts of this document lack are shown as a box (\u25a1). All of the text is in the file beside it that has the same name and ends in .txt.'

const TITLE = { size: 12, lead: 16, first: 48, above: 42, count: pageOf }
/** The width of the names of facts. */
const NAMES = 110

/** A name, and its text in a column beside it. */
function factBlocks({ name = '', text }: Line, { regular, bold }: Typeface): Block[] {
  const [first, ...others] = lines(text || '–', regular, 9, { x: NAMES, width: WIDTH - NAMES })
  const named = lines(name, bold, 9, { width: NAMES - 8 })
  const count = Math.max(named.length, others.length + 1)
  return Array.from({ length: count }, (_, at): Block => {
    const blocks = [named[at], at === 0 ? first : others[at - 1]].flatMap((each) => each ?? [])
    return {
      height: 12.4,
      keepWithNext: at === 0 && count > 1,
      draw(canvas, y) {
        for (const each of blocks) each.draw(canvas, y)
      },
    }
  })
}

function chapterBlocks({ text }: Line, { bold }: Typeface): Block[] {
  const [first, ...others] = lines(text, bold, 13, { keepWithNext: true })
  const rule: Block = { height: 6, keepWithNext: true, draw: (canvas, y) => canvas.line(0, y + 2, WIDTH, 0.1) }
  return [space(16, true), ...(first ? [{ ...first, bookmark: text }, ...others] : []), rule, space(3, true)]
}

function blocksOf(line: Line, typeface: Typeface): Block[] {
  const { regular, bold } = typeface
  const { as, text } = line
  const inset = { x: 14, width: WIDTH - 14 }
  switch (as) {
    case 'fact':
      return factBlocks(line, typeface)
    case 'chapter':
      return chapterBlocks(line, typeface)
    case 'name':
      return [space(7, true), ...lines(text, bold, 9.5, { keepWithNext: true })]
    case 'answer':
      return lines(text, regular, 10, inset)
    default:
      return lines(text, regular, 8, { ...inset, shade: GREY })
  }
}

/** The casebook as a PDF. What no font can print is shown as a box, and the first page says so: then `isWhole` is false. */
export async function casebookPdf({
  at,
  title,
  about,
  lines: all,
}: Casebook): Promise<{ pdf: Uint8Array; isWhole: boolean }> {
  const document = await PDFDocument.create()
  const texts = [title, about, UNPRINTABLE, ...all.flatMap(({ name = '', text }) => [name, text])]
  const { typeface, printable, isWhole } = await typefaceWithBoxes(document, [...charactersIn(texts)])
  document.setTitle(title)
  document.setSubject('Casebook')
  document.setProducer('Trialbox')
  document.setCreator('Trialbox')
  // The same casebook has the same bytes, whenever it is drawn.
  document.setCreationDate(new Date(at / 1000))
  document.setModificationDate(new Date(at / 1000))
  function* blocks(): Generator<Block> {
    if (!isWhole) yield* blocksOf({ as: 'small', text: printable(UNPRINTABLE) }, typeface)
    for (const { as, name = '', text } of all)
      yield* blocksOf({ as, name: printable(name), text: printable(text) }, typeface)
  }
  const frame = titleFrame(printable(title), printable(about), typeface, TITLE)
  addBookmarks(document, drawPages(document, typeface, blocks(), frame))
  return { pdf: await document.save(), isWhole }
}
