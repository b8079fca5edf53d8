import { expect, test } from 'bun:test'
import { PDFDocument } from '@cantoo/pdf-lib'
import { encodedText } from '#documents/font'
import { typefaceWithBoxes } from '#documents/typeface'

test.each(['٢٠٢٦', '۱۲٫۵', 'on ٢٠٢٦ it'])(
  'the digits of %p stand in the order in which they are read',
  async (line) => {
    const { typeface } = await typefaceWithBoxes(await PDFDocument.create(), [line], true)
    const glyphs = (text: string) =>
      typeface.regular.runs(text).map(({ font, text }) => encodedText(font, text).slice(1, -1))
    expect(glyphs(line).join('')).toBe([...line].flatMap(glyphs).join(''))
  },
)
