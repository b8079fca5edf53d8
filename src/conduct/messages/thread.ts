/** Messages as staff and participants see them. */
import type { ParticipantRow } from '#conduct/participants/store'
import type { Db } from '#db/open'
import { trialNameFor, writerOf } from '#design/trials/notices'
import type { SharedTrial } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { attachmentsOf, type UploadPurpose } from '#storage/attachments'
import type { LinkMaker } from '#storage/storage'
import { type DeliveryRow, deliveriesOf, type MessageRow, type MessageWithReadTime, messageOf, namesOf } from './store'
import { welcomeText } from './texts'

/** Who wrote a message: a member of the team, the participant, or the service. */
export const senderOf = ({ isAutomatic, user }: MessageRow): 'user' | 'participant' | 'system' =>
  user !== null ? 'user' : isAutomatic ? 'system' : 'participant'

const isOwn = (row: MessageRow): boolean => senderOf(row) === 'participant'

/** What the attachments of a thread are uploaded for. */
export const threadUploads = (participant: Id): UploadPurpose => ({ forType: 'participant', forId: participant })

function messageView(db: Db, row: MessageWithReadTime, isRead: boolean, link: LinkMaker) {
  const { _id, createdAt, type, title, message, readAt } = row
  const attachments = attachmentsOf(db, threadUploads(row.participant), row.attachments, link)
  return {
    _id,
    createdAt,
    type,
    title,
    message,
    attachments,
    fileUrls: attachments.map(({ url }) => url),
    readAt,
    isRead,
  }
}

/** The reader of a thread, and the number of the last message that they have read. */
type Reader = { _id: Id; upTo: number }

/** Messages as staff see them. */
export function teamView(db: Db, rows: readonly MessageWithReadTime[], reader: Reader, link: LinkMaker) {
  if (!rows.length) return []
  const names = namesOf(
    db,
    rows.flatMap(({ user }) => user ?? []),
  )
  const deliveries = Map.groupBy(
    deliveriesOf(
      db,
      rows.map(({ _id }) => _id),
    ),
    ({ message }) => message,
  )
  const sender = (row: MessageRow) => {
    const { user, participant } = row
    const type = senderOf(row)
    return { type, _id: { user, participant, system: null }[type], name: names.get(user ?? '') ?? null }
  }
  return rows.map((row) => ({
    ...messageView(db, row, row.number <= reader.upTo || row.user === reader._id, link),
    sender: sender(row),
    deliveries: (deliveries.get(row._id) ?? []).map(({ message: _, ...rest }: DeliveryRow) => rest),
  }))
}

/** Messages as the participant sees them. */
export function ownView(db: Db, rows: readonly MessageWithReadTime[], upTo: number, link: LinkMaker) {
  const names = namesOf(
    db,
    rows.flatMap(({ user, isAutomatic }) => (isAutomatic ? [] : (user ?? []))),
  )
  const sender = (row: MessageRow) => {
    if (isOwn(row)) return { type: 'participant' as const, name: null }
    if (row.isAutomatic) return { type: 'system' as const, name: null }
    return { type: 'team' as const, name: names.get(row.user!) ?? null }
  }
  return rows.map((row) => ({ ...messageView(db, row, row.number <= upTo || isOwn(row), link), sender: sender(row) }))
}

const SYSTEM = { type: 'system' as const, _id: null, name: null }

/**
 * The first message of a thread, which is not stored: it has the `_id` of the participant, and is in their language for
 * staff too.
 */
export const welcomeMessage = ({ _id, createdAt, language }: ParticipantRow, trial: SharedTrial) => ({
  ...{ _id, createdAt, type: 'welcome' as const, title: null },
  message: welcomeText(writerOf(trial, language), trialNameFor(trial, { language })),
  ...{ attachments: [], fileUrls: [], readAt: null, isRead: true, sender: SYSTEM, deliveries: [] },
})

/**
 * The number in the thread of a message that a request names; `otherwise` without one. The welcome message has the number 0.
 * @throws 404 unless the message is in the thread
 */
export function messageNumberOf(db: Db, participant: Id, _id: Id | undefined, otherwise: number): number {
  if (_id === undefined) return otherwise
  if (_id === participant) return 0
  const row = messageOf(db, participant, _id)
  if (!row) throw refuse.missing('message')
  return row.number
}
