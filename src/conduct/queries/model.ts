import { Attachment } from '#storage/attachments'
import * as t from '#wire/schema'

const statuses = ['open', 'answered', 'closed'] as const
export type QueryStatus = (typeof statuses)[number]

const Message = t.shape('QueryMessage', {
  _id: t.id(),
  createdAt: t.instant(),
  createdBy: t.withDescription('Null for a message of a rule or of the AI endpoint.', t.orNull(t.id())),
  text: t.text(1, 5000),
  attachments: t.list(Attachment, 20),
})

/** A data query with its messages (docs/review.md, "Queries"). */
export const Query = t.shape('Query', {
  _id: t.id(),
  trial: t.id(),
  createdAt: t.instant(),
  updatedAt: t.instant(),
  createdBy: t.withDescription('Who raised it; null if a rule did.', t.orNull(t.id())),
  isAutomatic: t.flag(),
  rule: t.withDescription('The rule that raised it.', t.orNull(t.text(1, 50))),
  instructions: t.withDescription(
    'The trial’s instructions for automatic queries when it was raised.',
    t.orNull(t.text(0, 10_000)),
  ),
  participant: t.orNull(t.id()),
  participantId: t.orNull(t.oneLine(1, 50)),
  response: t.id(),
  stage: t.id(),
  stageRecurrence: t.whole(0),
  dataType: t.withDescription('The field; null for the response as a whole.', t.orNull(t.id())),
  status: t.oneOf(...statuses),
  assignees: t.list(t.id(), 100),
  messages: t.list(Message, 100_000),
})

const assignees = () => t.withDescription('People who can read the query.', t.list(t.id(), 100))

export const NewQuery = t.shape('NewQuery', {
  response: t.id('The response it is about'),
  dataType: t.maybe(t.orNull(t.id('The field it is about'))),
  text: t.withDescription('The question: the first message.', t.text(1, 5000)),
  assignees: t.maybe(assignees()),
})

export const QueryChange = t.shape('QueryChange', {
  status: t.maybe(t.oneOf(...statuses)),
  assignees: t.maybe(assignees()),
})

export const NewMessage = t.shape('NewQueryMessage', {
  text: t.text(1, 5000),
  attachments: t.maybe(
    t.withDescription('Stored names of files uploaded with forType=query for this query.', t.list(t.text(1, 200), 20)),
  ),
})

export const QueryFilter = t.shape({
  status: t.maybe(t.oneOf(...statuses)),
  participant: t.maybe(t.id()),
  response: t.maybe(t.id()),
  assignee: t.maybe(t.id()),
  page: t.maybe(t.whole(1, 1_000_000)),
  perPage: t.maybe(t.withDescription('The default is 30.', t.whole(1, 200))),
})

export const Queries = t.shape('Queries', {
  queries: t.list(Query, 200),
  page: t.whole(1),
  nextPageAvailable: t.flag(),
})
