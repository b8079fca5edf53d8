/** Counts the responses of an export before they are read. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { includesUnowned, KEPT, type Source } from './store'
import type { Filters } from './task'

/** Moments before and after all that can be stored. */
const [FIRST, LAST] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]

/** The SQL of whether answers, status or place of a response changed between `$from` and before `$before`. */
const changedBetween = (response: string) => `(
  EXISTS (SELECT 1 FROM storedSubmissions s WHERE s.response = ${response} AND s.at >= $from AND s.at < $before)
  OR EXISTS (SELECT 1 FROM responseEvents e WHERE e.response = ${response} AND e.at >= $from AND e.at < $before
    AND e.type IN ('status', 'moved')))`

/** Whether a response was changed between two moments, the second excluded. */
export const changedIn = (db: Db, response: Id, from: Instant, before: Instant): boolean =>
  db.$client
    .query<{ is: number }, [{ response: Id; from: Instant; before: Instant }]>(
      `SELECT ${changedBetween('$response')} AS "is"`,
    )
    .get({ response, from, before })!.is === 1

/**
 * The number of responses that an export includes whose participants are kept. It is read from an index, hence CROSS JOIN, unless
 * filters ask about the responses.
 */
export const countKept = (
  { db, stages, ...source }: Source & { stages: readonly { _id: Id }[] },
  { from, before, status }: Filters = {},
): number => {
  const asks = from !== undefined || before !== undefined || status !== undefined
  const filter = asks
    ? `AND (r.createdAt >= $from AND r.createdAt < $before OR r.updatedAt >= $from AND r.updatedAt < $before
         OR r.createdAt < $from AND r.updatedAt >= $before AND ${changedBetween('r._id')})
       AND ($status IS NULL OR coalesce(r.status, 'none') IN (SELECT value FROM json_each($status)))`
    : ''
  return db.$client
    .query<{ count: number }, [Record<string, string | number | boolean | null>]>(
      `WITH included AS MATERIALIZED (SELECT key FROM stages WHERE _id IN (SELECT value FROM json_each($stages)))
       SELECT (SELECT count(*) FROM ${KEPT} k CROSS JOIN participants p ON p._id = k.participant
          CROSS JOIN storedResponses r ON r.participant = p.key WHERE r.stage IN included ${filter})
        + (SELECT count(*) FROM storedResponses r WHERE $isUnownedIncluded AND r.participant IS NULL
          AND r.stage IN included ${filter}) AS count`,
    )
    .get({
      stages: JSON.stringify(stages.map(({ _id }) => _id)),
      isUnownedIncluded: includesUnowned(source),
      ...(asks ? { from: from ?? FIRST, before: before ?? LAST, status: status ? JSON.stringify(status) : null } : {}),
    })!.count
}
