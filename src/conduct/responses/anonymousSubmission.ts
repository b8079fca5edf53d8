/** Submissions of people who are not participants: answers to polls, and to a form that follows a consent. */
import { zoneOf } from '#conduct/timeline/progress'
import type { Configuration } from '#design/configuration/configuration'
import { isSensitive } from '#design/hiddenFields/hiddenFields'
import type { SharedTrial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import type { Author } from './events'
import { ignoredAnswersIn, ignoredAuditFields, recordIgnoredAnswers } from './ignoredAnswers'
import type { Submission } from './refusals'
import type { ResponseRow } from './store'
import { type SubmissionResult, submissionDigest, submit } from './submit'

const UNKNOWN = { address: null, device: null }

type AnonymousSubmission = {
  trial: SharedTrial & { _id: Id }
  config: Configuration
  stage: Id
  sent: Submission['sent']
  /** Where they came by, in place of a person. */
  by: Author
  existing?: ResponseRow | undefined
  /** The upload with that stored name, if these answers may refer to it; without the function, they may not refer to uploads. */
  fileOf?: Submission['fileOf']
}

/**
 * Stores answers as a response without a participant. Neither the address nor the device of the sender is kept. `event` is what the audit entry
 * keeps.
 */
export function submitAnonymously(
  { db, now, id }: Pick<RequestContext, 'db' | 'now' | 'id'>,
  { trial, config, stage, sent, by, existing, fileOf }: AnonymousSubmission,
): { row: ResponseRow; messages: SubmissionResult['messages']; event: Record<string, unknown> } {
  const { row, submission, messages, cleared } = submit({
    ...{ db, now, id, sent, by, stage, existing, configuration: config, trial: trial._id, participant: null },
    ...{ stageRecurrence: 0, zone: zoneOf({ timezone: null }, trial), client: UNKNOWN, updateNote: null },
    fileOf,
    hidden: (dataType) => isSensitive(config, dataType),
  })
  const ignored = ignoredAnswersIn(config, stage, sent)
  const kept = recordIgnoredAnswers(db, row, ignored, by, now, submission?._id)
  const event = {
    ...{ response: row._id, stage, stageRecurrence: 0 },
    ...(submission ? { submission: submission._id, digest: submissionDigest.of(submission) } : { unchanged: true }),
    ...(cleared && { entry: cleared }),
    ...ignoredAuditFields(ignored),
    ...(kept && { kept }),
  }
  return { row, messages, event }
}

/** The messages as a receipt has them: their texts, and with their ids and severity if there are any. */
export const messagesView = (messages: SubmissionResult['messages']) => ({
  onScreenMessages: messages.map(({ message }) => message),
  ...(messages.length ? { ruleMessages: messages } : {}),
})

/** What the sender sees after the answers were stored. */
export const receiptOf = (
  stage: { postSubmissionText?: string | null | undefined },
  messages: SubmissionResult['messages'],
) => ({
  postSubmissionText: stage.postSubmissionText ?? null,
  ...messagesView(messages),
})
