/** Restores what was deleted, with its audit trail: each kind in its own way, and its rows as they were. */
import type { Staff } from '#access/caller'
import { sortId } from '#conduct/participants/rules'
import { participantByParticipantId, remainingPlaces } from '#conduct/participants/store'
import { queryById } from '#conduct/queries/store'
import { appendEvent, staffAuthor } from '#conduct/responses/events'
import { responseById } from '#conduct/responses/store'
import { type CapturedRow, literalOf, literalValue } from '#db/capture'
import type { Db } from '#db/open'
import { restoreRows } from '#db/restoreRows'
import { contentOf } from '#design/deletions/keptContent'
import { changeDeletion, type DeletionRow, filesOf, forgetContent } from '#design/deletions/store'
import { isSiteIdTaken } from '#design/sites/store'
import type { Trial } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { cut } from '#kernel/text'
import type { Instant } from '#kernel/time'
import { fileById } from '#office/files/store'
import { indexNames } from '#office/files/words/store'
import { resumeWaiting } from '#office/incentives/rules/store'
import { fileByName } from '#storage/store'
import { isOccurrenceFree, keyOfParticipant } from './store'

type RestoreContext = { db: Db; now: Instant; caller: Staff; trial: Trial; deletion: DeletionRow }
/** `name`: what it is called now; `event`: what the audit entry says besides. */
type Outcome = { name: string; event?: Record<string, unknown> }

/** The rows with the first of these values in place of those of the row of the thing itself. */
const withReplacedValues = (
  rows: readonly CapturedRow[],
  table: string,
  change: Readonly<Record<string, string>>,
): CapturedRow[] =>
  rows.map((row) => (row.table === table && !row.after ? { ...row, before: { ...row.before, ...change } } : row))

/** An ID that no participant of the trial has: that of the deleted one if possible. */
function freeId(db: Db, trial: Id, id: string): string {
  for (let count = 0; ; count++) {
    const suffix = count === 0 ? '' : `-restored${count === 1 ? '' : `-${count}`}`
    const free = `${cut(id, 50 - suffix.length)}${suffix}`
    if (!participantByParticipantId(db, trial, free)) return free
  }
}

function restoreParticipant({ db, now, trial, deletion }: RestoreContext, rows: readonly CapturedRow[]): Outcome {
  const room = remainingPlaces(db, trial.team)
  if (room !== null && room < 1) throw refuse.bad('teamFull', undefined, { room: 0 })
  const name = freeId(db, trial._id, deletion.name)
  // Progress and reminders are calculated anew: stages may have opened meanwhile.
  restoreRows(
    db,
    withReplacedValues(rows, 'participants', {
      id: literalOf(name),
      idSort: literalOf(sortId(name)),
      progressDueAt: '0',
    }),
  )
  resumeWaiting(db, deletion.subject, now)
  return { name }
}

type VerificationMark = { dataType: Id; verifiedAt: Instant; verifiedBy: Id }

/** The value that the rows of a table have in a column. */
const valuesIn = (rows: readonly CapturedRow[], table: string, column: string) =>
  rows.flatMap(({ table: of, before }) => (of === table ? [`${literalValue(before[column]!)}`] : []))

function restoreResponse(context: RestoreContext, rows: readonly CapturedRow[]): Outcome {
  const { db, now, caller, trial, deletion } = context
  const key = deletion.participant === null ? 'NULL' : keyOfParticipant(db, deletion.participant)
  if (key === undefined) throw refuse.bad('itsParticipantDeleted')
  const own = rows.find(({ table }) => table === 'storedResponses')
  if (!own) throw refuse.missing('deletion')
  const stage = Number(own.before.stage)
  if (key !== 'NULL' && !isOccurrenceFree(db, Number(key), stage, Number(own.before.stageRecurrence)))
    throw refuse.bad('placeTaken')
  const marks = rows.flatMap(({ table, before }): VerificationMark[] =>
    table === 'verifications'
      ? [
          {
            dataType: `${literalValue(before.dataType!)}`,
            verifiedAt: Number(before.verifiedAt),
            verifiedBy: `${literalValue(before.verifiedBy!)}`,
          },
        ]
      : [],
  )
  const signatures = valuesIn(rows, 'signedResponses', 'signature')
  const of = { _id: deletion.subject, trial: trial._id, participant: deletion.participant }
  // The event comes first: with it, signatures that the deletion ended can stand again.
  const entry = appendEvent(db, of, 'restored', staffAuthor(caller.user), now, { marks, signatures })
  restoreRows(db, withReplacedValues(rows, 'storedResponses', { participant: key }))
  if (!responseById(db, deletion.subject)) throw refuse.bad('itsStageDeleted')
  const queriesReopened = rows
    .filter(({ table, after }) => table === 'queries' && after)
    .map(({ before }) => ({ query: `${literalValue(before._id!)}`, status: `${literalValue(before.status!)}` }))
    .filter(({ query, status }) => queryById(db, query)?.status === status)
  return { name: deletion.name, event: { response: deletion.subject, entry, queriesReopened } }
}

function restoreSite({ db, trial, deletion }: RestoreContext, rows: readonly CapturedRow[]): Outcome {
  if (isSiteIdTaken(db, trial._id, deletion.name)) throw refuse.taken('site ID', deletion.name)
  restoreRows(db, rows)
  return { name: deletion.name }
}

function restoreFile({ db, deletion }: RestoreContext, rows: readonly CapturedRow[]): Outcome {
  restoreRows(db, rows)
  const file = fileById(db, deletion.subject)
  if (!file) throw refuse.bad('itsSiteDeleted')
  indexNames(db, file)
  return { name: deletion.name }
}

const BY_KIND = {
  participant: restoreParticipant,
  response: restoreResponse,
  site: restoreSite,
  file: restoreFile,
}

/** Restores a deletion in a trial that exists. Returns its name now, and the event of a response for the audit entry. */
export function restore(context: RestoreContext): Outcome {
  const { db, now, deletion } = context
  if (deletion.kind === 'trial') throw refuse.missing('deletion')
  const rows = contentOf(db, deletion)
  const uploads = filesOf(db, deletion._id)
    .filter(({ storedName }) => fileByName(db, storedName) === undefined)
    .map(({ row }): CapturedRow => ({ table: 'files', before: JSON.parse(row) }))
  const outcome = BY_KIND[deletion.kind](context, [...uploads, ...rows])
  forgetContent(db, deletion._id)
  changeDeletion(db, deletion._id, { status: 'restored', hash: null, endedAt: now })
  return outcome
}
