/** The people to whom visits and issues are assigned. */
import { writerOf } from '#design/trials/notices'
import type { Trial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { type Instant, instantText } from '#kernel/time'
import { mailUsers } from '#outbox/messages'
import { joinTexts, type SendableText, type Writer } from '#texts/writer'

/** Each of them once, and those of them who were not assigned before. */
export function assigneeChange(people: readonly Id[] | undefined, before: readonly Id[] = []) {
  const assignees = people && [...new Set(people)]
  return { assignees, added: (assignees ?? []).filter((user) => !before.includes(user)) }
}

type MailContext = Pick<RequestContext, 'db' | 'now'> & {
  caller: { user: { _id: Id; name: string } }
  trial: Trial
}

/** Sends an e-mail to these people, except to the caller. @param text writes it in the language of one of them */
function mailPeople(
  { db, now, caller, trial }: MailContext,
  people: readonly Id[],
  text: (writer: Writer) => { subject: SendableText; body: SendableText },
): void {
  const others = people.filter((_id) => _id !== caller.user._id)
  if (others.length) mailUsers(db, now, trial._id, others, (language) => text(writerOf(trial, language)))
}

const minuteText = (at: Instant) => instantText(at).slice(0, 16).replace('T', ' ')

type VisitSummary = { id: string; siteName: string; scheduledAt: Instant | null }

/** Notifies people that a visit was assigned to them. The e-mail does not contain the notes. */
export const mailVisit = (
  context: MailContext,
  { id, siteName, scheduledAt }: VisitSummary,
  people: readonly Id[],
): void =>
  mailPeople(context, people, ({ write }) => {
    const [user, trial] = [context.caller.user.name, context.trial.name]
    const body = write('visitAssigned.body', { user, trial, site: siteName, visit: id })
    const when = scheduledAt === null ? [] : [write('visitAssigned.when', { when: minuteText(scheduledAt) })]
    return { subject: write('visitAssigned.subject', { trial }), body: joinTexts(body, ...when) }
  })

type IssueSummary = { siteName: string; visit: string }

/** Notifies people that an issue was assigned to them. The e-mail does not say what the issue is: it may name a participant. */
export const mailIssue = (context: MailContext, { siteName, visit }: IssueSummary, people: readonly Id[]): void =>
  mailPeople(context, people, ({ write }) => {
    const [user, trial] = [context.caller.user.name, context.trial.name]
    return {
      subject: write('issueAssigned.subject', { trial }),
      body: write('issueAssigned.body', { user, trial, site: siteName, visit }),
    }
  })
