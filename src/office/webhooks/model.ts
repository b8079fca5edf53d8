import { webhooks } from '#db/tables/index'
import {
  flag,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'
import { eventTypes } from './events'

/** What may be sent to a webhook besides ids and answers that are not sensitive. */
export const inclusions = ['restrictedAnswers', 'personalInformation'] as const
export type Inclusion = (typeof inclusions)[number]

/** See docs/webhooks.md, "Set one up". */
export const WebhookInput = shape('WebhookInput', {
  name: oneLine(1, 200),
  url: withDescription(
    'Where events are posted to. It must begin with https://. It is shown as host and hash; sent back in this form, it stays as it is.',
    text(1, 2000),
  ),
  events: withDescription(
    'What it is told of. Each needs the permission to read it in the whole trial.',
    list(oneOf(...eventTypes), eventTypes.length, 1),
  ),
  includes: maybe(
    withDescription(
      'What it is told besides ids and answers that are neither restricted nor personal; nothing by default. Each needs the permission to read it in the whole trial.',
      list(oneOf(...inclusions), inclusions.length),
    ),
  ),
  isEnabled: maybe(withDescription('True by default. A webhook that keeps failing is disabled.', flag())),
})

export const Webhook = joinShapes(
  'Webhook',
  shape({
    _id: id(),
    createdAt: instant(),
    createdBy: id(),
    updatedAt: instant(),
    trial: id(),
    disabledReason: withDescription(
      'Why the service disabled it: attempts failed for five days, or the receiver answered 410. Null if a person did.',
      orNull(oneOf(...webhooks.disabledReason.enumValues)),
    ),
    previousSecretUntil: withDescription(
      'Until when bodies are also signed with the secret before the present one.',
      orNull(instant()),
    ),
    failures: withDescription('Failed attempts since something was last delivered.', whole(0)),
    failingSince: orNull(instant()),
    deliveredAt: withDescription('When something was last delivered.', orNull(instant())),
  }),
  shape({
    name: oneLine(1, 200),
    url: withDescription(
      'Its host, and a hash of the whole address, which may hold a credential: `https://hooks.example.org/#sha256:…`.',
      text(1, 2000),
    ),
    events: list(oneOf(...eventTypes)),
    includes: list(oneOf(...inclusions)),
    isEnabled: flag(),
  }),
)

const secret = withDescription('Shown only this once: keep it where the receiver checks signatures.', text(1, 100))

export const WebhookWithSecret = joinShapes('WebhookWithSecret', Webhook, shape({ secret }))

export const Webhooks = shape('Webhooks', { webhooks: list(Webhook, 20) })

export const Rotation = shape('WebhookSecretRotation', {
  overlapHours: maybe(
    withDescription(
      'For how many hours bodies are signed with both secrets; 24 by default. 0 if the old one has become known to others.',
      whole(0, 168),
    ),
  ),
})

export const NewSecret = shape('WebhookSecret', { secret, previousSecretUntil: orNull(instant()) })
