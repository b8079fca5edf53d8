/**
 * E-mails to staff about queries. They contain the study, the participant's ID and the form; questions, messages and answers
 * do not leave the service.
 */
import type { Places } from '#access/caller'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import { occurrenceName } from '#design/schedule/occurrences'
import { writerOf } from '#design/trials/notices'
import type { Trial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { mailUsers } from '#outbox/messages'
import { joinTexts, type Writer } from '#texts/writer'
import { readersAmong } from './readers'
import { queryById } from './store'

/** What an e-mail says of a query. */
type QueryNotice = { participantId: string | null; stage: Id; stageRecurrence: number; dataType: Id | null }

/** A query that a rule raised, with its assignees. */
export type RaisedQuery = QueryNotice & { trial: Trial; places: Places; assignees: readonly Id[] }

const headings = {
  assigned: ({ writeCounted }: Writer, count: number, trial: string) =>
    writeCounted('queryAssigned.subject', count, { trial }),
  answered: ({ write }: Writer, _: number, trial: string) => write('queryMessage.subject', { trial }),
}

/** The people among these who can read a query on this field of a participant in these places. */
const readers = (db: Db, trial: Trial, places: Places, dataType: Id | null, people: readonly Id[]): Id[] =>
  readersAmong(db, configuration(db, trial), { trial: trial._id, places, dataType }, people)

type NoticeKind = keyof typeof headings

function mailNotice(
  db: Db,
  now: Instant,
  trial: Trial,
  people: readonly Id[],
  kind: NoticeKind,
  queries: readonly QueryNotice[],
): void {
  if (!people.length || !queries.length) return
  const { stages } = configuration(db, trial)
  mailUsers(db, now, trial._id, people, (language) => {
    const writer = writerOf(trial, language)
    const lines = queries.map(({ participantId: participant, stage, stageRecurrence }) => {
      const form = occurrenceName(stages.get(stage)!, stageRecurrence)
      return participant === null
        ? writer.write('query.unallocated', { form })
        : writer.write('query.form', { participant, form })
    })
    return {
      subject: headings[kind](writer, queries.length, trial.name),
      body: joinTexts(writer.write('query.study', { trial: trial.name }), ...new Set(lines)),
    }
  })
}

type NoticeContext = Pick<RequestContext, 'db' | 'now'> & {
  caller: { user: { _id: Id } }
  trial: Trial
  places: Places
}

/** Sends an e-mail about a query to the people among these who can read it, except to the caller. */
export function mailQueryAssignees(
  context: NoticeContext,
  query: Id,
  people: readonly (Id | null)[],
  kind: NoticeKind,
): void {
  const { db, now, caller, trial, places } = context
  const others = people.filter((user): user is Id => user !== null && user !== caller.user._id)
  if (!others.length) return
  const about = queryById(db, query)!
  mailNotice(db, now, trial, readers(db, trial, places, about.dataType, others), kind, [about])
}

/** Sends each assignee one e-mail for each trial, about all new queries of rules. */
export function mailRaisedQueries(db: Db, now: Instant, raised: readonly RaisedQuery[]): void {
  for (const queries of Map.groupBy(raised, ({ trial }) => trial._id).values()) {
    const { trial } = queries[0]!
    const known = queries.map((query) => ({
      query,
      recipients: readers(db, trial, query.places, query.dataType, query.assignees),
    }))
    for (const user of new Set(known.flatMap(({ recipients }) => recipients))) {
      const own = known.flatMap(({ query, recipients }) => (recipients.includes(user) ? [query] : []))
      mailNotice(db, now, trial, [user], 'assigned', own)
    }
  }
}
