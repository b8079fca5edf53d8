/** Pending tasks of a trial by their due date. */
import { and, asc, eq, gte, isNotNull, lt, type SQL, sql } from 'drizzle-orm'
import { participantInScopes } from '#access/visibilityStore'
import type { Db } from '#db/open'
import { participants, tasks } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { type ParticipantSelection, placesOf } from './people'

/** Due from `from` until before `to`, after the place (`at`, `_id`). */
export type TaskRange = { from: Instant; to: Instant; at: Instant; _id: Id; limit: number }

/** The tasks in order of their due date. With a site or group, only those about its participants. @param visible see `tasksVisibleTo` */
export const tasksByDue = (db: Db, people: ParticipantSelection, visible: SQL | undefined, range: TaskRange) =>
  db
    .select({ task: tasks, participantId: participants.id })
    .from(tasks)
    .leftJoin(participants, eq(participants._id, tasks.participant))
    .where(
      and(
        eq(tasks.trial, people.trial),
        sql`${tasks.status} = 'pending'`,
        isNotNull(tasks.dueDate),
        gte(tasks.dueDate, Math.max(range.from, range.at)),
        lt(tasks.dueDate, range.to),
        sql`(${tasks.dueDate}, ${tasks._id}) > (${range.at}, ${range._id})`,
        participantInScopes(placesOf(people), tasks.participant),
        visible,
      ),
    )
    .orderBy(asc(tasks.dueDate), asc(tasks._id))
    .limit(range.limit)
    .all()
