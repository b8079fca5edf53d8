import type { Client } from './client'
import type { Ledger } from './ledger'
import type { Person, Plan } from './plan'
import type { Trial } from './trial'
import type { Witness } from './witness'

/** A study under way. */
export type Study = {
  plan: Plan
  trial: Trial
  owner: Client
  nobody: Client
  members: Map<string, Member>
  ledger: Ledger
  witness: Witness
  /** What the monitor asked. */
  queries: Raised[]
  /** How many participants the job of the amendment brought up to date, where one was needed. */
  updated: number | undefined
}

/** A participant who was registered. */
export type Member = {
  person: Person
  _id: string
  /** Undefined for those who come with a link. */
  password: string | undefined
  app: Client
  state: 'active' | 'withdrawn' | 'archived'
}

/** A query that the monitor raised, as it must be. */
export type Raised = {
  _id: string
  response: string
  site: number
  participantId: string
  status: 'closed' | 'answered' | 'open'
}
