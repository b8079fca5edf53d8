/** Tasks and lanes in the database. Both keep their `index` at 0, 1, 2, … without gaps. */
import { and, asc, eq, isNull, or, type SQL } from 'drizzle-orm'
import type { Access } from '#access/caller'
import { allFieldsOpen, answersVisibleTo } from '#access/visibilityStore'
import type { Db } from '#db/open'
import { deleteById, insert, rowsWhere, updateWhere } from '#db/rows'
import { taskLanes, tasks } from '#db/tables/index'
import type { Configuration } from '#design/configuration/configuration'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type TaskRow = typeof tasks.$inferSelect
export type LaneRow = typeof taskLanes.$inferSelect

/** The lanes of a trial in order. */
export const lanesOf = (db: Db, trial: Id): LaneRow[] => rowsWhere(db, taskLanes, { trial }, 'index', '_id')

export const insertLane = (db: Db, lane: typeof taskLanes.$inferInsert): LaneRow => insert(db, taskLanes, lane)

/**
 * The SQL condition that a task is visible; undefined if all are. A task that a submission created reveals that it was sent
 * and how it scored. It is visible to readers who may see the participant's study data and all fields that counted.
 */
export function tasksVisibleTo(
  access: Access,
  configuration: Pick<Configuration, 'withInheritedFlags'>,
): SQL | undefined {
  const about = answersVisibleTo(access, configuration, tasks.participant, allFieldsOpen(tasks.scored))
  return about && or(isNull(tasks.participant), about)
}

/** Whether the task meets the condition of `tasksVisibleTo`. */
export const isTaskVisible = (db: Db, task: Id, visible: SQL | undefined): boolean =>
  !visible ||
  db
    .select({ _id: tasks._id })
    .from(tasks)
    .where(and(eq(tasks._id, task), visible))
    .get() !== undefined

/** Tasks of a trial, or of one of its lanes, by lane and index. */
export const tasksIn = (
  db: Db,
  trial: Id,
  lane: Id | undefined,
  visible: SQL | undefined,
  limit: number,
  offset: number,
): TaskRow[] =>
  db
    .select({ task: tasks })
    .from(taskLanes)
    .innerJoin(tasks, eq(tasks.taskLane, taskLanes._id))
    .where(and(eq(taskLanes.trial, trial), lane === undefined ? undefined : eq(taskLanes._id, lane), visible))
    .orderBy(asc(taskLanes.index), asc(tasks.index))
    .limit(limit)
    .offset(offset)
    .all()
    .map(({ task }) => task)

/** The number of tasks in a lane. It is the last index plus one, because indexes have no gaps. */
export const taskCountOf = (db: Db, lane: Id): number =>
  db.$client
    .query<{ size: number }, [{ lane: Id }]>(
      'SELECT coalesce(max("index") + 1, 0) AS size FROM tasks WHERE taskLane = $lane AND "index" >= 0',
    )
    .get({ lane })!.size

/** Moves the tasks of a lane from an index on by one: `1` makes room there, `-1` closes the gap before it. */
const shift = (db: Db, lane: Id, from: number, by: 1 | -1) =>
  db.$client
    .query<unknown, [{ lane: Id; from: number; by: number }]>(
      'UPDATE tasks SET "index" = "index" + $by WHERE taskLane = $lane AND "index" >= $from',
    )
    .run({ lane, from, by })

/** Makes room in a lane at `at`, or at the end if `at` is larger or undefined. Returns the index. */
function makeRoom(db: Db, lane: Id, at = Infinity): number {
  const size = taskCountOf(db, lane)
  if (at >= size) return size
  shift(db, lane, at, 1)
  return at
}

/** Inserts a task into its lane at `at`, or at the end. */
export const insertTask = (db: Db, task: Omit<TaskRow, 'index'>, at?: number): TaskRow =>
  insert(db, tasks, { ...task, index: makeRoom(db, task.taskLane, at) })

/** Moves a task to `at` in this lane, which may be its own. Meanwhile its index is -1, which other tasks do not count. */
export function moveTask(db: Db, { _id, taskLane, index }: TaskRow, lane: Id, at?: number): void {
  const place = (index: number) => updateWhere(db, tasks, { _id }, { taskLane: lane, index })
  place(-1)
  shift(db, taskLane, index + 1, -1)
  place(makeRoom(db, lane, at))
}

export function deleteTask(db: Db, { _id, taskLane, index }: TaskRow): void {
  deleteById(db, tasks, _id)
  shift(db, taskLane, index + 1, -1)
}

/** Completes all tasks of a lane, or makes them pending again. Returns the `_id`s of the changed tasks. */
export function setLaneStatus(db: Db, lane: Id, isComplete: boolean, now: Instant): Id[] {
  const [from, to] = isComplete ? (['pending', 'completed'] as const) : (['completed', 'pending'] as const)
  const changed = rowsWhere(db, tasks, { taskLane: lane, status: from })
  updateWhere(db, tasks, { taskLane: lane, status: from }, { status: to, completedAt: isComplete ? now : null })
  return changed.map(({ _id }) => _id)
}
