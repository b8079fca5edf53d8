import { Attachment } from '#storage/attachments'
import {
  flag,
  id,
  instant,
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

export const statuses = ['open', 'answered', 'closed'] as const
export type QueryStatus = (typeof statuses)[number]

const Message = shape('QueryMessage', {
  _id: id(),
  createdAt: instant(),
  createdBy: withDescription('Null for a message of a rule or of the AI endpoint.', orNull(id())),
  text: text(1, 5000),
  attachments: list(Attachment, 20),
})

/** A data query with its messages (docs/review.md, "Queries"). */
export const Query = shape('Query', {
  _id: id(),
  trial: id(),
  createdAt: instant(),
  updatedAt: instant(),
  createdBy: withDescription('Who raised it; null if a rule did.', orNull(id())),
  isAutomatic: flag(),
  rule: withDescription('The rule that raised it.', orNull(text(1, 50))),
  instructions: withDescription(
    'The trial’s instructions for automatic queries when it was raised.',
    orNull(text(0, 10_000)),
  ),
  participant: orNull(id()),
  participantId: orNull(oneLine(1, 50)),
  response: id(),
  stage: id(),
  stageRecurrence: whole(0),
  dataType: withDescription('The field; null for the response as a whole.', orNull(id())),
  status: oneOf(...statuses),
  assignees: list(id(), 100),
  messages: list(Message, 100_000),
})

const assignees = () => withDescription('People who can read the query.', list(id(), 100))

export const NewQuery = shape('NewQuery', {
  response: id('The response it is about'),
  dataType: maybe(orNull(id('The field it is about'))),
  text: withDescription('The question: the first message.', text(1, 5000)),
  assignees: maybe(assignees()),
})

export const QueryChange = shape('QueryChange', { status: maybe(oneOf(...statuses)), assignees: maybe(assignees()) })

export const NewMessage = shape('NewQueryMessage', {
  text: text(1, 5000),
  attachments: maybe(
    withDescription('Stored names of files uploaded with forType=query for this query.', list(text(1, 200), 20)),
  ),
})

export const QueryFilter = shape({
  status: maybe(oneOf(...statuses)),
  participant: maybe(id()),
  response: maybe(id()),
  assignee: maybe(id()),
  page: maybe(whole(1, 1_000_000)),
  perPage: maybe(withDescription('The default is 30.', whole(1, 200))),
})

export const Queries = shape('Queries', { queries: list(Query, 200), page: whole(1), nextPageAvailable: flag() })
