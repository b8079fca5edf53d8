/** The triggers behind the figures of queries on dashboards. A participant's queries are subtracted before they are deleted. */
import { joinStatements, trigger } from './builders'

const DAY = 86_400_000_000

/** The day, or how many days, of a query; `closing` is the SQL of when it was closed. */
const daysOf = (row: string, closing: string) =>
  `iif(${row}.status = 'closed', (${closing} - ${row}.createdAt) / ${DAY}, ${row}.createdAt / ${DAY})`
const closingOf = (row: string) => `(SELECT closedAt FROM queryClosings WHERE query = ${row}._id)`

const addQueries = (select: string) => `INSERT INTO queryFigures (trial, site, dataType, status, days, queries)
    ${select}
    ON CONFLICT (trial, site, dataType, status, days) DO UPDATE SET queries = queries + excluded.queries`

/** A query counts twice: for its data type, and for all data types together, which readers with access to all data types use. */
const countTwice = (row: string, add: (dataType: string) => string) =>
  joinStatements(add(`coalesce(${row}.dataType, '')`), add(`'*'`))

const columns = (row: string, site: string, dataType: string) =>
  `${row}.trial, ${site}, ${dataType}, ${row}.status, ${daysOf(row, closingOf(row))}`

const inTrial = (row: string, by: string) =>
  countTwice(row, (dataType) =>
    addQueries(`SELECT ${columns(row, `''`, dataType)}, ${by} FROM trials t WHERE t._id = ${row}.trial`),
  )
/** For each site of the participant of a query. There is no site if the query has no participant, or the participant is being deleted. */
const inSites = (row: string, by: string) =>
  countTwice(row, (dataType) =>
    addQueries(`SELECT ${columns(row, 'm.site', dataType)}, ${by} FROM trials t JOIN participants p
      JOIN participantSites m ON m.participant = p._id WHERE t._id = ${row}.trial AND p._id = ${row}.participant`),
  )

/** All queries of a participant, for their sites or for one. */
const allQueries = (participant: string, sites: string, by: string) =>
  countTwice('q', (dataType) =>
    addQueries(`SELECT ${columns('q', 'm.site', dataType)}, ${by} FROM queries q JOIN trials t ON t._id = q.trial JOIN ${sites}
    WHERE q.participant = ${participant} GROUP BY 2, 3, 4, 5`),
  )
const oneSite = (row: string) => `(SELECT _id AS site FROM sites WHERE _id = ${row}.site) m`

export const queryFigureTriggers: readonly string[] = [
  trigger('queriesFigureInsert', 'AFTER INSERT', 'queries', joinStatements(inTrial('NEW', '1'), inSites('NEW', '1'))),
  trigger(
    'queriesFigureStatus',
    'AFTER UPDATE OF status',
    'queries',
    joinStatements(
      inTrial('OLD', '-1'),
      inSites('OLD', '-1'),
      'DELETE FROM queryClosings WHERE query = OLD._id',
      `INSERT INTO queryClosings (query, closedAt) SELECT NEW._id, NEW.updatedAt WHERE NEW.status = 'closed'`,
      inTrial('NEW', '1'),
      inSites('NEW', '1'),
    ),
    'NEW.status <> OLD.status',
  ),
  trigger(
    'queriesFigureMove',
    'AFTER UPDATE OF participant',
    'queries',
    joinStatements(inSites('OLD', '-1'), inSites('NEW', '1')),
    'NEW.participant IS NOT OLD.participant',
  ),
  trigger(
    'queriesFigureDelete',
    'BEFORE DELETE',
    'queries',
    joinStatements(inTrial('OLD', '-1'), inSites('OLD', '-1')),
  ),
  trigger(
    'participantSitesQueriesInsert',
    'AFTER INSERT',
    'participantSites',
    allQueries('NEW.participant', oneSite('NEW'), 'count(*)'),
  ),
  trigger(
    'participantSitesQueriesDelete',
    'AFTER DELETE',
    'participantSites',
    allQueries('OLD.participant', oneSite('OLD'), '-count(*)'),
    'EXISTS (SELECT 1 FROM participants WHERE _id = OLD.participant)',
  ),
  trigger(
    'participantsQueriesDelete',
    'BEFORE DELETE',
    'participants',
    allQueries('OLD._id', 'participantSites m ON m.participant = q.participant', '-count(*)'),
  ),
  trigger('sitesQueriesDelete', 'AFTER DELETE', 'sites', 'DELETE FROM queryFigures WHERE site = OLD._id'),
  trigger(
    'queryFiguresEnd',
    'AFTER UPDATE OF queries',
    'queryFigures',
    `DELETE FROM queryFigures WHERE trial = NEW.trial AND site = NEW.site AND dataType = NEW.dataType
    AND status = NEW.status AND days = NEW.days`,
    'NEW.queries = 0',
  ),
]
