/** The models of tasks and of the lanes of their board (docs/review.md, "Tasks"). */
import * as t from '#wire/schema'

const statuses = ['pending', 'completed'] as const
export type TaskStatus = (typeof statuses)[number]

export const TaskInput = t.shape('TaskInput', {
  title: t.text(1, 500),
  description: t.maybe(t.orNull(t.text(0, 5000))),
  taskLane: t.maybe(t.id('The lane; by default the first one without `isCompleteLane`.')),
  index: t.maybe(t.withDescription('Position within the lane, from 0; by default the end.', t.whole(0))),
  status: t.maybe(t.withDescription('In a lane with `isCompleteLane` every task is completed.', t.oneOf(...statuses))),
  assignees: t.maybe(
    t.withDescription('They must be able to read the task. New assignees get an e-mail.', t.list(t.id(), 1000)),
  ),
  dueDate: t.maybe(t.orNull(t.instant())),
})
export type TaskInput = t.ValueOf<typeof TaskInput>

export const Task = t.joinShapes(
  'Task',
  t.shape({
    _id: t.id(),
    createdAt: t.instant(),
    createdBy: t.withDescription('Null for a task that a submission created.', t.orNull(t.id())),
    completedAt: t.orNull(t.instant()),
    trial: t.id(),
    participant: t.withDescription('The participant whose submission created it; else null.', t.orNull(t.id())),
  }),
  TaskInput,
)

/** The most tasks in a page, and the default: few boards need a second page. */
export const PAGE = 1000

export const TaskFilter = t.shape({
  taskLane: t.maybe(t.id()),
  page: t.maybe(t.whole(1, 1_000_000)),
  perPage: t.maybe(t.withDescription(`The default is ${PAGE}.`, t.whole(1, PAGE))),
})

export const Tasks = t.shape('Tasks', { tasks: t.list(Task, PAGE), page: t.whole(1), nextPageAvailable: t.flag() })

export const LaneInput = t.shape('TaskLaneInput', {
  name: t.oneLine(1, 100),
  description: t.maybe(t.orNull(t.text(0, 2000))),
  index: t.maybe(t.withDescription('Position on the board, from 0; by default the end.', t.whole(0))),
  isCompleteLane: t.maybe(t.withDescription('Whether the tasks in it are completed.', t.flag())),
})

export const Lane = t.joinShapes('TaskLane', t.shape({ _id: t.id(), createdAt: t.instant(), trial: t.id() }), LaneInput)

export const Lanes = t.shape('TaskLanes', { lanes: t.list(Lane) })
