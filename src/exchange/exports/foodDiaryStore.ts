/** Reads the food diaries of a trial in pages by key: never more than a page is in memory. */
import type { Places } from '#access/caller'
import { withinScopes } from '#access/visibilityStore'
import type { Db } from '#db/open'
import { decodeRow } from '#db/rows'
import { foodDiaryEntries } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { PLACES } from './store'

/** An entry with its participant. Places are `_id`s separated by commas; null if there are none. */
export type DiaryRow = typeof foodDiaryEntries.$inferSelect & {
  participantId: string
  sites: string | null
  groups: string | null
}

/** The place of an entry in the order of an export. */
type Place = Pick<DiaryRow, 'participant' | 'date' | 'loggedAt' | '_id'>
const BEGINNING: Place = { participant: '', date: '', loggedAt: 0, _id: '' }
const PAGE = 500

/** Whether anybody of the trial has an entry. */
export const hasDiaries = (db: Db, trial: Id): boolean =>
  db.$client
    .query<unknown, [{ trial: Id }]>('SELECT 1 FROM foodDiaryEntries WHERE trial = +$trial LIMIT 1')
    .get({ trial }) !== null

/** Pages of the entries of participants who are not archived and are in all of the scopes, by participant, day and time. */
export function* diaryPages(db: Db, trial: Id, scopes: readonly Places[]): Generator<DiaryRow[]> {
  const { sql, bound } = withinScopes(scopes, 'e.participant')
  const query = db.$client.query<DiaryRow, [Record<string, string | number>]>(
    `SELECT e.*, p.id AS participantId, ${PLACES('e.participant')}
     FROM foodDiaryEntries e CROSS JOIN participants p ON p._id = e.participant
     WHERE e.trial = +$trial AND (e.participant, e.date, e.loggedAt, e._id) > ($participant, $date, $loggedAt, $_id)
       AND p.isArchived = 0 ${sql}
     ORDER BY e.participant, e.date, e.loggedAt, e._id LIMIT ${PAGE}`,
  )
  for (let after = BEGINNING; ; ) {
    const { participant, date, loggedAt, _id } = after
    const rows = query.all({ trial, participant, date, loggedAt, _id, ...bound })
    for (const row of rows) decodeRow(foodDiaryEntries, row)
    if (rows.length) yield rows
    if (rows.length < PAGE) return
    after = rows.at(-1)!
  }
}
