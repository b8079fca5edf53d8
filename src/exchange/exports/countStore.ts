/** Counts the responses of an export before they are read. */
import type { Id } from '#kernel/id'
import { includesUnowned, KEPT, type Source } from './store'
import type { Filters } from './task'

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
    ? `AND r.createdAt >= coalesce($from, r.createdAt) AND r.createdAt < coalesce($before, r.createdAt + 1)
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
      ...(asks ? { from: from ?? null, before: before ?? null, status: status ? JSON.stringify(status) : null } : {}),
    })!.count
}
