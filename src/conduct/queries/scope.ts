import type { Staff } from '#access/caller'
import { type ResponseScope, responseVisibleTo } from '#conduct/responses/scope'
import { configuration } from '#design/configuration/configuration'
import { hiddenFrom } from '#design/hiddenFields/hiddenFields'
import { trialVisibleTo } from '#design/trials/scope'
import type { RequestContext, Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { type FullQuery, queryById } from './store'

/** The query is in `question`, as `query` is the query string of the request. */
export type QueryScope = ResponseScope & { question: FullQuery }

/** The query with this `_id`; 404 unless its response and its field are visible to the caller. */
export function queryVisibleTo(context: Pick<RequestContext<Staff>, 'db' | 'caller'>, id: string): QueryScope {
  const question = found(queryById(context.db, id), 'query')
  const inTrial = trialVisibleTo(context, question.trial, 'query')
  const inResponse = responseVisibleTo(context, inTrial, question.response, 'query')
  if (question.dataType !== null) {
    const hidden = hiddenFrom(configuration(context.db, inResponse.trial), inResponse.access, inResponse.places)
    if (hidden(question.dataType)) throw refuse.missing('query')
  }
  return { ...inResponse, question }
}

/** The query that `:queryId` names. */
export const query: Scope<QueryScope, 'queryId'> = (context) => queryVisibleTo(context, context.params.queryId)
