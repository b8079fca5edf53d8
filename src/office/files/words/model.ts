/** What a search found, on the wire (docs/master-file.md, "Search"). */
import { list, oneOf, orNull, shape, text, type ValueOf, whole, withDescription } from '#wire/schema'

const place = (description: string) => withDescription(description, whole(0))

export const Match = shape('FileMatch', {
  in: withDescription(
    '`name`: the name of the file has all words. `tags`: name and tags together have them. `text`: the name and the text of a ' +
      'version have them.',
    oneOf('name', 'tags', 'text'),
  ),
  version: withDescription('The number of the version; null if the words are those of the file.', orNull(whole(1))),
  text: withDescription('A part of the name, the tags or the text, as plain text.', text(0, 500)),
  marks: withDescription(
    'Where in that part the words are.',
    list(
      shape('FileMatchMark', { from: place('The first UTF-16 unit.'), to: place('The UTF-16 unit after the last.') }),
      500,
    ),
  ),
})
export type Match = ValueOf<typeof Match>
