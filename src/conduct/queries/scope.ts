import type { Staff } from '#access/caller'
import { type InResponse, responseSeenBy } from '#conduct/responses/scope'
import { configuration } from '#design/configuration/configuration'
import { hiddenFrom } from '#design/configuration/hidden'
import { trialSeenBy } from '#design/trials/scope'
import type { Asked, Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { type FullQuery, queryById } from './store'

/** The query is in `question`, as `query` is the query string of the request. */
type InQuery = InResponse & { question: FullQuery }

/** The query with this `_id`; 404 unless its response and its field are visible to the caller. */
export function querySeenBy(asked: Pick<Asked<Staff>, 'db' | 'caller'>, id: string): InQuery {
  const question = found(queryById(asked.db, id), 'query')
  const inResponse = responseSeenBy(asked, trialSeenBy(asked, question.trial, 'query'), question.response)
  if (question.dataType !== null) {
    const hidden = hiddenFrom(configuration(asked.db, inResponse.trial), inResponse.access, inResponse.places)
    if (hidden(question.dataType)) throw refuse.missing('query')
  }
  return { ...inResponse, question }
}

/** The query that `:queryId` names. */
export const query: Scope<InQuery, 'queryId'> = (asked) => querySeenBy(asked, asked.params.queryId)
