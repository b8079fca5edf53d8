/** Counts again what the figures of dashboards and lists of sites say (src/db/triggers/figures.ts, src/db/triggers/siteLists.ts). */
import { fault } from '#kernel/fault'
import type { Sqlite } from './open'

/** `kept` and `counted` are selects with the same columns: a key, and numbers; rows of zeros do not count. */
type Figures = { table: string; kept: string; counted: string }

const SITES = 'JOIN participantSites m ON m.participant = p._id'
const RESPONSES = 'FROM storedResponses r JOIN participants p ON p.key = r.participant'
const OVERDUE = 'FROM overdueForms o JOIN participants p ON p._id = o.participant JOIN stages s ON s._id = o.stage'
const ACTIVE = 'WHERE p.isArchived = 0 AND p.isWithdrawn = 0'
/** Those who wait for a calculation, such as after a change of the configuration, have what was calculated last. */
const CURRENT = 'JOIN trials t ON t._id = p.trial WHERE p.progressDueAt IS NOT 0 AND t.revision = t.progressRevision'
const DAYS = `iif(q.status = 'closed', (c.closedAt - q.createdAt) / 86400000000, q.createdAt / 86400000000)`
const QUERIES =
  'FROM queries q LEFT JOIN queryClosings c ON c.query = q._id JOIN (SELECT 0 AS isAll UNION ALL SELECT 1) k'
const KIND = `iif(k.isAll, '*', coalesce(q.dataType, ''))`

const figures: readonly Figures[] = [
  {
    table: 'siteParticipants',
    kept: 'SELECT site, participant, facets, createdAt, idSort, lastSeenAt, lastMessageAt FROM siteParticipants',
    counted: `SELECT m.site, p._id, p.facets, p.createdAt, p.idSort, p.lastSeenAt, p.lastMessageAt
      FROM participants p ${SITES}`,
  },
  {
    table: 'siteParticipantCounts',
    kept: 'SELECT site, facets, count FROM siteParticipantCounts WHERE count <> 0',
    counted: `SELECT m.site, p.facets, count(*) FROM participants p ${SITES} GROUP BY 1, 2`,
  },
  {
    table: 'trialEnrolment',
    kept: 'SELECT trial, month, enrolled FROM trialEnrolment WHERE enrolled <> 0',
    counted: `SELECT trial, strftime('%Y-%m', createdAt / 1000000, 'unixepoch'), count(*)
      FROM participants WHERE isArchived = 0 GROUP BY 1, 2`,
  },
  {
    table: 'stageFigures',
    kept: 'SELECT stage, site, completed, overdue FROM stageFigures WHERE completed <> 0 OR overdue <> 0',
    counted: `SELECT stage, site, sum(completed), sum(overdue) FROM (
        SELECT r.stage AS stage, '' AS site, count(*) AS completed, 0 AS overdue ${RESPONSES} WHERE p.isArchived = 0 GROUP BY 1
        UNION ALL SELECT r.stage, m.site, count(*), 0 ${RESPONSES} ${SITES} WHERE p.isArchived = 0 GROUP BY 1, 2
        UNION ALL SELECT s.key, '', 0, sum(o.forms) ${OVERDUE} ${ACTIVE} GROUP BY 1
        UNION ALL SELECT s.key, m.site, 0, sum(o.forms) ${OVERDUE} ${SITES} ${ACTIVE} GROUP BY 1, 2)
      GROUP BY 1, 2`,
  },
  {
    table: 'overdueForms',
    kept: `SELECT o.participant, sum(o.forms) FROM overdueForms o JOIN participants p ON p._id = o.participant ${CURRENT} GROUP BY 1`,
    counted: `SELECT p._id, p.stagesBehindSchedule FROM participants p ${CURRENT} AND p.stagesBehindSchedule > 0`,
  },
  {
    table: 'queryClosings',
    kept: 'SELECT query, 1 FROM queryClosings',
    counted: `SELECT _id, 1 FROM queries WHERE status = 'closed'`,
  },
  {
    table: 'queryFigures',
    kept: 'SELECT trial, site, dataType, status, days, queries FROM queryFigures',
    counted: `SELECT q.trial, '', ${KIND}, q.status, ${DAYS}, count(*) ${QUERIES} GROUP BY 1, 2, 3, 4, 5
      UNION ALL SELECT q.trial, m.site, ${KIND}, q.status, ${DAYS}, count(*) ${QUERIES}
        JOIN participantSites m ON m.participant = q.participant GROUP BY 1, 2, 3, 4, 5`,
  },
]

const rowWithout = (sqlite: Sqlite, from: string, other: string) =>
  sqlite.query<Record<string, unknown>, []>(`SELECT * FROM (${from}) EXCEPT SELECT * FROM (${other}) LIMIT 1`).get()

/** Compares all figures with the rows that they count. Returns how many kinds there are. @throws a fault that names the first that differs */
export function verifyFigures(sqlite: Sqlite): number {
  for (const { table, kept, counted } of figures) {
    const [wrong, missing] = [rowWithout(sqlite, kept, counted), rowWithout(sqlite, counted, kept)]
    if (wrong) throw fault(`${table}: ${JSON.stringify(Object.values(wrong))} is kept, but was not counted`)
    if (missing) throw fault(`${table}: ${JSON.stringify(Object.values(missing))} was counted, but is not kept`)
  }
  return figures.length
}

/** Tables that other code maintains: the recalculation of timelines, and the closing of a query. */
const KEPT_BY_OTHERS = ['overdueForms', 'queryClosings']

/** Counts all figures again. Call it in a transaction. */
export function repairFigures(sqlite: Sqlite): void {
  for (const { table, kept, counted } of figures) {
    if (KEPT_BY_OTHERS.includes(table)) continue
    const columns = /^SELECT (.*) FROM/.exec(kept)![1]
    sqlite.run(`DELETE FROM ${table}`)
    sqlite.run(`INSERT INTO ${table} (${columns}) ${counted}`)
  }
}
