/**
 * Data queries (docs/review.md, "Queries"). People who read study data can read them; people who write study data raise and
 * answer them; `raiseQueries` alone is for one's own. The person who raised a query closes it, or an administrator; the assignees can close
 * one that a rule raised.
 */
import { holds, type Staff } from '#access/caller'
import { changedFields } from '#audit/changedFields'
import { responseVisibleTo } from '#conduct/responses/scope'
import { layoutById } from '#conduct/responses/store'
import type { Db } from '#db/open'
import { type Configuration, configuration } from '#design/configuration/configuration'
import { type HiddenFieldTest, hiddenFrom } from '#design/hiddenFields/hiddenFields'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { usableAttachments } from '#storage/attachments'
import { hourLinkMaker } from '#storage/links'
import { addReply, raise } from './insert'
import { NewMessage, NewQuery, Queries, Query, QueryChange, QueryFilter } from './model'
import { mailQueryAssignees } from './notices'
import { readersAmong } from './readers'
import { type QueryScope, query } from './scope'
import { type FullQuery, queriesIn, queriesVisibleTo, queryById, updateQuery } from './store'
import { queryViews } from './views'

type ViewContext = { services: Parameters<typeof hourLinkMaker>[0]; db: Db; now: number }

const queryView = ({ services, db, now }: ViewContext, id: Id) =>
  queryViews(db, [queryById(db, id)!], hourLinkMaker(services, now))[0]!

/** Refuses (400) assignees who cannot read the query. */
function requireReaders(
  db: Db,
  config: Configuration,
  about: Parameters<typeof readersAmong>[2],
  assignees: Id[],
): void {
  const readers = readersAmong(db, config, about, assignees)
  const strangers = assignees.filter((user) => !readers.includes(user))
  if (strangers.length) throw refuse.bad('queryAssignees', { count: strangers.length }, { strangers })
}

type ResponseForm = { stage: Id; layout: string }
const isField = (db: Db, config: Configuration, { stage, layout }: ResponseForm, dataType: Id) =>
  layoutById(db, layout).dataTypes.includes(dataType) || config.fieldsOf(stage).includes(dataType)

/** Refuses (400) a query on a field that is not in the response, or is hidden from the person who raises it. */
function requireField(
  db: Db,
  config: Configuration,
  response: ResponseForm,
  hidden: HiddenFieldTest,
  dataType: Id | null,
): void {
  if (dataType !== null && (hidden(dataType) || !isField(db, config, response, dataType))) {
    throw refuse.bad('notFieldOfResponse')
  }
}

const listQueries = operation({
  id: 'listQueries',
  method: 'GET',
  path: '/trials/:trialId/queries',
  summary: 'List the queries of a trial',
  description: 'Newest first, without queries on fields that are hidden from the caller.',
  scope: trial,
  needs: anywhere('trial.readParticipantStudyData'),
  reads: ({ queries }) => queries.map(({ participant }) => participant),
  query: QueryFilter,
  returns: Queries,
  run: ({ services, db, now, trial, access, query: { page = 1, perPage = 30, ...filter } }) => {
    const visible = queriesVisibleTo(access, configuration(db, trial))
    const rows = queriesIn(db, trial._id, filter, visible, perPage + 1, (page - 1) * perPage)
    const queries = queryViews(db, rows.slice(0, perPage), hourLinkMaker(services, now))
    return { queries, page, nextPageAvailable: rows.length > perPage }
  },
})

const raiseQuery = operation({
  id: 'raiseQuery',
  method: 'POST',
  path: '/trials/:trialId/queries',
  summary: 'Raise a query on a response or a field of it',
  scope: trial,
  needs: [anywhere('trial.writeParticipantStudyData'), anywhere('trial.raiseQueries')],
  logs: 'raiseQuery',
  body: NewQuery,
  returns: Query,
  run: (context) => {
    const { db, now, id, caller, trial, access, body, record } = context
    const { response, places } = responseVisibleTo(context, { trial, access }, body.response)
    if (!holds(access, 'raiseQueries', places)) throw refuse.missingPermission(['trial.raiseQueries'])
    const config = configuration(db, trial)
    const { dataType = null, text, assignees = [] } = body
    requireField(db, config, response, hiddenFrom(config, access, places), dataType)
    requireReaders(db, config, { trial: trial._id, places, dataType }, assignees)
    const { participant } = response
    const about = { response: response._id, dataType, assignees, raisedBy: caller.user._id }
    const query = { _id: id(), trial: trial._id, participant, ...about }
    record({ participant, event: raise(db, query, { _id: id(), text, at: now })! })
    mailQueryAssignees({ ...context, places }, query._id, assignees, 'assigned')
    return queryView(context, query._id)
  },
})

const readQuery = operation({
  id: 'readQuery',
  method: 'GET',
  path: '/queries/:queryId',
  summary: 'Read a query',
  scope: query,
  needs: 'trial.readParticipantStudyData',
  returns: Query,
  run: (context) => queryView(context, context.question._id),
})

/** Refuses (403) people who only raise queries to change or answer those of others. */
function requireOwnQuery({ access, places, caller, question }: QueryScope & { caller: Staff }): void {
  const isOwn = question.raisedBy === caller.user._id
  if (!isOwn && !holds(access, 'writeParticipantStudyData', places))
    throw refuse.missingPermission(['trial.writeParticipantStudyData'])
}

const mayClose = (query: FullQuery, user: Id): boolean =>
  query.raisedBy === null ? query.assignees.includes(user) : query.raisedBy === user

const editQuery = operation({
  id: 'updateQuery',
  method: 'PUT',
  path: '/queries/:queryId',
  summary: 'Assign, close or reopen a query',
  description:
    'A query can be closed by the person who raised it and by administrators; one that a rule raised also by its assignees. With trial.raiseQueries alone, only your own.',
  scope: query,
  needs: ['trial.writeParticipantStudyData', 'trial.raiseQueries'],
  logs: 'updateQuery',
  body: QueryChange,
  returns: Query,
  run: (context) => {
    const { db, now, caller, trial, access, places, question, body, record } = context
    requireOwnQuery(context)
    const closes = body.status === 'closed' && question.status !== 'closed'
    if (closes && !mayClose(question, caller.user._id) && !holds(access, 'admin', places)) {
      throw refuse.missingPermission(['trial.admin'])
    }
    const added = (body.assignees ?? []).filter((user) => !question.assignees.includes(user))
    requireReaders(db, configuration(db, trial), { ...question, places }, added)
    updateQuery(db, question._id, { ...body, updatedAt: now })
    mailQueryAssignees(context, question._id, added, 'assigned')
    const { status, assignees } = question
    record({
      participant: question.participant,
      event: changedFields({ status, assignees }, { status, assignees, ...body }),
    })
    return queryView(context, question._id)
  },
})

const answerQuery = operation({
  id: 'answerQuery',
  method: 'POST',
  path: '/queries/:queryId/messages',
  summary: 'Answer a query',
  description:
    'A message of the person who raised the query opens it again; a message of anybody else makes it answered. With trial.raiseQueries alone, only in your own.',
  scope: query,
  needs: ['trial.writeParticipantStudyData', 'trial.raiseQueries'],
  logs: 'answerQuery',
  body: NewMessage,
  returns: Query,
  run: (context) => {
    const { db, now, id, caller, question, body, record } = context
    requireOwnQuery(context)
    if (question.status === 'closed') throw refuse.bad('queryClosed')
    const attachments = usableAttachments(db, { forType: 'query', forId: question._id }, body.attachments)
    const message = { _id: id(), user: caller.user._id, text: body.text, attachments, at: now }
    record({ participant: question.participant, event: addReply(db, question, message) })
    mailQueryAssignees(context, question._id, [...question.assignees, question.raisedBy], 'answered')
    return queryView(context, question._id)
  },
})

export const queryOperations = [listQueries, raiseQuery, readQuery, editQuery, answerQuery] as const
