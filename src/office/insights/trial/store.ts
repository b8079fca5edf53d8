import { participantsAfter } from '#conduct/timeline/store'
import type { Db } from '#db/open'
import { deleteWhere, insert, rowWhere } from '#db/rows'
import { trialInsights } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { DAY, HOUR, type Instant } from '#kernel/time'
import type { Comparison } from './compare'
import type { InsightParticipant } from './facts'
import type { TrialNumbers } from './numbers'

/** Insights as they are kept. */
export type InsightRow = Omit<typeof trialInsights.$inferSelect, 'numbers' | 'comparisons'> & {
  numbers: TrialNumbers
  comparisons: Comparison[]
}

/** A page of the participants of a trial who are not archived, by `_id`, and the last `_id` that was looked at. */
export function participantPage(db: Db, trial: Id, after: Id, limit: number) {
  const page = participantsAfter(db, trial, after, limit)
  const state = db.$client.query<{ lastSeenAt: Instant | null; isArchived: number }, [{ _id: Id }]>(
    'SELECT lastSeenAt, isArchived FROM participants WHERE _id = $_id',
  )
  const participants = page.flatMap((each): InsightParticipant[] => {
    const more = state.get({ _id: each._id })
    return more && !more.isArchived ? [{ ...each, ...more }] : []
  })
  return { participants, last: page.length === limit ? page.at(-1)!._id : undefined }
}

/**
 * How many fields (or whole responses) have a query at each site, of participants who are not archived; sites without any are absent.
 * @param open the data types whose queries count
 */
export const queriesAtSites = (db: Db, trial: Id, open: readonly Id[]): Map<Id, number> =>
  new Map(
    db.$client
      .query<{ site: Id; fields: number }, [{ trial: Id; open: string }]>(
        `SELECT site, count(*) AS fields FROM (
           SELECT DISTINCT m.site AS site, q.response, q.dataType FROM queries q
             JOIN participants p ON p._id = q.participant AND p.isArchived = 0
             JOIN participantSites m ON m.participant = p._id
           WHERE q.trial = +$trial AND (q.dataType IS NULL OR q.dataType IN (SELECT value FROM json_each($open))))
         GROUP BY site`,
      )
      .all({ trial, open: JSON.stringify(open) })
      .map(({ site, fields }) => [site, fields]),
  )

/** How many entries the audit trail of the trial has: the number changes with everything that happens in it. */
export const entriesOf = (db: Db, trial: Id): number =>
  db.$client
    .query<{ entries: number }, [{ trial: Id }]>('SELECT entries FROM auditHeads WHERE chain = $trial')
    .get({ trial })?.entries ?? 0

/** The kept insights on a trial, or on a site of it; undefined if there are none. */
export const storedInsights = (db: Db, trial: Id, site: Id): InsightRow | undefined =>
  rowWhere(db, trialInsights, { trial, site }) as InsightRow | undefined

/** Keeps the insights on a trial and its sites in place of those before. */
export function replaceInsights(db: Db, trial: Id, rows: readonly InsightRow[]): void {
  deleteWhere(db, trialInsights, { trial })
  for (const row of rows) insert(db, trialInsights, row)
}

/**
 * A trial whose insights are to be computed: they are switched on, and something happened since an hour at least, or a day has passed.
 */
export const nextTrialToCompute = (db: Db, now: Instant): Id | undefined =>
  db.$client
    .query<{ _id: Id }, [{ hourAgo: Instant; dayAgo: Instant }]>(
      `SELECT t._id FROM trials t LEFT JOIN trialInsights i ON i.trial = t._id AND i.site = ''
         LEFT JOIN auditHeads h ON h.chain = t._id
       WHERE t.settings ->> 'trialInsightsEnabled' AND t.isArchived = 0 AND t.participantCount > 0
         AND (i.trial IS NULL OR i.computedAt <= $dayAgo OR (i.computedAt <= $hourAgo AND h.entries <> i.entries))
       ORDER BY i.computedAt LIMIT 1`,
    )
    .get({ hourAgo: now - HOUR, dayAgo: now - DAY })?._id
