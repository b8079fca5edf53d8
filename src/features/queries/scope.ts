import type { Asked, Scope } from '../../http/operation'
import { found, refuse } from '../../kernel/problem'
import { hiddenFrom } from '../responses/read'
import { type InResponse, responseSeenBy } from '../responses/scope'
import { configuration } from '../stages/configuration'
import { trialSeenBy } from '../trials/scope'
import { type FullQuery, queryById } from './queries'

/** As `question`, since `query` is the query string of the request. */
type InQuery = InResponse & { question: FullQuery }

/** The query of that `_id`, if the caller sees its response and its field; else 404. */
export function querySeenBy(asked: Pick<Asked, 'db' | 'caller'>, id: string): InQuery {
  const question = found(queryById(asked.db, id), 'query')
  const seen = responseSeenBy(asked, trialSeenBy(asked, question.trial, 'query'), question.response)
  if (question.dataType !== null) {
    const hidden = hiddenFrom(configuration(asked.db, seen.trial), seen.access!, seen.places)
    if (hidden(question.dataType)) throw refuse.missing('query')
  }
  return { ...seen, question }
}

/** The query that `:queryId` names. */
export const query: Scope<InQuery> = (asked) => querySeenBy(asked, asked.params.queryId!)
