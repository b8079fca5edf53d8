import { files } from '#db/tables/index'
import { reason } from '#kernel/refusals/reason'
import { id, maybe, oneOf, shape, text, whole, withDescription } from '#wire/schema'

/** The kinds of things for which a file may be uploaded (docs/contract.md, "Files"). */
const forTypes = files.forType.enumValues
export type ForType = (typeof forTypes)[number]

/** What an upload must have, so that the row of a file is made. */
const fileFields = {
  name: withDescription('The name of the file on the device.', text(1, 255)),
  size: withDescription('In bytes; the upload must have exactly this size.', whole(1)),
  type: withDescription(
    'The MIME type, which the PUT must send as its Content-Type.',
    text(3, 200, {
      pattern: '^[\\w.+-]+/[\\w.+-]+(\\s*;\\s*[\\w-]+=("[\\w .:+-]*"|[\\w.:+-]+))*$',
      problem: reason('notMimeType'),
    }),
  ),
  fileName: maybe(
    withDescription(
      'Of an upload that the caller has begun, with the same fields: the answer is another link for it, and what has arrived counts.',
      text(1, 100),
    ),
  ),
}

export const UploadRequest = shape({
  ...fileFields,
  forType: withDescription('The kind of thing that the file is for. It can be used only there.', oneOf(...forTypes)),
  forId: maybe(withDescription('The `_id` of that thing; participants omit it.', text(1, 50))),
})

/** The file of somebody who answers by a link. */
export const LinkUploadRequest = shape('LinkUploadRequest', {
  ...fileFields,
  dataType: withDescription(
    'The question that it answers: its `dataType` in the form. It must take such a file.',
    id(),
  ),
})

export const Upload = shape('Upload', {
  signedRequestURL: withDescription(
    'Accepts one PUT of the bytes within an hour, without an Authorization header.',
    text(1, 5000),
  ),
  fileName: withDescription('The name under which the file is stored.', text(1, 100)),
})
