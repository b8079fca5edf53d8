/** Reads the texts of an ODM file in one language: the one of most texts. */

import { isFormatted, toPlainText } from '#documents/texts'
import { attribute, children, textIn, type Xml } from '#documents/xml'

const language = (text: Xml) => attribute(text, 'xml:lang')

function* translations(element: Xml): Generator<Xml> {
  for (const [key, value] of Object.entries(element)) {
    if (key.startsWith('@')) continue
    for (const each of Array.isArray(value) ? value : [value]) {
      if (key === 'TranslatedText' || key.endsWith(':TranslatedText'))
        yield typeof each === 'string' ? { '#text': each } : (each as Xml)
      else if (typeof each === 'object' && each !== null) yield* translations(each as Xml)
    }
  }
}

/**
 * @param root the element that contains all texts
 * @param other another language, whose texts come first then
 */
export function languageOf(root: Xml, other?: string) {
  const counts = new Map<string, number>()
  for (const text of translations(root)) counts.set(language(text), (counts.get(language(text)) ?? 0) + 1)
  const chosen = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), ['', 0])[0]
  let formatted = 0
  return {
    /** How many of the texts that were read so far lost their formatting. */
    formatted: () => formatted,
    /** The number of texts in each other language. */
    others: [...counts].filter(([name]) => name !== chosen),
    /** The text of a child of that name, such as Question or Description; else in any language. Empty if there is none. */
    text(element: Xml, name: string): string {
      const texts = children(element, name).flatMap((child) => children(child, 'TranslatedText'))
      const inOther = other === undefined ? undefined : texts.find((each) => language(each) === other)
      const found = textIn(inOther ?? texts.find((each) => language(each) === chosen) ?? texts[0])
      if (isFormatted(found)) formatted++
      return toPlainText(found)
    },
  }
}
