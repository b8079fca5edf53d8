/** The elements of an `export.xml` of Apple Health, one after the other: the whole text is never in memory. */

import { refuse } from '#kernel/problem'
import type { Part } from './reader'

/** `attribute` reads one, with references decoded. Names of sources are only compared, so their bytes are not decoded. */
export type AppleElement = { name: 'Record' | 'Workout'; type: string; attribute(name: string): string | undefined }

/** The longest element: its metadata, which follows, is not part of it. */
const LONGEST = 1 << 20
const REFERENCES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
}

/** A copy: a part of a text keeps the whole text in memory as long as it is used, and some are used to the end. */
const copyText = (text: string) => Buffer.from(text, 'latin1').toString('latin1')

const decodeReferences = (text: string) =>
  text.includes('&') ? text.replace(/&(?:amp|lt|gt|quot|apos);/g, (reference) => REFERENCES[reference]!) : text

const attributeIn = (element: string) => (name: string) => {
  const at = element.indexOf(` ${name}="`)
  if (at < 0) return undefined
  const start = at + name.length + 3
  return decodeReferences(copyText(element.slice(start, element.indexOf('"', start))))
}

/** Every `Record` and `Workout`. @throws 400 if the text does not begin as such an export does */
export async function* elementsOf({ pieces }: Part): AsyncGenerator<AppleElement> {
  let rest = ''
  let isKnown = false
  for await (const piece of pieces()) {
    const text = rest + Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1')
    isKnown ||= text.includes('<HealthData')
    let at = 0
    for (let start = nextElement(text, 0); start >= 0; start = nextElement(text, at)) {
      const end = text.indexOf('>', start)
      if (end < 0) {
        at = start
        break
      }
      at = end + 1
      yield elementIn(text.slice(start, end))
    }
    // What is left may be the beginning of an element.
    rest = at === 0 || text.indexOf('>', at) >= 0 ? text.slice(Math.max(at, text.lastIndexOf('<'))) : text.slice(at)
    if (!isKnown && rest.length + at > LONGEST) break
    if (rest.length > LONGEST) throw refuse.bad('elementTooLong')
  }
  if (!isKnown) throw refuse.bad('noHealthData')
}

/** Where the next element begins; -1 if none does. */
function nextElement(text: string, from: number): number {
  for (let at = text.indexOf('<', from); at >= 0; at = text.indexOf('<', at + 1)) {
    if (text.startsWith('Record ', at + 1) || text.startsWith('Workout ', at + 1)) return at
  }
  return -1
}

function elementIn(element: string): AppleElement {
  const attribute = attributeIn(element)
  const name = element.startsWith('<Record') ? 'Record' : 'Workout'
  return { name, type: name === 'Record' ? (attribute('type') ?? '') : '', attribute }
}
