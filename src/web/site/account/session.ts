/** The session of the person, for all parts of the account. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Answer, ask } from '#web/kit/api/send'

/** An account as the API shows it to its owner; the parts that the pages use. */
export type User = {
  name: string
  email: string
  language: string | null
  teams: readonly { _id: string; name: string; permissions: readonly string[] }[]
}

/** The parts of a session that the pages use. */
export type Session = { user: User; csrfToken: string }

/** An API key as the list shows it: never the key itself. */
export type ApiKey = {
  _id: string
  name: string
  prefix: string
  isReadOnly: boolean
  /** The `_id`s of the only studies that it reaches; null for all. */
  trials: readonly string[] | null
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
  /** When a restored backup brought it back; null if it works. */
  suspendedAt: string | null
}

/** A study to which a key can be limited. */
export type KeyTrial = { _id: string; name: string; code: string }

export type TwoStep = { isOn: boolean; recoveryCodesLeft: number }

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
