import type { Sqlite } from '#db/open'

/** How many jobs there are of each status; of those pending, the ones that were started are running. */
export const jobCounts = (sqlite: Sqlite) =>
  sqlite
    .query<{ status: string; jobs: number }, []>(
      `SELECT CASE WHEN status = 'pending' AND startedAt IS NOT NULL THEN 'running' ELSE status END AS status,
       count(*) AS jobs FROM jobs GROUP BY 1`,
    )
    .all()
