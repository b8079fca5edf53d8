import type { Sqlite } from '#db/open'

/** The number of jobs of each status. A pending job that was started counts as `running`. */
export const jobCounts = (sqlite: Sqlite) =>
  sqlite
    .query<{ status: string; jobs: number }, []>(
      `SELECT CASE WHEN status = 'pending' AND startedAt IS NOT NULL THEN 'running' ELSE status END AS status,
       count(*) AS jobs FROM jobs GROUP BY 1`,
    )
    .all()

/** The number of webhooks of each state; one that a person switched off is `off`. */
export const webhookCounts = (sqlite: Sqlite) =>
  sqlite
    .query<{ state: string; webhooks: number }, []>(
      `SELECT CASE WHEN isEnabled = 0 THEN iif(disabledReason IS NULL, 'off', 'disabled')
         WHEN failures > 0 THEN 'failing' ELSE 'working' END AS state, count(*) AS webhooks FROM webhooks GROUP BY 1`,
    )
    .all()

type WaitingCounts = { deliveries: number; payments: number; orders: number }

/** How many deliveries to enabled webhooks, payments of rules and orders of gift cards wait. Each is counted in an index of what waits. */
export const waitingCounts = (sqlite: Sqlite): WaitingCounts =>
  sqlite
    .query<WaitingCounts, []>(
      `SELECT (SELECT count(*) FROM webhooks w JOIN webhookDeliveries d ON d.webhook = w._id AND d.status = 'waiting'
           WHERE w.isEnabled = 1) AS deliveries,
         (SELECT count(*) FROM incentives WHERE status = 'waiting') AS payments,
         (SELECT count(*) FROM incentiveOrders WHERE dueAt IS NOT NULL) AS orders`,
    )
    .get() ?? { deliveries: 0, payments: 0, orders: 0 }
