/** The words with which models say what can be translated (docs/translations.md). */
import { keyed, maybe, orNull, partial, shape, type TProperties, withDescription } from '#wire/schema'

/**
 * The texts of an object in other languages.
 * @param name of the texts of one language in the OpenAPI document
 * @param fields its texts, with the bounds of the source texts
 */
export const translationsOf = <T extends TProperties>(name: string, fields: T) =>
  maybe(
    orNull(
      withDescription(
        'The texts in other languages of the trial: `{<language>: {<field>: text}}`.',
        keyed({ ...partial(shape(fields)), name }),
      ),
    ),
  )
