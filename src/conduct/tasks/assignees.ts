import { holds } from '#access/caller'
import { accessOf } from '#access/identify'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import type { Trial } from '#design/trials/store'
import type { Asked } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { instantText } from '#kernel/time'
import { mailEach } from '#outbox/post'
import { isSeen, seenBy, type TaskRow } from './store'

/** Refuses (400) people who could not read the task; a new one is about nobody. */
export function requireReaders(db: Db, trial: Trial, people: readonly Id[], task?: TaskRow): void {
  const strangers = people.filter((user) => {
    const access = accessOf(db, user).trials.get(trial._id)
    if (!access || !holds(access, 'readTasks')) return true
    return task?.participant != null && !isSeen(db, task._id, seenBy(access, configuration(db, trial)))
  })
  if (strangers.length) throw refuse.bad(`${strangers.length} of the assignees cannot read this task.`, { strangers })
}

type Assigning = Pick<Asked, 'db' | 'now'> & { caller: { user: { _id: Id; name: string } }; trial: Trial }

/** Tells people by e-mail that a task was assigned to them; who did it knows. The description stays in the service. */
export function tellAssigned({ db, now, caller, trial }: Assigning, task: TaskRow, people: readonly Id[]): void {
  const { user } = caller
  const others = people.filter((_id) => _id !== user._id)
  if (!others.length) return
  const due = task.dueDate === null ? '' : `Due: ${instantText(task.dueDate).slice(0, 16).replace('T', ' ')} UTC\n`
  mailEach(db, now, trial._id, others, {
    subject: `${trial.name}: a task for you`,
    body: `${user.name} assigned a task to you.\n\nStudy: ${trial.name}\nTask: ${task.title}\n${due}`,
  })
}
