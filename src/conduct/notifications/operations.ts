/** Notifications to many participants at once (docs/messages.md, "Notifications to many"). */
import { type Access, type Staff, scopeOf, visibleScopeOf } from '#access/caller'
import { placeVisibleTo } from '#access/places'
import { searchOf } from '#conduct/participants/search'
import { idsOutsideTrial } from '#conduct/participants/store'
import type { Db } from '#db/open'
import { trial } from '#design/trials/scope'
import type { SharedTrial } from '#design/trials/store'
import { anywhere, type Note, operation, type RequestContext } from '#http/operation'
import { insertJob } from '#jobs/queue'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { at, type Reason, reason } from '#kernel/refusals/reason'
import type { ValueOf } from '#wire/schema'
import { notifyParticipants } from './job'
import { NewNotification, NotificationCounts, NotificationQuery } from './model'
import { type Notification, notify } from './send'
import { countsOf, countWithin, queueRecipients, recipientsOf, type Selection } from './store'

/** The most participants who are notified before the answer. */
const FEW = 100

const filterRefusal = (filter: string, problem: Reason) => refuse.invalid({ filter: [at(filter, problem)] })

/**
 * The participants whom a request chooses, as far as the caller administers them.
 * @throws 422 if it chooses no participants, 404 for a participant or group that the caller cannot see, 403 for a participant whom the
 * caller does not administer
 */
function selectionOf(db: Db, trial: Id, access: Access, body: ValueOf<typeof NewNotification>): Selection {
  const { participants, groups = [], filter } = body
  if (!participants && !body.groups && !filter) throw refuse.invalid({ participants: [reason('nobodyChosen')] })
  const scope = scopeOf(access, ['admin'])
  const ids = [...new Set(participants)]
  if (countWithin(db, trial, ids, visibleScopeOf(access)) < ids.length) throw refuse.missing('participant')
  if (countWithin(db, trial, ids, scope) < ids.length) throw refuse.missingPermission(['trial.admin'])
  const isKnown = groups.every((group) => placeVisibleTo(access, 'group', group))
  if (!isKnown || idsOutsideTrial(db, 'groups', trial, groups).length) throw refuse.missing('group')
  const search = filter && searchOf(trial, scope, filter, filterRefusal)
  return { trial, participants: ids, groups, scope, ...(search && { search }) }
}

type SendContext = Pick<RequestContext<Staff>, 'db' | 'now' | 'id' | 'caller'> & {
  trial: SharedTrial
  record(note: Note): void
}

/** Notifies the participants of a selection now, or by a job if they are many. Returns the `_id` of the job, else null. */
function sendOrQueue(
  { db, now, id, caller: { user }, trial, record }: SendContext,
  selection: Selection,
  content: Omit<Notification, 'user'>,
  recipients: number,
): Id | null {
  if (recipients <= FEW) {
    notify(db, now, trial, recipientsOf(db, selection), { ...content, user: user._id }, (participant, event) =>
      record({ type: 'notifyParticipant', participant, event }),
    )
    return null
  }
  const input = { ...content, sendVia: [...content.sendVia], count: recipients, sent: 0 }
  const job = { _id: id(), createdAt: now, user: user._id, trial: trial._id, input }
  const { jobId } = insertJob(db, notifyParticipants, job)
  queueRecipients(db, jobId, selection)
  return jobId
}

const notifyMany = operation({
  id: 'notifyParticipants',
  method: 'POST',
  path: '/trials/:trialId/participants/notifications',
  summary: 'Notify many participants at once',
  description:
    'Everybody is notified once, however often they are chosen. Archived and withdrawn participants are left out. More than 100 are notified by a job.',
  scope: trial,
  needs: anywhere('trial.admin'),
  logs: ({ preview }) => (preview ? undefined : 'sendNotification'),
  body: NewNotification,
  query: NotificationQuery,
  returns: NotificationCounts,
  run: (context) => {
    const { db, trial, access, body, query, record } = context
    const { message, sendVia = ['push'], groups, filter } = body
    const selection = selectionOf(db, trial._id, access, body)
    const { recipients, skipped, unreachable, ...reached } = countsOf(db, selection, sendVia)
    const jobId = query.preview ? null : sendOrQueue(context, selection, { message, sendVia }, recipients)
    // Neither the participants, nor part of their IDs, nor how many they are: readers of the log may see only some of them. Nor the
    // text, which may be personal: each participant has it in the thread, where it can be erased.
    const { term: _, ...others } = filter ?? {}
    record({ event: { sendVia, groups, filter: filter && others, ...(jobId && { jobId }) } })
    return { recipients, skipped, reached, unreachable, jobId }
  },
})

export const notificationOperations = [notifyMany] as const
