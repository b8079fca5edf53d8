/** The people to whom visits and issues are assigned. */
import { writerOf } from '#design/trials/notices'
import type { Trial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { type Instant, instantText } from '#kernel/time'
import { mailEach } from '#outbox/post'
import { joined, type Writer, type Written } from '#texts/write'

/** Each of them once, and those of them who were not assigned before. */
export function assigned(people: readonly Id[] | undefined, before: readonly Id[] = []) {
  const assignees = people && [...new Set(people)]
  return { assignees, added: (assignees ?? []).filter((user) => !before.includes(user)) }
}

type Context = Pick<RequestContext, 'db' | 'now'> & {
  caller: { user: { _id: Id; name: string } }
  trial: Trial
}

/** Sends an e-mail to these people, except to the caller. @param text writes it in the language of one of them */
function mail(
  { db, now, caller, trial }: Context,
  people: readonly Id[],
  text: (writer: Writer) => { subject: Written; body: Written },
): void {
  const others = people.filter((_id) => _id !== caller.user._id)
  if (others.length) mailEach(db, now, trial._id, others, (language) => text(writerOf(trial, language)))
}

const minuteText = (at: Instant) => instantText(at).slice(0, 16).replace('T', ' ')

type AboutVisit = { id: string; siteName: string; scheduledAt: Instant | null }

/** Tells people that a visit was assigned to them. The e-mail does not contain the notes. */
export const mailVisit = (context: Context, { id, siteName, scheduledAt }: AboutVisit, people: readonly Id[]): void =>
  mail(context, people, ({ write }) => {
    const [user, trial] = [context.caller.user.name, context.trial.name]
    const body = write('visitAssigned.body', { user, trial, site: siteName, visit: id })
    const when = scheduledAt === null ? [] : [write('visitAssigned.when', { when: minuteText(scheduledAt) })]
    return { subject: write('visitAssigned.subject', { trial }), body: joined(body, ...when) }
  })

type AboutIssue = { siteName: string; visit: string }

/** Tells people that an issue was assigned to them. The e-mail does not say what the issue is: it may name a participant. */
export const mailIssue = (context: Context, { siteName, visit }: AboutIssue, people: readonly Id[]): void =>
  mail(context, people, ({ write }) => {
    const [user, trial] = [context.caller.user.name, context.trial.name]
    return {
      subject: write('issueAssigned.subject', { trial }),
      body: write('issueAssigned.body', { user, trial, site: siteName, visit }),
    }
  })
