/** Documents of any length: blocks are drawn as they are read, and a page is finished before the next one begins. */
import { expect, test } from 'bun:test'
import { PDFDocument } from '@cantoo/pdf-lib'
import { extractText } from 'unpdf'
import { type Block, drawPages } from '#documents/page'
import { type Line, textPages } from '#documents/textPages'
import { typefaceWithBoxes } from '#documents/typeface'

const frame = { top: 50, bottom: 50, draw() {} }

/** Draws pieces. Returns how many pages there are, and the most pieces that were taken before the piece was drawn. */
async function drawBlocks(count: number, about: (at: number) => Partial<Block>) {
  const document = await PDFDocument.create()
  const { typeface } = await typefaceWithBoxes(document, ['x'])
  let taken = 0
  let mostAhead = 0
  const pageOf: number[] = []
  function* blocks(): Generator<Block> {
    for (let at = 0; at < count; at++) {
      taken++
      const draw = () => {
        mostAhead = Math.max(mostAhead, taken - at)
        pageOf[at] = document.getPageCount()
      }
      yield { height: 100, draw, ...about(at) }
    }
  }
  drawPages(document, typeface, blocks(), frame)
  return { pages: document.getPageCount(), mostAhead, pageOf }
}

test('pieces are taken one by one, however many there are', async () => {
  const { pages, mostAhead } = await drawBlocks(1000, () => ({}))
  expect([pages, mostAhead]).toEqual([Math.ceil(1000 / 7), 1])
})

test('pieces that keep together begin a page together, if a page has room for them', async () => {
  const { pageOf, mostAhead } = await drawBlocks(12, (at) => ({ keepWithNext: at >= 5 && at < 8 }))
  expect(pageOf).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2])
  expect(mostAhead).toBe(4)
  const endless = await drawBlocks(30, () => ({ keepWithNext: true }))
  expect(endless.pageOf.slice(0, 8)).toEqual([1, 1, 1, 1, 1, 1, 1, 2])
  expect(endless.mostAhead).toBeLessThan(10)
})

test('lines to sign on are on one page with their heading', async () => {
  const filled = Array.from({ length: 46 }, (_, at): Line => ({ as: 'text', text: `Line ${at}` }))
  const signed: Line[] = [
    { as: 'heading', text: 'Signatures' },
    { as: 'sign', text: 'Monitor' },
    { as: 'sign', text: 'Investigator' },
  ]
  const pdf = await textPages(() => [...filled, ...signed], { title: 'Report', about: 'Study', unprintable: 'Box' })
  const { text } = await extractText(pdf)
  expect(text.map((page) => /Signatures|Monitor|Investigator/.test(page))).toEqual([false, true])
})
