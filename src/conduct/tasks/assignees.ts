import { holds } from '#access/caller'
import { accessOf } from '#access/identify'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import { writerOf } from '#design/trials/notices'
import type { SharedTrial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { instantText } from '#kernel/time'
import { mailUsers } from '#outbox/messages'
import { joinTexts } from '#texts/writer'
import { isTaskVisible, type TaskRow, tasksVisibleTo } from './store'

/** Refuses (400) people who could not read the task. A new task has no participant. */
export function requireReaders(db: Db, trial: SharedTrial, people: readonly Id[], task?: TaskRow): void {
  const strangers = people.filter((user) => {
    const access = accessOf(db, user).trials.get(trial._id)
    if (!access || !holds(access, 'readTasks')) return true
    return task?.participant != null && !isTaskVisible(db, task._id, tasksVisibleTo(access, configuration(db, trial)))
  })
  if (strangers.length) throw refuse.bad('taskAssignees', { count: strangers.length }, { strangers })
}

type AssignContext = Pick<RequestContext, 'db' | 'now'> & {
  caller: { user: { _id: Id; name: string } }
  trial: SharedTrial
}

/** Sends an e-mail to people to whom a task was assigned, except to the caller. It does not contain the description. */
export function mailAssignees({ db, now, caller, trial }: AssignContext, task: TaskRow, people: readonly Id[]): void {
  const { user } = caller
  const others = people.filter((_id) => _id !== user._id)
  if (!others.length) return
  mailUsers(db, now, trial._id, others, (language) => {
    const { write } = writerOf(trial, language)
    const body = write('taskAssigned.body', { user: user.name, trial: trial.name, task: task.title })
    const due = task.dueDate === null ? null : instantText(task.dueDate).slice(0, 16).replace('T', ' ')
    return {
      subject: write('taskAssigned.subject', { trial: trial.name }),
      body: due === null ? body : joinTexts(body, write('taskAssigned.due', { due })),
    }
  })
}
