import type { Checks } from './checks'
import type { Client } from './client'
import type { Person, Plan } from './plan'
import type { SubmissionRecord } from './record'
import type { Trial } from './trial'

/** The state of a running study. */
export type Study = {
  plan: Plan
  trial: Trial
  owner: Client
  anonymous: Client
  members: Map<string, Member>
  record: SubmissionRecord
  checks: Checks
  /** The queries that the monitor raised. */
  queries: RaisedQuery[]
  /** How many timelines the job of the amendment recalculated; undefined if no job was needed. */
  recalculated: number | undefined
}

/** A registered participant. */
export type Member = {
  person: Person
  _id: string
  /** Undefined for participants who sign in with a link. */
  password: string | undefined
  app: Client
  state: 'active' | 'withdrawn' | 'archived'
}

/** A query that the monitor raised, in its expected state. */
export type RaisedQuery = {
  _id: string
  response: string
  site: number
  participantId: string
  status: 'closed' | 'answered' | 'open'
}
