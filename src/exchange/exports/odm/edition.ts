/** How each edition of ODM writes texts, expressions and the elements of data: 1.3.2, and 2.0, whose values are elements (pure). */
import type { OdmVersion } from '#exchange/exports/task'
import { isBeyondXml, type XmlAttributes, xmlElement, xmlEscaped, xmlStart } from '#writers/xml'
import { spelled, textual } from './words'

/** A query: in words, as ODM 1.3.2 has no element for it, and as the element of ODM 2.0. */
export type QueryNote = { text: string; element: string }

/** What belongs to an element of the data. */
export type Parts = {
  /** References, which are first. */
  first?: readonly string[]
  audit?: readonly string[]
  signature?: readonly string[]
  /** Each becomes an annotation. */
  comments?: readonly string[]
  queries?: readonly QueryNote[]
  content?: readonly string[]
}

/** @param language of the texts of the study; undefined if it is not known */
export function editionOf(version: OdmVersion, language: string | undefined) {
  const isNew = version === '2.0'
  const inLanguage = (text: string): string =>
    xmlElement(
      'TranslatedText',
      { 'xml:lang': language ?? 'und', Type: isNew ? 'text/plain' : undefined },
      xmlEscaped(text),
    )
  const annotation = (text: string, at: number): string => {
    const written = isBeyondXml(text) ? spelled(text) : text
    const attributes = { SponsorOrSite: 'Site' }
    const comment = isNew
      ? xmlElement('Comment', attributes, inLanguage(written))
      : textual('Comment', written, attributes)
    return xmlElement('Annotation', { SeqNum: at + 1 }, comment)
  }
  return {
    version,
    isNew,
    namespace: `http://www.cdisc.org/ns/odm/v${isNew ? '2.0' : '1.3'}`,
    /** An element with a text in the language of the study. */
    translated: (name: string, text: string, attributes: XmlAttributes = {}): string =>
      xmlElement(name, attributes, inLanguage(text)),
    /** An expression in our language. */
    expression: (text: string): string =>
      isNew
        ? xmlElement('FormalExpression', { Context: 'Trialbox' }, textual('Code', text))
        : textual('FormalExpression', text, { Context: 'Trialbox' }),
    /** An element of the data: in 1.3.2 its content is last, in 2.0 it is in front of what is said about it. */
    data(
      name: string,
      attributes: XmlAttributes,
      { first = [], audit = [], signature = [], comments = [], queries = [], content = [] }: Parts,
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
