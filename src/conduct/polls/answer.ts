/** Takes the answers to a poll (docs/polls.md). */
import { answerLanguage } from '#conduct/participants/language'
import type { By } from '#conduct/responses/events'
import { ignoredIn, ignoredInEntry, keepIgnored } from '#conduct/responses/ignored'
import { type SubmissionResult, submissionDigest, submit } from '#conduct/responses/submit'
import { zoneOf } from '#conduct/timeline/progress'
import { isSensitive } from '#design/configuration/hidden'
import type { SharedTrial } from '#design/trials/store'
import type { Note, RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { PollInput } from './model'
import { contactsOf, missingContacts, needsProof } from './rules'
import { pollIn } from './scope'
import { insertPollAnswer, pollAnswerOf } from './store'

type Context = RequestContext & {
  trial: Parameters<typeof pollIn>[0]['trial'] & SharedTrial
  poll: Id
  body: PollInput
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

function requireContacts({ pollSettings }: Pick<Stage, 'pollSettings'>, { email, phone }: PollInput): void {
  if (needsProof(pollSettings))
    throw refuse.forbidden('This poll asks for a contact that is verified, which cannot be done by this link yet.', {
      code: 'needsProof',
    })
  const [first] = missingContacts(pollSettings, { email, phone })
  if (first === 'email') throw refuse.bad('The poll asks for an e-mail address.', { code: 'needsEmail' })
  if (first === 'phone') throw refuse.bad('The poll asks for a phone number.', { code: 'needsPhone' })
}

const receiptOf = (stage: Pick<Stage, 'postSubmissionText'>, messages: SubmissionResult['messages']) => ({
  postSubmissionText: stage.postSubmissionText ?? null,
  onScreenMessages: messages.flatMap(({ type, message }) => (type === 'showMessage' && message ? [message] : [])),
})

/**
 * Stores the answers as a response that belongs to nobody. Of the sender neither address nor device is kept; contacts only where
 * the poll asks for them.
 * @throws 403 if the poll is closed, 400 for a contact that is missing, and as any submission
 */
export function answerPoll(context: Context) {
  const { db, now, trial, poll, body, id, record } = context
  const { config, stage } = pollIn(context, answerLanguage({ ...context, participant: { language: null } }))
  // The device did not hear that they arrived.
  const known = pollAnswerOf(db, poll, body.entry)
  if (known) {
    record({ event: { response: known.response, unchanged: true } })
    return receiptOf(stage, [])
  }
  if (!stage.enabled) throw refuse.forbidden('This poll is closed.', { code: 'closed' })
  const link = linkOf(stage, body.link)
  requireContacts(stage, body)
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
  const { asksEmail, asksPhone } = contactsOf(stage.pollSettings)
  insertPollAnswer(db, {
    ...{ response: row._id, createdAt: now, trial: trial._id, stage: poll, entry: body.entry, ...link },
    email: asksEmail ? (body.email?.trim() ?? null) : null,
    phone: asksPhone ? (body.phone?.trim() ?? null) : null,
  })
  record({
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
