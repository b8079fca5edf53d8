/** Messages of boards as their readers see them, and what may be written. */
import { namesOf } from '#conduct/messages/store'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { attachmentsOf, type UploadPurpose, usableAttachments } from '#storage/attachments'
import type { LinkMaker } from '#storage/storage'
import { messageOf, newestNumber, type SiteMessageRow } from './store'

/** What the attachments of a message are uploaded for: its site, or the trial if it is part of a broadcast. */
export const uploadTarget = (
  { site, broadcast }: Pick<SiteMessageRow, 'site' | 'broadcast'>,
  trial: Id,
): UploadPurpose => (broadcast === null ? { forType: 'site', forId: site } : { forType: 'trial', forId: trial })

/** The reader of a board, and the number of the last message that they have read. */
type Reader = { _id: Id; upTo: number }

/** Messages of one board. @param trial the `_id` of its trial */
export function boardView(db: Db, rows: readonly SiteMessageRow[], trial: Id, reader: Reader, link: LinkMaker) {
  const names = namesOf(
    db,
    rows.map(({ user }) => user),
  )
  return rows.map((row) => {
    const { _id, createdAt, site, number, user, message, broadcast, erasedAt } = row
    const attachments = attachmentsOf(db, uploadTarget(row, trial), row.attachments, link)
    return {
      ...{ _id, createdAt, site, sender: { _id: user, name: names.get(user) ?? '' } },
      ...{ message, attachments, fileUrls: attachments.map(({ url }) => url), broadcast, erasedAt },
      isRead: number <= reader.upTo || user === reader._id,
    }
  })
}

/** The content of a new message. Refuses (422) one without text and files, and (400) files that were not uploaded for `what`. */
export function messageContent(
  db: Db,
  what: UploadPurpose,
  body: { message?: string; attachments?: readonly string[] },
): Pick<SiteMessageRow, 'message' | 'attachments'> {
  const { message = '' } = body
  if (!message.trim() && !body.attachments?.length) throw refuse.invalid({ message: [reason('emptyMessage')] })
  return { message, attachments: usableAttachments(db, what, body.attachments) }
}

/**
 * The number on the board of the message that a request names; that of the newest without one.
 * @throws 404 unless the message is on the board
 */
export function messageNumber(db: Db, site: Id, _id: Id | undefined): number {
  if (_id === undefined) return newestNumber(db, site)
  const row = messageOf(db, site, _id)
  if (!row) throw refuse.missing('message')
  return row.number
}
