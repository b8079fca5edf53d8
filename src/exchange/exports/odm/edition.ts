/** How each edition of ODM writes texts, expressions and the elements of data: 1.3.2, and 2.0, whose values are elements (pure). */
import type { OdmVersion } from '#exchange/exports/task'
import { isBeyondXml, type XmlAttributes, xmlElement, xmlEscaped, xmlStart } from '#writers/xml'
import { asciiJson, textElement } from './elements'
import { type Translation, translationsOf } from './translations'

/** A query: in words, as ODM 1.3.2 has no element for it, and as the element of ODM 2.0. */
export type QueryNote = { text: string; element: string }

/** What belongs to an element of the data. */
export type ElementParts = {
  /** References, which are first. */
  first?: readonly string[]
  audit?: readonly string[]
  signature?: readonly string[]
  /** Each becomes an annotation. */
  comments?: readonly string[]
  queries?: readonly QueryNote[]
  content?: readonly string[]
}

/** @param languages of the study, of whose texts the first is the language; empty if it is not known */
export function editionOf(version: OdmVersion, languages: readonly string[]) {
  const isNew = version === '2.0'
  const translations = translationsOf(languages)
  const inLanguage = (text: string, language = languages[0] ?? 'und'): string =>
    xmlElement('TranslatedText', { 'xml:lang': language, Type: isNew ? 'text/plain' : undefined }, xmlEscaped(text))
  const annotation = (text: string, at: number): string => {
    const printable = isBeyondXml(text) ? asciiJson(text) : text
    const attributes = { SponsorOrSite: 'Site' }
    const comment = isNew
      ? xmlElement('Comment', attributes, inLanguage(printable))
      : textElement('Comment', printable, attributes)
    return xmlElement('Annotation', { SeqNum: at + 1 }, comment)
  }
  return {
    version,
    isNew,
    namespace: `http://www.cdisc.org/ns/odm/v${isNew ? '2.0' : '1.3'}`,
    /**
     * An element with a text in the language of the study, and in the others that have another.
     * @param translate the same text in a language
     */
    translated: (
      name: string,
      text: string,
      translate?: (translation: Translation) => string | null | undefined,
    ): string =>
      xmlElement(
        name,
        {},
        inLanguage(text),
        ...translations.flatMap((translation) => {
          const other = translate?.(translation)
          return other && other !== text ? [inLanguage(other, translation.language)] : []
        }),
      ),
    /** An element with a text of the service itself. */
    inEnglish: (name: string, text: string): string => xmlElement(name, {}, inLanguage(text, 'en')),
    /** An expression in our language. */
    expression: (text: string): string =>
      isNew
        ? xmlElement('FormalExpression', { Context: 'Trialbox' }, textElement('Code', text))
        : textElement('FormalExpression', text, { Context: 'Trialbox' }),
    /** An element of the data: in 1.3.2 its content is last, in 2.0 it is in front of what is said about it. */
    data(
      name: string,
      attributes: XmlAttributes,
      { first = [], audit = [], signature = [], comments = [], queries = [], content = [] }: ElementParts,
    ): string {
      const texts = isNew || !queries.length ? comments : [...comments, ...queries.map(({ text }) => text)]
      const notes = texts.map(annotation)
      const all = isNew
        ? [...first, ...content, ...audit, ...signature, ...notes, ...queries.map(({ element }) => element)]
        : [...audit, ...signature, ...first, ...notes, ...content]
      return all.length
        ? [xmlStart(name, attributes), ...all, `</${name}>`].join(name === 'ItemData' ? '' : '\n')
        : xmlElement(name, attributes)
    },
  }
}

export type Edition = ReturnType<typeof editionOf>
