/**
 * Erases the personal information of a participant and keeps the study data (docs/participants.md, "Erasure"). What changes in
 * rows that the audit trail vouches for gets new digests in the entry of the erasure.
 */
import { type MessageReference, messageReference } from '#conduct/queries/store'
import { type Author, appendEvent, type EventReference, type EventRow, eventDigest } from '#conduct/responses/events'
import { storedNamesIn } from '#conduct/responses/files'
import { endSignatures, unverify } from '#conduct/responses/sourceVerificationStore'
import {
  layoutById,
  type ResponseRow,
  responsesOfParticipant,
  type SubmissionRow,
  valuesOf,
} from '#conduct/responses/store'
import { submissionDigest } from '#conduct/responses/submit'
import type { ErasureDigests } from '#conduct/responses/verify'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import { purgeContent, recordPurge } from '#design/deletions/purge'
import { changeDeletion, keptOfParticipant } from '#design/deletions/store'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { SendableText } from '#texts/writer'
import * as store from './store'

/** What the entry of the audit trail says: how many rows were changed, by table, and the new digests of rows of history. */
export type ErasureEvent = {
  erased: Record<string, number>
  digests: ErasureDigests & { messages: MessageReference[] }
}

/** `by`: who erases. `erased`: what stands in place of a text that may not be empty. */
export type ErasureContext = {
  db: Db
  now: Instant
  by: Author
  configuration: Configuration
  erased: SendableText
}

/** Whether answers to a data type are personal. Those to a deleted data type count as personal. */
const isPersonal =
  ({ withInheritedFlags }: Configuration) =>
  (dataType: Id): boolean =>
    withInheritedFlags.get(dataType)?.isPii ?? true

/** The values without the personal ones, and the data types that lost one. */
function withoutPersonal(db: Db, row: Pick<SubmissionRow, 'layout' | 'values'>, personal: (dataType: Id) => boolean) {
  const { dataTypes } = layoutById(db, row.layout)
  const lost: Id[] = []
  const values = valuesOf(row).map((value, at) => {
    const dataType = dataTypes[at]!
    if (value === null || !personal(dataType)) return value
    lost.push(dataType)
    return null
  })
  return { values, lost }
}

/** Ends the marks and signatures that vouch for the personal answers of a response, before its submissions lose them. */
function endMarks(
  { db, now, by }: ErasureContext,
  row: ResponseRow,
  personal: (dataType: Id) => boolean,
): EventReference[] {
  const { lost } = withoutPersonal(db, row, personal)
  if (!lost.length) return []
  const marks = unverify(db, row._id, lost)
  const signatures = endSignatures(db, row._id, now)
  if (!marks.length && !signatures.length) return []
  return [appendEvent(db, row, 'cleared', by, now, { isErasure: true, marks, signatures })]
}

function eraseSubmission(db: Db, row: SubmissionRow, personal: (dataType: Id) => boolean): EventReference[] {
  const { values, lost } = withoutPersonal(db, row, personal)
  if (!lost.length && row.address === null && row.device === null) return []
  const after = { ...row, values: JSON.stringify(values), address: null, device: null }
  store.saveSubmission(db, row._id, after.values)
  return [{ number: row._id, digest: submissionDigest.of(after) }]
}

type IgnoredAnswers = { ignored?: { dataType: Id | null; value: unknown }[] }

/** Erases ignored answers that may be personal: to a personal data type, or under a key that names none. */
function eraseEvent(db: Db, row: EventRow, personal: (dataType: Id) => boolean): EventReference[] {
  const content = JSON.parse(row.content) as IgnoredAnswers
  const isErased = (each: { dataType: Id | null; value: unknown }) =>
    each.value !== null && (each.dataType === null || personal(each.dataType))
  if (!content.ignored?.some(isErased)) return []
  const ignored = content.ignored.map((each) => (isErased(each) ? { ...each, value: null } : each))
  const after = { ...row, content: JSON.stringify({ ...content, ignored }) }
  store.saveEvent(db, row._id, after.content)
  return [{ number: row._id, digest: eventDigest.of(after) }]
}

/** The data types whose answers stay. */
export const nonPersonalDataTypes = (configuration: Configuration): Id[] =>
  [...configuration.dataTypes.keys()].filter((dataType) => !isPersonal(configuration)(dataType))

/** Erases personal answers. Returns the new digests. */
export function eraseAnswers(
  context: ErasureContext,
  from: { responses: ResponseRow[]; submissions: SubmissionRow[]; events: EventRow[] },
): ErasureDigests {
  const { db, configuration } = context
  const personal = isPersonal(configuration)
  return {
    cleared: from.responses.flatMap((row) => endMarks(context, row, personal)),
    submissions: from.submissions.flatMap((row) => eraseSubmission(db, row, personal)),
    events: from.events.flatMap((row) => eraseEvent(db, row, personal)),
  }
}

/** Erases it all, in one transaction. Returns what the audit entry keeps, and the files that must be removed from the disk. */
export function erasePersonalInformation(context: ErasureContext & { participant: Id }): {
  event: ErasureEvent
  files: string[]
} {
  const { db, now, participant, configuration, erased } = context
  const harmless = nonPersonalDataTypes(configuration)
  store.markErased(db, participant, now)
  const { cleared, submissions, events } = eraseAnswers(context, {
    responses: responsesOfParticipant(db, participant),
    submissions: store.submissionsAbout(db, participant),
    events: store.eventsAbout(db, participant),
  })
  const kept = store.submissionsAbout(db, participant).flatMap(({ values }) => storedNamesIn(JSON.parse(values)))
  const files = store.deleteFiles(db, participant, kept, harmless)
  for (const each of keptOfParticipant(db, participant)) {
    const purgeRequest = { purgeAskedBy: context.by._id, purgeAskedAt: now, purgeReason: 'erasure' }
    const forgetResult = purgeContent(db, changeDeletion(db, each._id, purgeRequest), now)
    recordPurge(db, now, forgetResult.purged, { reason: purgeRequest.purgeReason })
    files.push(...forgetResult.files)
  }
  const messages = store.eraseQueries(db, { participant }, harmless, erased).map(messageReference)
  const held = store.eraseHeld(db, participant, erased)
  store.endMessages(db, { participant }, 'The personal information of the participant was erased.')
  return { event: erasureEvent(held, { submissions, events, cleared, messages }, files.length), files }
}

/** What the audit entry of an erasure keeps. @param held how many rows of other tables were changed */
export function erasureEvent(
  held: Record<string, number>,
  digests: ErasureEvent['digests'],
  files: number,
): ErasureEvent {
  const { submissions, events, messages } = digests
  const ofHistory = {
    ...{ submissions: submissions.length, responseEvents: events.length, queryMessages: messages.length, files },
  }
  const counts = Object.entries({ ...held, ...ofHistory }).filter(([, count]) => count > 0)
  return { erased: Object.fromEntries(counts), digests }
}
