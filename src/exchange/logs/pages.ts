/** Pages of the log; a page far from the start is found as fast as the first. */

import { armsVisibleTo, concealedFrom } from '#access/armConcealmentStore'
import { type Access, holds, noPlaces, type Places } from '#access/caller'
import { changesReader } from '#conduct/responses/views'
import { isUncommitted } from '#db/commit'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import { hasNoHiddenFields, hiddenFrom } from '#design/hiddenFields/hiddenFields'
import type { Trial } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { type Entry, entryOf, isAboutDiary, isAllocation, isFileHidden, type LogRow, mayReadPersonal } from './rules'
import {
  countAfter,
  entriesAfter,
  entriesBefore,
  isNarrow,
  type LogFilter,
  numberAfter,
  participantIds,
  placesOf,
} from './store'

const PAGE = 30
const STEP = 1000

/**
 * A cache: for each combination of filters, the number of every thousandth entry, counted from the oldest. The log
 * only grows, so a mark never changes, and every page is at most a thousand steps of the index away from one.
 */
const marks = new WeakMap<Db, Map<string, number[]>>()

function marksFor(db: Db, filter: LogFilter): number[] {
  let kept = marks.get(db)
  if (!kept || kept.size > 1000) marks.set(db, (kept = new Map()))
  const kind = `${filter.chain} ${filter.userType ?? ''} ${filter.type ?? ''}`
  let own = kept.get(kind)
  if (!own) kept.set(kind, (own = []))
  // Entries that are not committed may still be rolled back, and must not be cached.
  while (!isUncommitted(db)) {
    const next = numberAfter(db, filter, own.at(-1) ?? 0, STEP)
    if (next === undefined) break
    own.push(next)
  }
  return own
}

export type LogPage = { rows: LogRow[]; total?: number; nextPageAvailable: boolean }

/** A page, newest first. For a narrow filter there are no marks: it is read with an offset. */
export function pageOf(db: Db, filter: LogFilter, page: number): LogPage {
  if (isNarrow(filter)) {
    const rows = entriesBefore(db, filter, Number.MAX_SAFE_INTEGER, PAGE + 1, (page - 1) * PAGE)
    return { rows: rows.slice(0, PAGE), nextPageAvailable: rows.length > PAGE }
  }
  const own = marksFor(db, filter)
  const total = own.length * STEP + countAfter(db, filter, own.at(-1) ?? 0)
  // Counted from the oldest, the page holds the entries from `first` up to, not including, `end`.
  const end = total - (page - 1) * PAGE
  if (end <= 0) return { rows: [], total, nextPageAvailable: false }
  const first = Math.max(0, end - PAGE)
  const mark = Math.min(own.length, Math.floor(first / STEP))
  const after = mark === 0 ? 0 : own[mark - 1]!
  const rows = entriesAfter(db, filter, after, end - first, first - mark * STEP)
  return { rows: rows.reverse(), total, nextPageAvailable: first > 0 }
}

/**
 * Returns a function that returns the changes to answers in a submission's entry, as far as the reader may see them; undefined for
 * other entries.
 */
function visibleChanges(db: Db, trial: Trial, access: Access) {
  const changesIn = changesReader(db)
  return ({ type, event }: LogRow, places: Places = noPlaces) => {
    const { response, submission } = event
    if (type !== 'submitResponse' || typeof response !== 'string' || typeof submission !== 'number') return undefined
    if (!holds(access, 'readParticipantStudyData', places)) return undefined
    return changesIn(response, submission, hiddenFrom(configuration(db, trial), access, places))
  }
}

/** Turns rows into entries as this reader may see them. */
export function visibleEntries(db: Db, trial: Trial, access: Access, rows: readonly LogRow[]): Entry[] {
  const about = [...new Set(rows.flatMap(({ participant }) => (participant === null ? [] : [participant])))]
  const ids = participantIds(db, about)
  const places: Map<Id, Places> = access.places.size ? placesOf(db, about) : new Map()
  const changes = visibleChanges(db, trial, access)
  const arms = { mayReadArms: armsVisibleTo(access), concealed: concealedFrom(db, trial._id, access) }
  const storedNames = holds(access, 'admin')
  const seesAnswers = (of: Id | null) =>
    hasNoHiddenFields(hiddenFrom(configuration(db, trial), access, places.get(of as Id) ?? noPlaces))
  const readsDiary = (of: Id | null) => holds(access, 'readParticipantStudyData', places.get(of as Id) ?? noPlaces)
  return rows.map((row) =>
    entryOf(row, {
      participantId: row.participant === null ? undefined : ids.get(row.participant),
      personal: mayReadPersonal(access, places.get(row.participant as Id)),
      storedNames,
      changes: changes(row, places.get(row.participant as Id)),
      ...arms,
      isFileHidden: isFileHidden(access, row.event),
      isStratumHidden: isAllocation(row) && !seesAnswers(row.participant),
      isDiaryHidden: isAboutDiary(row) && !readsDiary(row.participant),
    }),
  )
}

/** Those of a participant's submissions that changed the answer to a data type, as far as the viewer sees the change. */
export const changedIn = (dataType: Id, entries: readonly Entry[]): Entry[] =>
  entries.filter(({ event: { changes } }) =>
    ((changes ?? []) as readonly { dataType: Id }[]).some((change) => change.dataType === dataType),
  )

/** A page of what is shown of a data type: the entries of one participant are read until it is full. */
export function visiblePageOf(
  db: Db,
  filter: LogFilter,
  page: number,
  shown: (rows: readonly LogRow[]) => Entry[],
): { entries: Entry[]; nextPageAvailable: boolean } {
  const limit = page * PAGE + 1
  const entries = [...pagesBefore(db, filter, { before: Number.MAX_SAFE_INTEGER, limit, shown })].flat()
  return { entries: entries.slice(limit - 1 - PAGE, limit - 1), nextPageAvailable: entries.length === limit }
}

/** The entries of a team's log, which are about no participant. */
export const teamEntries = (rows: readonly LogRow[]): Entry[] =>
  rows.map((row) =>
    entryOf(row, {
      participantId: undefined,
      personal: false,
      storedNames: true,
      mayReadArms: false,
      concealed: new Set(),
    }),
  )

/** All entries older than that number, newest first, in pages that are read on demand. */
export function* pagesBefore(
  db: Db,
  filter: LogFilter,
  { before, limit, shown }: { before: number; limit: number; shown: (rows: readonly LogRow[]) => Entry[] },
) {
  let left = limit
  let last = before
  while (left > 0) {
    // Of a data type, only some of the rows are shown.
    const rows = entriesBefore(db, filter, last, filter.dataType === undefined ? Math.min(left, 500) : 500)
    if (!rows.length) return
    const entries = shown(rows).slice(0, left)
    yield entries
    left -= entries.length
    last = rows.at(-1)!.number
  }
}
