/**
 * Whether this browser is a shared tablet (docs/shared-tablets.md). That changes only when the page is loaded again. The service worker
 * has no such storage: on a tablet it is given nothing to do.
 */
import type { Draft, KeptFile } from './model'

const KEY = 'tablet'

export const isTablet = 'localStorage' in globalThis && localStorage.getItem(KEY) !== null

/** Makes the browser a shared tablet, or a device of one person again, from the next load on. */
export function becomeTablet(is: boolean): void {
  if (is) localStorage.setItem(KEY, 'yes')
  else localStorage.removeItem(KEY)
}

const until = new Map<string, string | null>()

/** Small things by name: they are kept on the device, and on a shared tablet only until the page is loaded again. */
export const small: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = isTablet
  ? {
      getItem: (name) => (until.has(name) ? (until.get(name) ?? null) : localStorage.getItem(name)),
      setItem: (name, value) => void until.set(name, value),
      removeItem: (name) => void until.set(name, null),
    }
  : globalThis.localStorage

/** What a shared tablet keeps of answers that the server does not have: sealed, so that nobody there can read them. */
export type Sealing = {
  /** Keeps a draft, in place of what was kept of it before. */
  draft(draft: Draft): Promise<void>
  /** Keeps the bytes of a file of a draft. */
  file(occurrence: string, file: KeptFile, bytes: Blob): Promise<void>
  /** Keeps the entry that a draft became, in its place. @param id of the entry */
  entry(id: string, draft: Draft): Promise<void>
  /** Forgets an entry with its files: the server has it, or the person removed it. */
  forgetEntry(id: string): Promise<void>
  forgetDraft(occurrence: string): Promise<void>
  /** Forgets all drafts with their files, also what is being sealed, and keeps none from now on. */
  dropDrafts(): Promise<void>
  /** Resolves when what was given so far is sealed. */
  settled(): Promise<unknown>
}

/** `now`: of the session on a shared tablet; undefined elsewhere. */
export const sealing: { now?: Sealing | undefined } = {}
