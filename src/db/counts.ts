/** Verifies the counts that triggers maintain. */

import { isFromParticipant } from '#db/triggers/messages'
import { entriesOf } from '#db/triggers/sites'
import { fault } from '#kernel/fault'
import { repairFigures, verifyFigures } from './figures'
import type { Db, Sqlite } from './open'

/** `key`: the column that identifies a row, if it is not `_id`. */
type Count = { table: string; key?: string; column: string; counted: string }

const OF_SITE = `participantSites m JOIN participants p ON p._id = m.participant`
const ANSWERED = `${OF_SITE} JOIN storedResponses r ON r.participant = p.key`

const counts: readonly Count[] = [
  ...['participant', 'dataType', 'stage'].map((what) => ({
    table: 'trials',
    column: `${what}Count`,
    counted: `SELECT count(*) FROM ${what}s WHERE trial = owner._id`,
  })),
  {
    table: 'consentForms',
    column: 'consentCount',
    counted: 'SELECT count(*) FROM consents WHERE form = owner._id',
  },
  {
    table: 'trials',
    column: 'responseCount',
    counted: 'SELECT count(*) FROM stages s JOIN storedResponses r ON r.stage = s.key WHERE s.trial = owner._id',
  },
  {
    table: 'teams',
    column: 'participantCount',
    counted: `SELECT count(*) FROM participants JOIN trials t ON t._id = trial
      WHERE t.team = owner._id AND t.deletedAt IS NULL`,
  },
  {
    table: 'participants',
    column: 'groupCount',
    counted: 'SELECT count(*) FROM participantGroups WHERE participant = owner._id',
  },
  {
    table: 'participants',
    column: 'responseCount',
    counted: 'SELECT count(*) FROM storedResponses WHERE participant = owner.key',
  },
  {
    table: 'participants',
    column: 'unreadCount',
    counted: `SELECT count(*) FROM messages m WHERE m.participant = owner._id AND ${isFromParticipant('m')}
      AND m.number > coalesce((SELECT max(upTo) FROM messageReads WHERE participant = owner._id AND reader = 'team'), 0)`,
  },
  {
    table: 'trials',
    column: 'unreadCount',
    counted: 'SELECT coalesce(sum(unreadCount), 0) FROM participants WHERE trial = owner._id AND isArchived = 0',
  },
  {
    table: 'storedResponses',
    column: 'entries',
    counted: entriesOf('owner'),
  },
  {
    table: 'siteFigures',
    key: 'site',
    column: 'fields',
    counted: `SELECT coalesce(sum(r.entries), 0) FROM ${ANSWERED} WHERE m.site = owner.site`,
  },
  {
    table: 'siteFigures',
    key: 'site',
    column: 'verified',
    counted: `SELECT count(*) FROM ${ANSWERED} JOIN verifications v ON v.response = r._id WHERE m.site = owner.site`,
  },
  {
    table: 'siteFigures',
    key: 'site',
    column: 'enrolled',
    counted: `SELECT count(*) FROM ${OF_SITE} WHERE m.site = owner.site AND p.isArchived = 0`,
  },
  {
    table: 'siteFigures',
    key: 'site',
    column: 'enrolled',
    counted: 'SELECT coalesce(sum(enrolled), 0) FROM siteEnrolment e WHERE e.site = owner.site',
  },
  {
    table: 'siteEnrolment',
    key: 'site',
    column: 'enrolled',
    counted: `SELECT count(*) FROM ${OF_SITE} WHERE m.site = owner.site AND p.isArchived = 0
      AND strftime('%Y-%m', p.createdAt / 1000000, 'unixepoch') = owner.month`,
  },
  {
    table: 'participantCounts',
    key: 'trial',
    column: 'count',
    counted: 'SELECT count(*) FROM participants p WHERE p.trial = owner.trial AND p.facets = owner.facets',
  },
  {
    table: 'uploadTotals',
    column: 'bytes',
    counted: `SELECT coalesce(sum(size), 0) FROM files
      WHERE kind = 'upload' AND finishedAt IS NOT NULL AND (trial = owner._id OR (forType = 'participant' AND forId = owner._id))`,
  },
]

const UNCOUNTED = `SELECT p.trial AS _id FROM participants p
  WHERE NOT EXISTS (SELECT 1 FROM participantCounts c WHERE c.trial = p.trial AND c.facets = p.facets) LIMIT 1`

const COMPLETE = "kind = 'upload' AND finishedAt IS NOT NULL AND size > 0"

const UNTOTALLED = `SELECT _id FROM (SELECT trial AS _id FROM files WHERE ${COMPLETE} AND trial IS NOT NULL
    UNION SELECT forId FROM files WHERE ${COMPLETE} AND forType = 'participant')
  WHERE _id NOT IN (SELECT _id FROM uploadTotals) LIMIT 1`

const WITHOUT_FIGURES = 'SELECT _id FROM sites WHERE _id NOT IN (SELECT site FROM siteFigures) LIMIT 1'

/** Compares every count with the rows that it counts. Returns a summary. @throws a fault that names the first wrong count */
export function verifyCounts(sqlite: Sqlite): string {
  for (const { table, key = '_id', column, counted } of counts) {
    type Wrong = { _id: string; stored: number; counted: number }
    const wrong = sqlite
      .query<Wrong, []>(
        `SELECT * FROM (SELECT ${key} AS _id, ${column} AS stored, (${counted}) AS counted FROM ${table} AS owner)
         WHERE stored <> counted LIMIT 1`,
      )
      .get()
    if (wrong) throw fault(`${table} ${wrong._id}: ${column} is ${wrong.stored}, not ${wrong.counted}`)
  }
  const uncounted = sqlite.query<{ _id: string }, []>(UNCOUNTED).get()
  if (uncounted) throw fault(`participantCounts ${uncounted._id}: some participants are not counted`)
  const untotalled = sqlite.query<{ _id: string }, []>(UNTOTALLED).get()
  if (untotalled) throw fault(`uploadTotals ${untotalled._id}: some uploads are not counted`)
  const figureless = sqlite.query<{ _id: string }, []>(WITHOUT_FIGURES).get()
  if (figureless) throw fault(`siteFigures ${figureless._id}: the site has no figures`)
  const kinds = verifyFigures(sqlite)
  return `${counts.length + kinds} kinds of counts are right`
}

/** Tables that have a row for each value that is counted. */
const totals: readonly (readonly [table: string, columns: string, counted: string])[] = [
  [
    'siteEnrolment',
    'site, month, trial, enrolled',
    `SELECT m.site, strftime('%Y-%m', p.createdAt / 1000000, 'unixepoch'), p.trial, count(*) FROM ${OF_SITE}
     WHERE p.isArchived = 0 GROUP BY 1, 2`,
  ],
  [
    'participantCounts',
    'trial, facets, count',
    'SELECT trial, facets, count(*) FROM participants GROUP BY trial, facets',
  ],
  [
    'uploadTotals',
    '_id, bytes',
    `SELECT _id, sum(size) FROM (
       SELECT trial AS _id, size FROM files WHERE ${COMPLETE} AND trial IS NOT NULL
       UNION ALL SELECT forId, size FROM files WHERE ${COMPLETE} AND forType = 'participant') GROUP BY _id`,
  ],
]

/** Counts everything again and stores what differs. Call it in a transaction. */
export function repairCounts({ $client: sqlite }: Db): void {
  sqlite.run(
    `INSERT INTO siteFigures (site, trial)
     SELECT _id, trial FROM sites WHERE _id NOT IN (SELECT site FROM siteFigures)`,
  )
  for (const [table, columns, counted] of totals) {
    sqlite.run(`DELETE FROM ${table}`)
    sqlite.run(`INSERT INTO ${table} (${columns}) ${counted}`)
  }
  for (const { table, column, counted } of counts)
    sqlite.run(`UPDATE ${table} AS owner SET ${column} = (${counted}) WHERE ${column} <> (${counted})`)
  repairFigures(sqlite)
}
