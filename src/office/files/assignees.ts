import { accessOf } from '#access/identify'
import type { Db } from '#db/open'
import { writerOf } from '#design/trials/notices'
import type { Trial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { mailUsers } from '#outbox/messages'
import { visibleVersionsOf } from './rules'
import type { FileRow } from './store'

/** Refuses (400) people who could not read the file. */
export function requireReaders(
  db: Db,
  trial: Pick<Trial, '_id'>,
  file: Pick<FileRow, 'site' | 'approved'>,
  people: readonly Id[],
): void {
  const strangers = people.filter((user) => {
    const access = accessOf(db, user).trials.get(trial._id)
    return !access || visibleVersionsOf(access, file) === 'nothing'
  })
  if (strangers.length) throw refuse.bad('fileAssignees', { count: strangers.length }, { strangers })
}

type AssignContext = Pick<RequestContext, 'db' | 'now'> & {
  caller: { user: { _id: Id; name: string } }
  trial: Trial
}

/** Sends an e-mail to people to whom a file was assigned, except to the caller. It names the file. */
export function mailAssignees({ db, now, caller, trial }: AssignContext, name: string, people: readonly Id[]): void {
  const { user } = caller
  const others = people.filter((_id) => _id !== user._id)
  if (!others.length) return
  mailUsers(db, now, trial._id, others, (language) => {
    const { write } = writerOf(trial, language)
    return {
      subject: write('fileAssigned.subject', { trial: trial.name }),
      body: write('fileAssigned.body', { user: user.name, trial: trial.name, file: name }),
    }
  })
}
