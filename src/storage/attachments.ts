/** Files that messages have attached: which may be, and how the API shows them. */
import type { Db } from '#db/open'
import { refuse } from '#kernel/problem'
import { shape, text, type ValueOf, whole, withDescription } from '#wire/schema'
import type { LinkMaker } from './storage'
import { type StoredFile, usableFile } from './store'

export const Attachment = shape('Attachment', {
  fileName: text(1, 200),
  name: text(0, 255),
  type: text(0, 200),
  size: whole(0),
  url: withDescription('The URL of the file, which works for an hour.', text(0, 5000)),
})

export const attachmentOf = (
  { storedName, name, type, size }: StoredFile,
  link: LinkMaker,
): ValueOf<typeof Attachment> => ({
  fileName: storedName,
  name,
  type,
  size: size ?? 0,
  url: link(storedName, name),
})

/** What files were uploaded for. */
export type UploadPurpose = Pick<StoredFile, 'forType' | 'forId'>

/** These attachments, without files that are no longer there. */
export const attachmentsOf = (
  db: Db,
  { forType, forId }: UploadPurpose,
  storedNames: readonly string[],
  link: LinkMaker,
): ValueOf<typeof Attachment>[] =>
  storedNames.flatMap((storedName) => {
    const file = usableFile(db, storedName, forType, forId)
    return file ? [attachmentOf(file, link)] : []
  })

/** The stored names of attachments, each once. Refuses (400) those that are not finished uploads for this thing. */
export function usableAttachments(
  db: Db,
  { forType, forId }: UploadPurpose,
  storedNames: readonly string[] = [],
): string[] {
  if (storedNames.some((storedName) => !usableFile(db, storedName, forType, forId))) {
    throw refuse.bad('attachmentNotUploaded', { forType })
  }
  return [...new Set(storedNames)]
}
