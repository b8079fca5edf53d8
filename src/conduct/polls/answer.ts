/** Takes the answers to a poll (docs/polls.md). */
import { answerLanguage } from '#conduct/participants/language'
import { receiptOf, submitAnonymously } from '#conduct/responses/anonymousSubmission'
import type { SharedTrial } from '#design/trials/store'
import type { Note, RequestContext } from '#http/operation'
import { type Id, newSecret } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { contactsFor } from './contacts'
import type { PollInput } from './model'
import type { Contact } from './rules'
import { pollIn, requireOpen } from './scope'
import { insertPollAnswer, pollAnswerOf } from './store'

type AnswerContext = RequestContext & {
  trial: Parameters<typeof pollIn>[0]['trial'] & SharedTrial
  poll: Id
  body: PollInput
  /** The contacts in the form in which they are stored. */
  prepared: Contact
  headers: Record<string, string>
  record(note: Note): void
}

type Stage = ReturnType<typeof pollIn>['stage']

/** The link by which the person came. @throws 400 if the poll has no such link */
export function customLinkOf({ customLinks = [] }: Pick<Stage, 'customLinks'>, id: string | null | undefined) {
  if (id == null) return { link: null, linkName: null, attributes: [] }
  const link = customLinks.find((each) => each.id === id)
  if (!link) throw refuse.bad('noSuchLink')
  return { link: link.id, linkName: link.name, attributes: link.attributes ?? [] }
}

/**
 * Stores the answers as a response without a participant. Neither the address nor the device of the sender is kept; contacts only if
 * the poll asks for them.
 * @throws 403 if the poll is closed, 400 for a contact that is missing or not proven, and as any submission
 */
export function answerPoll(context: AnswerContext) {
  const { db, now, trial, poll, body, prepared, record } = context
  const { config, stage } = pollIn(context, answerLanguage({ ...context, participant: { language: null } }))
  // The device did not get the response to its first request.
  const known = pollAnswerOf(db, poll, body.entry)
  if (known) {
    record({ event: { response: known.response, unchanged: true } })
    return receiptOf(stage, [])
  }
  requireOpen(stage)
  const link = customLinkOf(stage, body.link)
  const contacts = contactsFor(context, stage.pollSettings, body.entry, prepared)
  const by = { _id: 'poll', type: 'participant' } as const
  const { row, messages, event } = submitAnonymously(context, { trial, config, stage: poll, sent: body.response, by })
  insertPollAnswer(db, {
    ...{ response: row._id, createdAt: now, trial: trial._id, stage: poll, entry: body.entry, ...link },
    ...{ salt: newSecret(), ...contacts.kept },
  })
  contacts.use(row._id)
  record({ event: { ...event, by: 'poll', link: link.link, attributes: link.attributes } })
  return receiptOf(stage, messages)
}
