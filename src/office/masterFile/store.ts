/** The files of a report or a zip in the order of their places and types, kept in temporary tables: memory does not grow with them. */
import type { Db } from '#db/open'
import { rowsFrom } from '#db/rows'
import { masterFiles } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { fileTypes } from '#office/files/model'
import type { FileScope } from '#office/files/rules'
import type { FileRow } from '#office/files/store'

/** A connection performs one task at a time, and so has one of each table at most. */
const LISTED = 'temp.listedFiles'
const ARCHIVED = 'temp.archivedVersions'

export function dropLists({ $client }: Db): void {
  for (const table of [LISTED, ARCHIVED]) $client.run(`DROP TABLE IF EXISTS ${table}`)
}

/**
 * Lists the files that a reader sees at these places, in their order, then by type and name. Returns how many there are.
 * @param places sites; the trial's own `_id` for the files of the whole trial
 */
export function listFiles(db: Db, trial: Id, places: readonly Id[], { whole }: FileScope): number {
  dropLists(db)
  db.$client.run(`CREATE TABLE ${LISTED} (n INTEGER PRIMARY KEY, file TEXT NOT NULL) STRICT`)
  const seen = whole === 'all' ? '' : 'AND (f.approved IS NOT NULL OR f.site IN (SELECT value FROM json_each($whole)))'
  const { changes } = db.$client
    .query<unknown, [Record<string, string>]>(
      `INSERT INTO ${LISTED} (file)
       SELECT f._id FROM json_each($places) p CROSS JOIN json_each($types) t
         CROSS JOIN masterFiles f INDEXED BY masterFilesByPlace
         ON coalesce(f.site, f.trial) = p.value AND f.type = t.value
       WHERE f.trial = +$trial ${seen}
       ORDER BY p.key, t.key, f.folded, f._id`,
    )
    .run({
      ...{ trial, places: JSON.stringify(places), types: JSON.stringify(fileTypes) },
      ...(whole === 'all' ? {} : { whole: JSON.stringify(whole) }),
    })
  return changes
}

/** The listed files after a number, in order. */
export function listedAfter(db: Db, after: number, limit: number): FileRow[] {
  const ids = db.$client
    .query<{ file: Id }, [{ after: number; limit: number }]>(
      `SELECT file FROM ${LISTED} WHERE n > +$after ORDER BY n LIMIT +$limit`,
    )
    .all({ after, limit })
    .map(({ file }) => file)
  const rows = rowsFrom(db, masterFiles, 'WHERE _id IN (SELECT value FROM json_each($ids))', {
    ids: JSON.stringify(ids),
  })
  const byId = new Map(rows.map((row) => [row._id, row]))
  return ids.flatMap((_id) => byId.get(_id) ?? [])
}

/** What one person decided about a version, or that they were asked. `byLink` is 1 or 0. */
export type Review = {
  version: Id
  /** Of the request: open, approved, rejected, withdrawn or stale. */
  request: string
  requestedAt: number
  approver: string
  role: string | null
  decision: 'approved' | 'rejected' | null
  decidedAt: number | null
  comment: string | null
  byLink: number | null
}

/** The reviews of versions of these files; readers who do not see all versions get those of requests that ended with an approval. */
export function reviewsOf(db: Db, files: readonly { _id: Id; isWhole: boolean }[]): Map<Id, Review[]> {
  const ids = (only: typeof files) => JSON.stringify(only.map(({ _id }) => _id))
  const rows = db.$client
    .query<Review, [{ files: string; whole: string }]>(
      `SELECT r.version, r.status AS request, r.createdAt AS requestedAt, coalesce(a.name, a.email) AS approver, a.role,
         a.decision, a.decidedAt, a.comment, a.byLink
       FROM json_each($files) j CROSS JOIN fileApprovals r ON r.file = j.value CROSS JOIN fileApprovers a ON a.approval = r._id
       WHERE r.status = 'approved' OR r.file IN (SELECT value FROM json_each($whole))
       ORDER BY r._id, a._id`,
    )
    .all({ files: ids(files), whole: ids(files.filter(({ isWhole }) => isWhole)) })
  return Map.groupBy(rows, ({ version }) => version)
}

/** A line of the index of a zip. `path`, `storedName` and `sha256` are null if there is nothing to put into the zip. */
export type ArchivedRow = {
  n: number
  path: string | null
  storedName: string | null
  sha256: string | null
  /** What the index says of it, as JSON. */
  cells: string
}

export const createArchived = ({ $client }: Db) =>
  $client.run(`CREATE TABLE ${ARCHIVED}
    (n INTEGER PRIMARY KEY, path TEXT, storedName TEXT, sha256 TEXT, cells TEXT NOT NULL) STRICT`)

export const keepArchived = (db: Db, row: Omit<ArchivedRow, 'n'>): void =>
  void db.$client
    .query<unknown, [Omit<ArchivedRow, 'n'>]>(
      `INSERT INTO ${ARCHIVED} (path, storedName, sha256, cells) VALUES ($path, $storedName, $sha256, $cells)`,
    )
    .run(row)

/** All lines of the index, in order, read in pages. */
export function* archivedRows(db: Db): Generator<ArchivedRow> {
  const page = db.$client.query<ArchivedRow, [{ after: number }]>(
    `SELECT * FROM ${ARCHIVED} WHERE n > $after ORDER BY n LIMIT 200`,
  )
  for (let after = 0; ; ) {
    const rows = page.all({ after })
    if (!rows.length) return
    yield* rows
    after = rows.at(-1)!.n
  }
}
