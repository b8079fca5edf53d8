import type { Client } from './client'
import type { Ledger } from './ledger'
import type { Person, Plan } from './plan'
import type { Trial } from './trial'
import type { Witness } from './witness'

/** The state of a running study. */
export type Study = {
  plan: Plan
  trial: Trial
  owner: Client
  nobody: Client
  members: Map<string, Member>
  ledger: Ledger
  witness: Witness
  /** The queries that the monitor raised. */
  queries: Raised[]
  /** How many timelines the job of the amendment recalculated; undefined if no job was needed. */
  updated: number | undefined
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
export type Raised = {
  _id: string
  response: string
  site: number
  participantId: string
  status: 'closed' | 'answered' | 'open'
}
