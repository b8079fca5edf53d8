/** Files that messages have attached, as the API shows them. */
import { type Of, shape, text, whole, withDescription } from '#wire/words'
import type { MakeLink } from './storage'
import type { StoredFile } from './store'

export const Attachment = shape('Attachment', {
  fileName: text(1, 200),
  name: text(0, 255),
  type: text(0, 200),
  size: whole(0),
  url: withDescription('The URL of the file, which works for an hour.', text(0, 5000)),
})

export const attachmentOf = ({ storedName, name, type, size }: StoredFile, link: MakeLink): Of<typeof Attachment> => ({
  fileName: storedName,
  name,
  type,
  size: size ?? 0,
  url: link(storedName, name),
})
