/** The session of the person, for all parts of the account. */

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import type { Answer, ask } from '#web/kit/api/send'

/** An account as the API shows it to its owner; the parts that the pages use. */
export type User = AnswerOf<'readOwnUser'>

/** An API key as the list shows it: never the key itself. */
export type ApiKey = AnswerOf<'listApiKeys'>['apiKeys'][number]

/** A study to which a key can be limited. */
export type KeyTrial = AnswerOf<'listApiKeys'>['trials'][number]

export type TwoStep = AnswerOf<'readTotp'>

type Method = Parameters<typeof ask>[1]

export type SessionContext = {
  user: User
  /** Takes over what a change of the account returned. */
  setUser(user: User): void
  /** Sends a request in the session. If the session has ended, the page asks the person to sign in again. */
  send<T>(method: Method, path: string, body?: unknown): Promise<Answer<T>>
}

const context = createContext<SessionContext | undefined>(undefined)

export const SessionProvider = context.Provider

export function useSession(): SessionContext {
  const session = useContext(context)
  if (!session) throw new Error('A part of the account is outside of a session.')
  return session
}
