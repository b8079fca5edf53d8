/** The models of tasks and of the lanes of their board (docs/review.md, "Tasks"). */
import {
  flag,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

export const statuses = ['pending', 'completed'] as const
export type TaskStatus = (typeof statuses)[number]

export const TaskInput = shape('TaskInput', {
  title: text(1, 500),
  description: maybe(orNull(text(0, 5000))),
  taskLane: maybe(id('The lane; by default the first one without `isCompleteLane`.')),
  index: maybe(withDescription('Position within the lane, from 0; by default the end.', whole(0))),
  status: maybe(withDescription('In a lane with `isCompleteLane` every task is completed.', oneOf(...statuses))),
  assignees: maybe(
    withDescription('They must be able to read the task. New assignees get an e-mail.', list(id(), 1000)),
  ),
  dueDate: maybe(orNull(instant())),
})
export type TaskInput = ValueOf<typeof TaskInput>

export const Task = joinShapes(
  'Task',
  shape({
    _id: id(),
    createdAt: instant(),
    createdBy: withDescription('Null for a task that a submission created.', orNull(id())),
    completedAt: orNull(instant()),
    trial: id(),
    participant: withDescription('The participant whose submission created it; else null.', orNull(id())),
  }),
  TaskInput,
)

/** The most tasks in a page, and the default: few boards need a second page. */
export const PAGE = 1000

export const TaskFilter = shape({
  taskLane: maybe(id()),
  page: maybe(whole(1, 1_000_000)),
  perPage: maybe(withDescription(`The default is ${PAGE}.`, whole(1, PAGE))),
})

export const Tasks = shape('Tasks', { tasks: list(Task, PAGE), page: whole(1), nextPageAvailable: flag() })

export const LaneInput = shape('TaskLaneInput', {
  name: oneLine(1, 100),
  description: maybe(orNull(text(0, 2000))),
  index: maybe(withDescription('Position on the board, from 0; by default the end.', whole(0))),
  isCompleteLane: maybe(withDescription('Whether the tasks in it are completed.', flag())),
})

export const Lane = joinShapes('TaskLane', shape({ _id: id(), createdAt: instant(), trial: id() }), LaneInput)

export const Lanes = shape('TaskLanes', { lanes: list(Lane) })
