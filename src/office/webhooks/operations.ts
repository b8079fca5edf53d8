/** The webhooks of a trial (docs/webhooks.md). Neither lock refuses them: they are no part of the study's configuration or data. */
import type { Access } from '#access/caller'
import { changedFields } from '#audit/changedFields'
import { deleteById, updateById } from '#db/rows'
import { webhooks } from '#db/tables/index'
import { trial } from '#design/trials/scope'
import { operation } from '#http/operation'
import type { Services } from '#http/services'
import { maskedAddress } from '#kernel/maskedAddress'
import { refuse } from '#kernel/problem'
import { HOUR } from '#kernel/time'
import { partial, shape } from '#wire/schema'
import type { EventType } from './events'
import { type Inclusion, NewSecret, Rotation, Webhook, WebhookInput, Webhooks, WebhookWithSecret } from './model'
import { missingPermissions } from './rules'
import { webhook } from './scope'
import { newWebhookSecret, sealSecret } from './secret'
import { headOf, insertWebhook, retryNow, type WebhookRow, webhooksOf } from './store'

const MANAGE = 'trial.manageWebhooks'

/** The most webhooks of a trial. */
const MAX_WEBHOOKS = 20

type Content = { url: string; events: readonly string[]; includes: readonly string[] }

/**
 * Refuses an address that the server does not call (422), and content that the caller may not read (403). Also if they change
 * something else: an address decides who gets the content.
 */
function requireSendable({ outgoing }: Services, access: Access, { url, ...content }: Content): void {
  const problem = outgoing.problemOf(url)
  if (problem !== undefined) throw refuse.invalid({ url: [problem] })
  const lacking = missingPermissions(access, content)
  if (lacking.length) throw refuse.missingPermission(lacking)
}

/** A webhook as it is answered. */
const webhookView = (row: WebhookRow) => ({
  ...row,
  url: maskedAddress(row.url),
  events: row.events as EventType[],
  includes: row.includes as Inclusion[],
})

const unique = <T>(list: readonly T[]): T[] => [...new Set(list)]

const listWebhooks = operation({
  id: 'listWebhooks',
  method: 'GET',
  path: '/trials/:trialId/webhooks',
  summary: 'List the webhooks of a trial',
  scope: trial,
  needs: MANAGE,
  returns: Webhooks,
  run: ({ db, trial }) => ({ webhooks: webhooksOf(db, trial._id).map(webhookView) }),
})

const createWebhook = operation({
  id: 'createWebhook',
  method: 'POST',
  path: '/trials/:trialId/webhooks',
  summary: 'Create a webhook',
  description: 'It is told of what happens from now on. Its secret is shown only this once.',
  scope: trial,
  needs: MANAGE,
  logs: 'createWebhook',
  body: WebhookInput,
  secret: true,
  returns: WebhookWithSecret,
  run: ({ db, now, id, services, caller, trial, access, body, record }) => {
    const { name, url, isEnabled = true } = body
    const [events, includes] = [unique(body.events), unique(body.includes ?? [])]
    requireSendable(services, access, { url, events, includes })
    if (webhooksOf(db, trial._id).length >= MAX_WEBHOOKS) throw refuse.bad('tooManyWebhooks', { most: MAX_WEBHOOKS })
    const [_id, secret] = [id(), newWebhookSecret()]
    const creation = { _id, createdAt: now, createdBy: caller.user._id, updatedAt: now, trial: trial._id }
    const sending = { secret: sealSecret(services.seal, _id, secret), position: headOf(db, trial._id) }
    const row = insertWebhook(db, { ...creation, name, url, events, includes, isEnabled, ...sending })
    record({ event: { after: auditView(row) } })
    return { ...webhookView(row), secret }
  },
})

/** What the audit trail keeps of a webhook. */
const auditView = ({ _id, name, url, events, includes, isEnabled, disabledReason }: WebhookRow) => ({
  ...{ _id, name, url: maskedAddress(url), events, includes, isEnabled, disabledReason },
})

const readWebhook = operation({
  id: 'readWebhook',
  method: 'GET',
  path: '/webhooks/:webhookId',
  summary: 'Read a webhook',
  scope: webhook,
  needs: MANAGE,
  returns: Webhook,
  run: ({ webhook }) => webhookView(webhook),
})

/** A webhook that is enabled again begins with what happens from then on, and with what still waits. */
const restartState = (head: number) => ({ disabledReason: null, position: head, failures: 0, failingSince: null })

const editWebhook = operation({
  id: 'updateWebhook',
  method: 'PUT',
  path: '/webhooks/:webhookId',
  summary: 'Change, enable or disable a webhook',
  description:
    'Enabled again, it is told of what happens from then on; `POST /webhooks/{webhookId}/recovery` sends what it missed.',
  scope: webhook,
  needs: MANAGE,
  logs: 'updateWebhook',
  body: partial(WebhookInput),
  returns: Webhook,
  run: ({ db, now, services, access, webhook, body, record }) => {
    const { events, includes, url, ...others } = body
    // The address as it is shown stands for the one that is stored: what was read can be sent back.
    const rest = { ...others, ...(url !== undefined && url !== maskedAddress(webhook.url) && { url }) }
    const lists = { ...(events && { events: unique(events) }), ...(includes && { includes: unique(includes) }) }
    requireSendable(services, access, { ...webhook, ...rest, ...lists })
    const isEnabling = body.isEnabled === true && !webhook.isEnabled
    const state = isEnabling ? restartState(headOf(db, webhook.trial)) : {}
    if (isEnabling) retryNow(db, webhook._id, now)
    const after = updateById(db, webhooks, webhook._id, { ...rest, ...lists, ...state, updatedAt: now })
    record({ event: changedFields(auditView(webhook), auditView(after)) })
    return webhookView(after)
  },
})

const removeWebhook = operation({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/:webhookId',
  summary: 'Delete a webhook with its deliveries',
  scope: webhook,
  needs: MANAGE,
  logs: 'deleteWebhook',
  returns: shape({}),
  run: ({ db, webhook, record }) => {
    record({ event: { before: auditView(webhook) } })
    deleteById(db, webhooks, webhook._id)
    return {}
  },
})

const rotateSecret = operation({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/:webhookId/secret',
  summary: 'Replace the secret of a webhook',
  description:
    'For a day, or as long as the body says, bodies are signed with both secrets. It is shown only this once.',
  scope: webhook,
  needs: MANAGE,
  logs: 'rotateWebhookSecret',
  body: Rotation,
  secret: true,
  returns: NewSecret,
  run: ({ db, now, services, access, webhook, body, record }) => {
    requireSendable(services, access, webhook)
    const { overlapHours = 24 } = body
    const secret = newWebhookSecret()
    const previousSecretUntil = overlapHours ? now + overlapHours * HOUR : null
    updateById(db, webhooks, webhook._id, {
      secret: sealSecret(services.seal, webhook._id, secret),
      previousSecret: overlapHours ? webhook.secret : null,
      previousSecretUntil,
      updatedAt: now,
    })
    record({ event: { previousSecretUntil } })
    return { secret, previousSecretUntil }
  },
})

export const webhookOperations = [
  listWebhooks,
  createWebhook,
  readWebhook,
  editWebhook,
  removeWebhook,
  rotateSecret,
] as const
