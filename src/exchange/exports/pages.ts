/**
 * The responses of an export in pages. A large export is read in steps, each a short transaction: a reader who stays for long would
 * let the write-ahead log grow. It is of one moment nevertheless. What was submitted and changed since then has numbers, so
 * these responses are rebuilt from their history as it was; the participants were copied at that moment. Participants who are
 * erased meanwhile are missing from what is not yet written.
 */
import { eventsOf } from '#conduct/responses/events'
import { rebuiltResponse } from '#conduct/responses/rebuild'
import { type ResponseRow, submissionsOf } from '#conduct/responses/store'
import { isUncommitted } from '#db/commit'
import { beginReadTransaction, endReadTransaction } from '#db/readTransaction'
import { trialById } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import {
  changedAfter,
  type ExportRow,
  everyColumn,
  keptParticipant,
  type Moment,
  type NarrowRow,
  PAGE,
  pageReader,
  type Source,
  submittedAfter,
} from './store'

const compareIds = (a: { _id: Id }, b: { _id: Id }) => (a._id < b._id ? -1 : 1)

/** The changes of responses since a moment. @param onChangedResponse called with each response that existed then and was changed */
export function changesSince(
  { db, scopes, flags, trial }: Source & { trial: Id },
  { submission, event }: Moment,
  onChangedResponse?: (response: Id) => void,
) {
  const changed = new Set<Id>()
  /** By stage, those that existed at the moment and whose place in the export may be still to come. */
  const earlier = new Map<Id, Set<Id>>()
  let [lastSubmission, lastEvent] = [submission, event]
  /** The study record of a trial that was deleted is written while it is hidden. */
  const deletedAt = trialById(db, trial)?.deletedAt ?? null

  function noteChange(response: Id, stage: Id | null, existed: boolean): void {
    if (changed.has(response)) return
    changed.add(response)
    if (!existed || stage === null) return
    onChangedResponse?.(response)
    const known = earlier.get(stage)
    if (known) known.add(response)
    else earlier.set(stage, new Set([response]))
  }

  /** The response as it was; undefined if the export does not include it. */
  function responseAtMoment(response: Id): ExportRow | undefined {
    const row = rebuiltResponse(
      db,
      submissionsOf(db, response).filter(({ _id }) => _id <= submission),
      eventsOf(db, response).filter(({ _id }) => _id <= event),
    )
    if (!row) return undefined
    if (row.participant === null)
      return scopes.length || flags ? undefined : { ...row, participantId: null, sites: null, groups: null }
    const participant = keptParticipant(db, row.participant)
    return participant && { ...row, ...participant }
  }

  return {
    asItWas: responseAtMoment,
    isChanged: (response: Id): boolean => changed.has(response),
    /** Reads what changed since the last call. Call it in the transaction of each page. @throws 404 if the trial was deleted */
    update(): void {
      if (found(trialById(db, trial), 'trial').deletedAt !== deletedAt) throw refuse.missing('trial')
      for (const { number, response, stage, isFirst } of submittedAfter(db, lastSubmission)) {
        noteChange(response, stage, !isFirst)
        lastSubmission = number
      }
      for (const { number, response, stage } of changedAfter(db, lastEvent)) {
        noteChange(response, stage, true)
        lastEvent = number
      }
    },
    /** A page as it was at the moment. @param end its last `_id`; undefined if no page follows */
    corrected<Row extends { _id: Id }>(stage: Id, page: Row[], after: Id, end: Id | undefined): (Row | ExportRow)[] {
      const ids = [...(earlier.get(stage) ?? [])].filter((_id) => end === undefined || _id <= end)
      for (const _id of ids) earlier.get(stage)!.delete(_id)
      const before = ids.flatMap((_id) => (_id > after ? (responseAtMoment(_id) ?? []) : []))
      const same = changed.size ? page.filter(({ _id }) => !changed.has(_id)) : page
      return before.length ? [...same, ...before].sort(compareIds) : same
    },
  }
}

export type Changes = ReturnType<typeof changesSince>

/** The same for another reading of the responses: the changes since a moment are for one reading. */
export const withOwnChanges = <From extends Source & { trial: Id; changes: Changes | undefined }>(
  from: From,
): From => ({
  ...from,
  changes: from.moment && changesSince(from, from.moment),
})

/** After so many pages garbage is collected: by itself the heap of the thread grows by 30 MB more. It takes some 5 % of the time. */
const COLLECTED = 50

type Pages<Name extends keyof ResponseRow> = Generator<NarrowRow<Name>[]>

/** Pages of the responses of a stage, in the order of their `_id`. What reads a page may read more of the same state. */
export const responsePages = (source: SourceWithChanges, stage: Id): Pages<keyof ResponseRow> =>
  narrowPages(source, stage, everyColumn)

type SourceWithChanges = Source & { changes?: Changes | undefined; includes?: ResponseFilter | undefined }

/** Whether an export with filters includes a response. It needs the times and the status. */
export type ResponseFilter = (
  row: Pick<ResponseRow, '_id'> & Partial<Pick<ResponseRow, (typeof FILTERED)[number]>>,
) => boolean

const FILTERED = ['createdAt', 'updatedAt', 'status'] as const

/** The same with these columns only. */
export function* narrowPages<Name extends keyof ResponseRow>(
  source: SourceWithChanges,
  stage: Id,
  names: readonly Name[],
): Pages<Name> {
  const { db, changes, includes } = source
  // A filter needs more columns than what reads the pages.
  const read = pageReader<Name | (typeof FILTERED)[number]>(source, stage, includes ? [...names, ...FILTERED] : names)
  const isStep = !isUncommitted(db)
  let pages = 0
  for (let after: Id | undefined = ''; after !== undefined; ) {
    if (++pages % COLLECTED === 0) Bun.gc(true)
    if (isStep) beginReadTransaction(db)
    try {
      const page: NarrowRow<Name>[] = read(after)
      const end: Id | undefined = page.length < PAGE ? undefined : page.at(-1)!._id
      changes?.update()
      const responseAtMoment: NarrowRow<Name>[] = changes?.corrected(stage, page, after, end) ?? page
      const rows = includes ? responseAtMoment.filter(includes) : responseAtMoment
      if (rows.length) yield rows
      after = end
    } finally {
      if (isStep) endReadTransaction(db)
    }
  }
}
