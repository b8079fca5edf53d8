import { files } from '#db/tables/index'
import { maybe, oneOf, shape, text, whole, withDescription } from '#wire/words'

/** The kinds of things for which a file may be uploaded (docs/contract.md, "Files"). */
const forTypes = files.forType.enumValues
export type ForType = (typeof forTypes)[number]

export const UploadRequest = shape({
  name: withDescription('The file’s own name.', text(1, 255)),
  size: withDescription('In bytes; exactly so many are taken.', whole(1)),
  type: withDescription(
    'The MIME type, which the PUT must send as its Content-Type.',
    text(3, 200, {
      pattern: '^[\\w.+-]+/[\\w.+-]+(\\s*;\\s*[\\w-]+=("[\\w .:+-]*"|[\\w.:+-]+))*$',
      problem: 'Must be a MIME type such as application/pdf.',
    }),
  ),
  forType: withDescription('What the file is for: it can be used there only.', oneOf(...forTypes)),
  forId: maybe(withDescription('The _id of that; left out by participants.', text(1, 50))),
})

export const Upload = shape({
  signedRequestURL: withDescription(
    'Takes one PUT of the bytes, within an hour, without Authorization.',
    text(1, 5000),
  ),
  fileName: withDescription('The name the file is stored under.', text(1, 100)),
})
