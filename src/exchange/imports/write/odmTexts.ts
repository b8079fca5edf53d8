/** Writes texts, notes and expressions of an ODM file. */
import type { Extra } from '#exchange/imports/draft'
import { extraText } from '#exchange/imports/extras'
import { heading, UNPRINTABLE } from '#exchange/imports/texts'
import type { Xml } from '#exchange/imports/xml'
import type { Dialect } from './expressions'
import { type Names, nameIn } from './names'

/** The text without characters that XML does not allow. */
export const clean = (text: string) => text.toWellFormed().replace(UNPRINTABLE, ' ')
/** A text, and its translations by language. */
export type Texts = { text: string; others?: readonly (readonly [language: string, text: string])[] }

/** The child with a text in its languages. @param language of the text itself */
export function translated({ text, others = [] }: Texts, language: string): Xml {
  const all = [[language, text] as const, ...others.filter(([each]) => each !== language)]
  const written = all.map(([each, own]) => ({ '@xml:lang': each, '#text': clean(heading(own)) }))
  return { TranslatedText: written.length === 1 ? written[0] : written }
}
/** A text between quotes that it does not contain. */
const quote = (text: string) => (text.includes('"') ? `'${text}'` : `"${text}"`)
/** The attribute with a note. */
export const noteAttribute = (extra: Extra | undefined): Xml =>
  extra && Object.keys(extra).length ? { '@trialbox:extra': extraText(extra) } : {}

/** The dialect of our expressions in ODM files. */
export const odmDialect = (names: Names): Dialect => ({
  field: (code, statement) => nameIn(names, code, statement),
  text: quote,
  signs: { '=': '==', '<>': '!=' },
  call: (name, values) => (name === 'not' ? `!(${values[0]})` : `${name}(${values.join(', ')})`),
})
