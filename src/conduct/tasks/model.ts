/** The models of tasks and of the lanes of their board (docs/review.md, "Tasks"). */
import {
  flag,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  type Of,
  oneOf,
  orNull,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/words'

export const statuses = ['pending', 'completed'] as const
export type TaskStatus = (typeof statuses)[number]

export const TaskInput = shape({
  title: text(1, 500),
  description: maybe(orNull(text(0, 5000))),
  taskLane: maybe(id('The lane; the first that is not complete when left out.')),
  index: maybe(withDescription('Position within the lane; the end when left out.', whole(0))),
  status: maybe(withDescription('In a complete lane every task is completed.', oneOf(...statuses))),
  assignees: maybe(withDescription('People who can read the task. Who is added is told by e-mail.', list(id(), 1000))),
  dueDate: maybe(orNull(instant())),
})
export type TaskInput = Of<typeof TaskInput>

export const Task = joinShapes(
  shape({
    _id: id(),
    createdAt: instant(),
    createdBy: withDescription('Null where a submission called for it.', orNull(id())),
    completedAt: orNull(instant()),
    trial: id(),
    participant: withDescription('Whose submission called for it.', orNull(id())),
  }),
  TaskInput,
)

/** Tasks in a page. Few boards need a second page. */
export const PAGE = 1000

export const TaskFilter = shape({
  taskLane: maybe(id()),
  page: maybe(whole(1, 1_000_000)),
  perPage: maybe(withDescription(`${PAGE} unless said otherwise.`, whole(1, PAGE))),
})

export const Tasks = shape({ tasks: list(Task, PAGE), page: whole(1), nextPageAvailable: flag() })

export const LaneInput = shape({
  name: text(1, 100),
  description: maybe(orNull(text(0, 2000))),
  index: maybe(withDescription('Position on the board; the end when left out.', whole(0))),
  isCompleteLane: maybe(withDescription('Tasks in it are completed.', flag())),
})

export const Lane = joinShapes(shape({ _id: id(), createdAt: instant(), trial: id() }), LaneInput)

export const Lanes = shape({ lanes: list(Lane) })
