/** What a form says after answers that arrived when their person had left the tablet (docs/shared-tablets.md, "Forms that were begun"). */
import { isInThread } from '#conduct/messages/store'
import type { ParticipantRow } from '#conduct/participants/store'
import { submissionOfEntry } from '#conduct/responses/acceptedEntryStore'
import { deliverUnseenMessages } from '#conduct/responses/submitEffects'
import { configuration } from '#design/configuration/configuration'
import { messageRulesOf, messagesFor } from '#design/stages/scoring'
import type { SharedTrial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'

type Context = Pick<RequestContext, 'db' | 'now' | 'id'> & { trial: SharedTrial; participant: ParticipantRow }

/**
 * Puts the messages of these answers into the thread, and notifies the team of urgent ones. Each once: the tablet may hand the same
 * answers over again, and may have sent them itself without getting the response.
 */
export function notifyUnseenMessages(context: Context, entry: string): void {
  const { db, trial, participant } = context
  const submission = submissionOfEntry(db, participant._id, entry)
  if (!submission) return
  const { stage, score, at } = submission
  const config = configuration(db, trial)
  if (!config.stages.has(stage)) return
  const occurrence = { configuration: config, ...submission, existing: undefined }
  deliverUnseenMessages(context, occurrence, (rules) =>
    messagesFor(messageRulesOf(rules), score ?? undefined).filter(
      ({ message }) => !isInThread(db, participant._id, message, at),
    ),
  )
}
