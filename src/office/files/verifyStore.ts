/** What in the master file does not fit together. Rows are read one by one. */
import type { Sqlite } from '#db/open'

type FaultyVersion = { file: string; number: number }

/** A version whose upload is not there, or is not the one that was uploaded. */
export const versionWithoutBytes = (sqlite: Sqlite): FaultyVersion | null =>
  sqlite
    .query<FaultyVersion, []>(
      `SELECT v.file, v.number FROM masterFileVersions v
       LEFT JOIN files f ON f.storedName = v.storedName AND f.kind = 'upload' AND f.finishedAt IS NOT NULL
       WHERE f.size IS NOT v.size OR f.sha256 IS NOT v.sha256 LIMIT 1`,
    )
    .get()

/** A file whose versions are not numbered 1, 2, 3, …, or whose state is not that of its versions. */
export const fileDifferingFromVersions = (sqlite: Sqlite): { _id: string } | null =>
  sqlite
    .query<{ _id: string }, []>(
      `SELECT m._id FROM masterFiles m
       WHERE m.latest <> (SELECT count(*) FROM masterFileVersions WHERE file = m._id)
         OR m.latest <> (SELECT coalesce(max(number), 0) FROM masterFileVersions WHERE file = m._id)
         OR m.status IS NOT (SELECT status FROM masterFileVersions WHERE file = m._id AND number = m.latest)
         OR m.approved IS NOT (SELECT max(number) FROM masterFileVersions WHERE file = m._id AND status = 'approved')
         OR m.approvedUntil IS NOT (SELECT coalesce(expiresAt, '9999-12-31') FROM masterFileVersions
           WHERE file = m._id AND number = m.approved)
       LIMIT 1`,
    )
    .get()

/** A file by whose name, tags and assignees lists are filtered. The last two are JSON, sorted. */
type FilteredFile = {
  _id: string
  name: string
  folded: string
  tags: string
  tagRows: string
  users: string
  userRows: string
}

const rowsOf = (column: string, table: string, also = '') =>
  `(SELECT json_group_array(each) FROM (SELECT ${column} AS each FROM ${table}
     WHERE file = m._id AND trial = m.trial ${also} ORDER BY 1))`

export const filteredFiles = (sqlite: Sqlite): Iterable<FilteredFile> =>
  sqlite
    .query<FilteredFile, []>(
      `SELECT m._id, m.name, m.folded, m.tags, ${rowsOf('tag', 'masterFileTags', 'AND place = coalesce(m.site, m.trial)')} AS tagRows,
         (SELECT json_group_array(value) FROM (SELECT value FROM json_each(m.assignees) ORDER BY 1)) AS users,
         ${rowsOf('user', 'masterFileAssignees')} AS userRows
       FROM masterFiles m`,
    )
    .iterate()

/** How many rows the lists are filtered by, and how many files and versions there are. */
export const counts = (sqlite: Sqlite) =>
  sqlite
    .query<{ files: number; versions: number; tags: number; users: number }, []>(
      `SELECT (SELECT count(*) FROM masterFiles) AS files, (SELECT count(*) FROM masterFileVersions) AS versions,
         (SELECT count(*) FROM masterFileTags) AS tags, (SELECT count(*) FROM masterFileAssignees) AS users`,
    )
    .get()!
