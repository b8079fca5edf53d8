import { webhooks } from '#db/tables/index'
import * as t from '#wire/schema'
import { eventTypes } from './events'

/** What may be sent to a webhook besides ids and answers that are not sensitive. */
const inclusions = ['restrictedAnswers', 'personalInformation'] as const
export type Inclusion = (typeof inclusions)[number]

/** See docs/webhooks.md, "Set one up". */
export const WebhookInput = t.shape('WebhookInput', {
  name: t.oneLine(1, 200),
  url: t.withDescription(
    'Where events are posted to. It must begin with https://. It is shown as host and hash; sent back in this form, it stays as it is.',
    t.text(1, 2000),
  ),
  events: t.withDescription(
    'What it is told of. Each needs the permission to read it in the whole trial.',
    t.list(t.oneOf(...eventTypes), eventTypes.length, 1),
  ),
  includes: t.maybe(
    t.withDescription(
      'What it is told besides ids and answers that are neither restricted nor personal; nothing by default. Each needs the permission to read it in the whole trial.',
      t.list(t.oneOf(...inclusions), inclusions.length),
    ),
  ),
  isEnabled: t.maybe(t.withDescription('True by default. A webhook that keeps failing is disabled.', t.flag())),
})

export const Webhook = t.joinShapes(
  'Webhook',
  t.shape({
    _id: t.id(),
    createdAt: t.instant(),
    createdBy: t.id(),
    updatedAt: t.instant(),
    trial: t.id(),
    disabledReason: t.withDescription(
      'Why the service disabled it: attempts failed for five days, or the receiver answered 410. Null if a person did.',
      t.orNull(t.oneOf(...webhooks.disabledReason.enumValues)),
    ),
    previousSecretUntil: t.withDescription(
      'Until when bodies are also signed with the secret before the present one.',
      t.orNull(t.instant()),
    ),
    failures: t.withDescription('Failed attempts since something was last delivered.', t.whole(0)),
    failingSince: t.orNull(t.instant()),
    deliveredAt: t.withDescription('When something was last delivered.', t.orNull(t.instant())),
  }),
  t.shape({
    name: t.oneLine(1, 200),
    url: t.withDescription(
      'Its host, and a hash of the whole address, which may hold a credential: `https://hooks.example.org/#sha256:…`.',
      t.text(1, 2000),
    ),
    events: t.list(t.oneOf(...eventTypes)),
    includes: t.list(t.oneOf(...inclusions)),
    isEnabled: t.flag(),
  }),
)

const secret = t.withDescription('Shown only this once: keep it where the receiver checks signatures.', t.text(1, 100))

export const WebhookWithSecret = t.joinShapes('WebhookWithSecret', Webhook, t.shape({ secret }))

export const Webhooks = t.shape('Webhooks', { webhooks: t.list(Webhook, 20) })

export const Rotation = t.shape('WebhookSecretRotation', {
  overlapHours: t.maybe(
    t.withDescription(
      'For how many hours bodies are signed with both secrets; 24 by default. 0 if the old one has become known to others.',
      t.whole(0, 168),
    ),
  ),
})

export const NewSecret = t.shape('WebhookSecret', { secret, previousSecretUntil: t.orNull(t.instant()) })
