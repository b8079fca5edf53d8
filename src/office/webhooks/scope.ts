import { rowById } from '#db/rows'
import { webhooks } from '#db/tables/index'
import { type TrialScope, trialVisibleTo } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found } from '#kernel/problem'
import type { WebhookRow } from './store'

export type WebhookScope = TrialScope & { webhook: WebhookRow }

/** The webhook that `:webhookId` names, if the caller may see its trial; else 404. */
export const webhook: Scope<WebhookScope, 'webhookId'> = (context) => {
  const webhook = found(rowById(context.db, webhooks, context.params.webhookId), 'webhook')
  return { ...trialVisibleTo(context, webhook.trial, 'webhook'), webhook }
}
