/** Word documents as HTML, within bounds. */
import { newSecret, sha256 } from '#kernel/id'
import { cut } from '#kernel/text'
import { safeHtml } from '#wire/html'
import { imageTypeOf } from './kinds'

const LONGEST = 8 << 20
/** `safeHtml` refuses more than 50,000 elements. */
const MOST_ELEMENTS = 40_000
/** The most characters of all pictures together, in base64. */
const MOST_PICTURES = 16 << 20

export const CUT_TEXT = 'The document is longer than what the preview shows: this is its beginning.'
const LEFT_OUT =
  'Some pictures are not shown: they are too large together, or of a type that browsers do not show. Download the file to see them.'

/** The beginning of HTML, with no more elements than can be shown. */
function beginningOf(html: string): string {
  let elements = 0
  for (const { index } of html.matchAll(/<[a-z]/g))
    if (++elements > MOST_ELEMENTS) return cut(html.slice(0, index), LONGEST)
  return cut(html, LONGEST)
}

/** Safe HTML of a Word document, and what of it is not shown, as sentences. */
export async function wordPage(bytes: Uint8Array): Promise<{ html: string; notes: string[] }> {
  const { default: mammoth } = await import('mammoth')
  // Pictures are put in their places afterwards: they are far longer than what `safeHtml` takes. No document holds the mark.
  const mark = sha256(newSecret())
  const pictures: string[] = []
  let room = MOST_PICTURES
  let isComplete = true
  const convertImage = mammoth.images.imgElement(async (picture) => {
    const data = await picture.readAsBase64String()
    const type = imageTypeOf(Buffer.from(data.slice(0, 16), 'base64'))
    if (type === undefined || data.length > room) {
      isComplete = false
      return { src: '' }
    }
    room -= data.length
    return { src: `data:${type};base64,${mark}${pictures.push(data) - 1}` }
  })
  const options = { externalFileAccess: false, convertImage }
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }, options)
  const beginning = beginningOf(value)
  const safe = await safeHtml(beginning)
  return {
    html: safe.replace(new RegExp(`${mark}(\\d+)`, 'g'), (_, at) => pictures[Number(at)]!),
    notes: [...(beginning.length < value.length ? [CUT_TEXT] : []), ...(isComplete ? [] : [LEFT_OUT])],
  }
}
