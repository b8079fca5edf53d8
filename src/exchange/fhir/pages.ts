/** Pages of searches, in the order of `_id`. */
import type { VisibleScope } from '#access/caller'
import type { ParticipantRow } from '#conduct/participants/store'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { endOfChunk, participantsBetween } from './store'

/** Participants that are looked at together. */
const CHUNK = 500

/** How many of them one request looks at: a page may then have fewer resources than were asked for, and a next page. */
const MOST = 10_000

/**
 * Participants after an `_id`, chunk by chunk; `last` is the end of the chunk, to go on from. The work of a request is bounded, however
 * few of the participants the reader may see.
 */
function* chunks(
  db: Db,
  trial: Id,
  first: Id,
  scopes: readonly VisibleScope[],
): Generator<{ rows: ParticipantRow[]; last: Id; isEnd: boolean }> {
  let after = first
  for (let seen = 0; seen < MOST; seen += CHUNK) {
    const { last, count } = endOfChunk(db, trial, after, CHUNK)
    if (last === null) return
    yield { rows: participantsBetween(db, trial, [after, last], scopes), last, isEnd: count < CHUNK }
    if (count < CHUNK) return
    after = last
  }
}

/** A page of participants, and where the next one begins. */
export function participantPage(db: Db, trial: Id, after: Id, scopes: readonly VisibleScope[], count: number) {
  const found: ParticipantRow[] = []
  let next: Id | undefined
  for (const { rows, last, isEnd } of chunks(db, trial, after, scopes)) {
    found.push(...rows.slice(0, count + 1 - found.length))
    next = isEnd ? undefined : last
    if (found.length > count) return { rows: found.slice(0, count), next: found[count - 1]!._id }
  }
  return { rows: found, next }
}

/**
 * A page of what participants have several of, such as responses, and where the next one begins: `<participant>.<thing>`.
 * @param own all of one participant, by `_id`
 */
export function pageWithin<T extends { _id: Id }>(
  { db, trial, scopes }: { db: Db; trial: Id; scopes: readonly VisibleScope[] },
  token: string,
  count: number,
  own: (participant: ParticipantRow) => readonly T[],
): { found: { row: T; participant: ParticipantRow }[]; next: string | undefined } {
  const [after = '', within = ''] = token.split('.')
  const found: { row: T; participant: ParticipantRow }[] = []
  const add = (participant: ParticipantRow, rows: readonly T[]) => {
    for (const row of rows) if (found.length <= count) found.push({ row, participant })
  }
  const full = () => {
    const last = found[count - 1]!
    return { found: found.slice(0, count), next: `${last.participant._id}.${last.row._id}` }
  }
  // What is left of the participant in whose middle the page before ended.
  if (within) {
    const before = previous(after)
    const rest = participantsBetween(db, trial, [before, after], scopes).filter(({ _id }) => _id === after)
    for (const each of rest)
      add(
        each,
        own(each).filter(({ _id }) => _id > within),
      )
    if (found.length > count) return full()
  }
  let next: string | undefined
  for (const { rows, last, isEnd } of chunks(db, trial, after, scopes)) {
    for (const each of rows) {
      add(each, own(each))
      if (found.length > count) return full()
    }
    next = isEnd ? undefined : last
  }
  return { found, next }
}

/** A text that sorts right before an `_id`, and after every smaller one. */
const previous = (id: Id): string => id.slice(0, -1) + String.fromCharCode(id.charCodeAt(id.length - 1) - 1)
