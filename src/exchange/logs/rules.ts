/** How a stored entry of the audit trail is shown. */

import { withoutConcealed } from '#access/armConcealment'
import { type Access, holds, type Places } from '#access/caller'
import { UNKNOWN_UPLOADER } from '#conduct/responses/files'
import type { auditEntries } from '#db/tables/index'
import { type Id, isId } from '#kernel/id'
import { maskedAddress } from '#kernel/maskedAddress'
import { type Instant, instantText } from '#kernel/time'

/** An entry as it is stored. */
export type LogRow = typeof auditEntries.$inferSelect

/** An entry as it is shown; fields that do not apply are absent. */
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

/** What is needed besides the row to show it. */
export type EntryContext = {
  /** Whether the row is about a file of the trial master file that the viewer may not read. */
  isFileHidden?: boolean
  /** Whether the row is about a food diary that the viewer may not read. */
  isDiaryHidden?: boolean
  /** The human-readable ID of the row's participant. */
  participantId: string | undefined
  /** Whether the viewer may see this participant's personal information. */
  personal: boolean
  /** Whether the viewer may see the stored names of uploads, except those for participants and before a first sign-in, which nobody sees. */
  storedNames: boolean
  /** For a submission: the answers that it changed, as far as the viewer may see them. */
  changes?: { dataType: string; before: unknown; after: unknown }[]
  /** Whether the viewer may see arms: `event.concealed` is what only they may see. */
  mayReadArms: boolean
  /** Whether the row is about an allocation whose stratum may name an answer that is hidden from the viewer. */
  isStratumHidden?: boolean
  /** The `_id`s of arms, groups and pack types that are hidden from the viewer. */
  concealed: ReadonlySet<Id>
}

/**
 * A stored entry as a viewer may see it. The database stores personal information apart from the event; it is returned as
 * `event.personal` to those who may see it, except for the client of a participant, which has its own field.
 */
export function entryOf(row: LogRow, context: EntryContext): Entry {
  const { participantId, personal, storedNames, changes, isFileHidden, isDiaryHidden, concealed } = context
  const { client = null, ...written } = personal && row.personal ? contentOf(row.personal) : {}
  const rest = isDiaryHidden ? {} : written
  // Answers are stored once, with the submission, and not in later entries: they are shown unchanged.
  // What links entries to answers is left out: a short answer could be guessed from its hash, and whether ignored answers were
  // kept tells whether they were the same as before.
  const {
    digest: _,
    entry: __,
    kept: ___,
    digests: ____,
    ...whole
  } = withTextMoments(row.event) as Record<string, unknown>
  const isHidden = isUpload(row) && (row.participant !== null || isBeforeSignIn(row) || !storedNames)
  const shown = isHidden ? withoutStoredName(whole) : isDiaryHidden ? withoutDiaryContent(whole) : whole
  const armed = context.isStratumHidden ? withoutStratum(shown) : isAboutWebhook(row) ? withMaskedUrls(shown) : shown
  const open = context.mayReadArms ? armed : withoutArms(shown, concealed)
  const event = { ...(row.type === 'signResponses' ? withoutHashes(open) : open), ...(changes && { changes }) }
  return {
    number: row.number,
    createdAt: row.createdAt,
    userEmail: row.userEmail,
    type: row.type,
    event: isFileHidden ? {} : Object.keys(rest).length ? { ...event, personal: withTextMoments(rest) } : event,
    client: row.userType === 'participant' ? (client as Entry['client']) : { address: row.address, device: row.device },
    ...(participantId === undefined ? {} : { participantId }),
    ...(row.apiToken === null ? {} : { apiToken: row.apiToken }),
  }
}

/** An allocation without its stratum, and without the place in its list, which tells how many were allocated in the same one. */
function withoutStratum({ concealed, ...rest }: Record<string, unknown>): Record<string, unknown> {
  const { stratum: _, position: __, ...open } = concealed as Record<string, unknown>
  return { ...rest, concealed: open }
}

export const isAllocation = ({ type }: LogRow) => type === 'allocateParticipant'

/** An event without what only viewers who may see arms are shown. */
function withoutArms({ concealed: _, ...open }: Record<string, unknown>, concealed: ReadonlySet<Id>) {
  return concealed.size ? ((withoutConcealed(withoutFieldsOfTypes(open), concealed) ?? {}) as typeof open) : open
}

/** An event about packs without the fields that go with the type: an entry may have them without naming the type. */
function withoutFieldsOfTypes(event: Record<string, unknown>): Record<string, unknown> {
  const without = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return value
    const { batchNumber: _, extended: __, ...rest } = value as Record<string, unknown>
    return rest
  }
  const { before, after, ...rest } = event
  return {
    ...rest,
    ...(before === undefined ? {} : { before: without(before) }),
    ...(after === undefined ? {} : { after: without(after) }),
  }
}

/**
 * Whether an entry is about a file of the trial master file, `fileSite` being its site or `trial`, and the viewer may not read the
 * files there.
 */
export const isFileHidden = (access: Access, { fileSite }: Record<string, unknown>): boolean =>
  typeof fileSite === 'string' &&
  !holds(access, 'readFiles', { sites: fileSite === 'trial' ? [] : [fileSite], groups: [] })

/** Whether the upload came with a consent, before the first sign-in. */
const isBeforeSignIn = ({ event }: LogRow) => (event as Record<string, unknown>).createdBy === UNKNOWN_UPLOADER

const isUpload = ({ type }: LogRow) => type === 'requestUpload' || type === 'finishUpload'

/**
 * An upload without its stored name: sent as the answer to another field, or attached to a message, the name would open a file
 * that is hidden from the viewer.
 */
const withoutStoredName = ({ storedName: _, ...rest }: Record<string, unknown>) => rest

/** Whether an entry is about a food diary, whose content is study data. */
export const isAboutDiary = ({ type }: LogRow) => /^(create|update|delete)FoodDiaryEntry$/.test(type)

const withoutDiaryContent = ({ before: _, after: __, ...rest }: Record<string, unknown>) => rest

const isAboutWebhook = ({ type }: LogRow) => /^(create|update|delete)Webhook$/.test(type)

/** Entries of older versions hold the whole address of a webhook. */
const withMaskedUrls = (event: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(event).map(([name, value]) => {
      const { url } = (typeof value === 'object' && value !== null ? value : {}) as { url?: unknown }
      return [name, typeof url === 'string' ? { ...(value as object), url: maskedAddress(url) } : value]
    }),
  )

/** A signature's entry without its hashes: only readers who may see all signed answers get those, with the signature. */
function withoutHashes({ hash: _, responses, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return { ...rest, responses: (responses as { _id: string }[]).map(({ _id }) => _id) }
}

const contentOf = (personal: string): Record<string, unknown> => JSON.parse(personal).content

const MOMENT = /(At|Seen|datetime|Date)$/i
/** The year 1980: smaller numbers are not moments in microseconds. */
const EARLIEST = 315_532_800_000_000

/** The same value with moments as text, as everywhere in the API. */
export function withTextMoments(value: unknown, name = ''): unknown {
  if (typeof value === 'number') {
    return MOMENT.test(name) && Number.isSafeInteger(value) && value >= EARLIEST ? instantText(value) : value
  }
  if (Array.isArray(value)) return value.map((each) => withTextMoments(each, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withTextMoments(each, key)]))
}

/** The participant ID in the entry of a deletion: a field of the deleted row or of the event. */
export function deletedParticipantId(event: Record<string, unknown>): string | undefined {
  const before = event.before as Record<string, unknown> | undefined
  return [before?.id, event.id, event.participantId].find(
    (each): each is string => typeof each === 'string' && !isId(each),
  )
}

/**
 * Whether the viewer may see personal information of a participant.
 * @param places of the participant; without them, the permission on the whole trial is needed
 */
export const mayReadPersonal = (access: Access, places: Places | undefined): boolean =>
  holds(access, 'readParticipantPersonalInformation', places)
