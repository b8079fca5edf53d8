/** The communication log: messages to participants and their delivery (docs/messages.md, "The communication log"). */

import { noPlaces } from '#access/caller'
import { isVisibleTo, placesOf } from '#conduct/participants/memberships'
import { type TrialScope, trial } from '#design/trials/scope'
import { operation, type Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { readSubscription, serviceOf } from '#outbox/push'
import { handOverStatuses } from '#outbox/status'
import { HandOver, MessageQuery, Message as MessageShape, Messages } from './model'
import { type Message, messageById, messagesOf, saveHandedOver } from './store'

const PAGE = 30

/**
 * The recipient as staff see it. For a push message only the push service is shown: with the full subscription, anybody could
 * send notifications to the device.
 */
function recipientOf({ channel, recipient }: Message): string | null {
  if (channel !== 'push') return recipient || null
  const subscription = readSubscription(recipient)
  return subscription ? serviceOf(subscription) : null
}

const view = (message: Message) => ({ ...message, recipient: recipientOf(message) })

const readMessages = operation({
  id: 'readMessages',
  method: 'GET',
  path: '/trials/:trialId/logs/communication',
  summary: 'Read the messages to participants',
  description: 'Newest first, 30 messages a page, with the delivery status of each.',
  scope: trial,
  needs: 'trial.admin',
  reads: ({ messages }) => messages.map(({ participant }) => participant),
  query: MessageQuery,
  returns: Messages,
  run: ({ db, trial, query }) => {
    const { page = 1, ...filter } = query
    const messages = messagesOf(db, trial._id, filter, PAGE + 1, (page - 1) * PAGE)
    return { messages: messages.slice(0, PAGE).map(view), page, nextPageAvailable: messages.length > PAGE }
  },
})

/** The message to a participant that `:messageId` names; 404 unless the caller may see the participant. */
const message: Scope<TrialScope & { message: Message }, 'trialId' | 'messageId'> = (context) => {
  const inTrial = trial(context)
  const message = found(messageById(context.db, context.params.messageId), 'message')
  if (message.trial !== inTrial.trial._id) throw refuse.missing('message')
  const { participant } = message
  const places = participant === null ? noPlaces : placesOf(context.db, participant)
  if (!isVisibleTo(inTrial.access, places)) throw refuse.missing('message')
  return { ...inTrial, message }
}

const handOver = operation({
  id: 'recordHandOver',
  method: 'PUT',
  path: '/trials/:trialId/logs/communication/:messageId',
  summary: 'Record that staff gave a message to the participant themselves',
  description: 'For a message that did not arrive, or may not have arrived. The server does not send it again.',
  scope: message,
  needs: 'trial.admin',
  logs: 'handOverMessage',
  body: HandOver,
  returns: MessageShape,
  run: ({ db, message, body, record }) => {
    const { _id, status, participant, channel } = message
    if (status === 'sending') throw refuse.bad('messageUnderWay')
    if (!handOverStatuses.includes(status))
      throw refuse.bad(status === 'sent' ? 'messageAlreadySent' : 'messageAlreadyHandedOver')
    saveHandedOver(db, _id, body.note ?? null)
    record({ participant, event: { channel, before: { status }, after: { status: body.status } } })
    return view(messageById(db, _id)!)
  },
})

export const communicationOperations = [readMessages, handOver] as const
