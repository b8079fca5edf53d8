import type { Sqlite } from '#db/open'

/** The number of jobs of each status. A pending job that was started counts as `running`. */
export const jobCounts = (sqlite: Sqlite) =>
  sqlite
    .query<{ status: string; jobs: number }, []>(
      `SELECT CASE WHEN status = 'pending' AND startedAt IS NOT NULL THEN 'running' ELSE status END AS status,
       count(*) AS jobs FROM jobs GROUP BY 1`,
    )
    .all()
