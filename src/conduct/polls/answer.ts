/** Takes the answers to a poll (docs/polls.md). */
import { answerLanguage } from '#conduct/participants/language'
import type { By } from '#conduct/responses/events'
import { ignoredIn, ignoredInEntry, keepIgnored } from '#conduct/responses/ignored'
import { type SubmissionResult, submissionDigest, submit } from '#conduct/responses/submit'
import { zoneOf } from '#conduct/timeline/progress'
import { isSensitive } from '#design/configuration/hidden'
import type { SharedTrial } from '#design/trials/store'
import type { Note, RequestContext } from '#http/operation'
import { type Id, newSecret } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { contactsFor } from './contacts'
import type { PollInput } from './model'
import type { Contact } from './rules'
import { pollIn, requireOpen } from './scope'
import { insertPollAnswer, pollAnswerOf } from './store'

type Context = RequestContext & {
  trial: Parameters<typeof pollIn>[0]['trial'] & SharedTrial
  poll: Id
  body: PollInput
  /** The contacts in the form in which they are stored. */
  prepared: Contact
  headers: Record<string, string>
  record(note: Note): void
}

/** Who answers a poll is not known. */
const NOBODY: By = { _id: 'poll', type: 'participant' }
const UNKNOWN = { address: null, device: null }

type Stage = ReturnType<typeof pollIn>['stage']

/** The link by which the person came. @throws 400 if the poll has no such link */
function linkOf({ customLinks = [] }: Pick<Stage, 'customLinks'>, id: string | null | undefined) {
  if (id == null) return { link: null, linkName: null, attributes: [] }
  const link = customLinks.find((each) => each.id === id)
  if (!link) throw refuse.bad('The poll has no such link.', { code: 'noSuchLink' })
  return { link: link.id, linkName: link.name, attributes: link.attributes ?? [] }
}

const receiptOf = (stage: Pick<Stage, 'postSubmissionText'>, messages: SubmissionResult['messages']) => ({
  postSubmissionText: stage.postSubmissionText ?? null,
  onScreenMessages: messages.flatMap(({ type, message }) => (type === 'showMessage' && message ? [message] : [])),
})

/**
 * Stores the answers as a response that belongs to nobody. Of the sender neither address nor device is kept; contacts only where
 * the poll asks for them.
 * @throws 403 if the poll is closed, 400 for a contact that is missing or not proven, and as any submission
 */
export function answerPoll(context: Context) {
  const { db, now, trial, poll, body, prepared, id, record } = context
  const { config, stage } = pollIn(context, answerLanguage({ ...context, participant: { language: null } }))
  // The device did not hear that they arrived.
  const known = pollAnswerOf(db, poll, body.entry)
  if (known) {
    record({ by: 'nobody', event: { response: known.response, unchanged: true } })
    return receiptOf(stage, [])
  }
  requireOpen(stage)
  const link = linkOf(stage, body.link)
  const contacts = contactsFor(context, stage.pollSettings, body.entry, prepared)
  const sent = body.response
  const submission = {
    ...{
      db,
      now,
      id,
      sent,
      configuration: config,
      trial: trial._id,
      participant: null,
      stage: poll,
      stageRecurrence: 0,
    },
    ...{ zone: zoneOf({ timezone: null }, trial), existing: undefined, by: NOBODY, client: UNKNOWN, updateNote: null },
    hidden: (dataType: Id) => isSensitive(config, dataType),
  }
  const { row, submission: appended, messages } = submit(submission)
  const ignored = ignoredIn(config, poll, sent)
  const kept = keepIgnored(db, row, ignored, NOBODY, now, appended?._id)
  insertPollAnswer(db, {
    ...{ response: row._id, createdAt: now, trial: trial._id, stage: poll, entry: body.entry, ...link },
    ...{ salt: newSecret(), ...contacts.kept },
  })
  contacts.use(row._id)
  record({
    by: 'nobody',
    event: {
      ...{
        response: row._id,
        stage: poll,
        stageRecurrence: 0,
        by: 'poll',
        link: link.link,
        attributes: link.attributes,
      },
      ...(appended && { submission: appended._id, digest: submissionDigest.of(appended) }),
      ...ignoredInEntry(ignored),
      ...(kept && { kept }),
    },
  })
  return receiptOf(stage, messages)
}
