/** How a stored entry is shown. */
import { type Access, holds, type Places } from '#access/caller'
import type { auditEntries } from '#db/tables/index'
import { isId } from '#kernel/id'
import { type Instant, instantText } from '#kernel/time'

/** An entry as it is stored. */
export type LogRow = typeof auditEntries.$inferSelect

/** An entry as it is shown; absent is what does not apply. */
export type Entry = {
  number: number
  createdAt: Instant
  userEmail: string | null
  type: string
  event: Record<string, unknown>
  client: { address: string | null; device: string | null } | null
  participantId?: string
  apiToken?: string
}

/** What must be known beside the row to show it. */
export type Beside = {
  /** The human-readable ID of the participant of the row. */
  participantId: string | undefined
  /** Whether the viewer may see this participant's personal information. */
  personal: boolean
  /** For a submission: what it changed, as far as the viewer may see the answers. */
  changes?: { dataType: string; before: unknown; after: unknown }[]
}

/**
 * A stored entry as a viewer sees it. Personal information stands apart from the event in the database; it comes back as
 * `event.personal` for those who may see it, but for the client of a participant, which has its own field.
 */
export function entryOf(row: LogRow, { participantId, personal, changes }: Beside): Entry {
  const { client = null, ...rest } = personal && row.personal ? contentOf(row.personal) : {}
  // Answers are written down once, with the submission, and never again: they are shown as they are.
  // The digests that tie entries to answers are left out: a short answer could be guessed from them.
  const { digest: _, entry: __, ...whole } = legible(row.event) as Record<string, unknown>
  const told = isUpload(row) ? unnamed(whole) : whole
  const event = { ...(row.type === 'signResponses' ? unhashed(told) : told), ...(changes && { changes }) }
  return {
    number: row.number,
    createdAt: row.createdAt,
    userEmail: row.userEmail,
    type: row.type,
    event: Object.keys(rest).length ? { ...event, personal: legible(rest) } : event,
    client: row.userType === 'participant' ? (client as Entry['client']) : { address: row.address, device: row.device },
    ...(participantId === undefined ? {} : { participantId }),
    ...(row.apiToken === null ? {} : { apiToken: row.apiToken }),
  }
}

const isUpload = ({ type, participant }: LogRow) =>
  participant !== null && (type === 'requestUpload' || type === 'finishUpload')

/**
 * An upload for a participant without the name it is stored under: sent as the answer to another field, it would open a
 * file that is hidden from the viewer.
 */
const unnamed = ({ storedName: _, ...told }: Record<string, unknown>) => told

/** A signature's entry without its hashes, which a signature has for those who see all that was signed. */
function unhashed({ hash: _, responses, ...told }: Record<string, unknown>): Record<string, unknown> {
  return { ...told, responses: (responses as { _id: string }[]).map(({ _id }) => _id) }
}

const contentOf = (personal: string): Record<string, unknown> => JSON.parse(personal).content

const MOMENT = /(At|Seen|datetime|Date)$/i
/** 1980: smaller numbers are no moments in microseconds. */
const EARLIEST = 315_532_800_000_000

/** The same value with moments written as text, as everywhere else on the wire. */
export function legible(value: unknown, name = ''): unknown {
  if (typeof value === 'number') {
    return MOMENT.test(name) && Number.isSafeInteger(value) && value >= EARLIEST ? instantText(value) : value
  }
  if (Array.isArray(value)) return value.map((each) => legible(each, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, legible(each, key)]))
}

/** The participant ID that the entry of a deletion kept: of the row as it was, or noted by itself. */
export function keptId(event: Record<string, unknown>): string | undefined {
  const before = event.before as Record<string, unknown> | undefined
  return [before?.id, event.id, event.participantId].find(
    (each): each is string => typeof each === 'string' && !isId(each),
  )
}

/** Whether the viewer may see personal information of somebody in these places; of nobody in particular: on the trial. */
export const seesPersonal = (access: Access, places: Places | undefined): boolean =>
  holds(access, 'readParticipantPersonalInformation', places)
