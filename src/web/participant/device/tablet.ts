/**
 * Whether this browser is a shared tablet (docs/shared-tablets.md). That changes only when the page is loaded again. The service worker
 * has no such storage: on a tablet it is given nothing to do.
 */
import type { Draft, KeptFile } from './model'

const KEY = 'tablet'

export const isTablet = 'localStorage' in globalThis && localStorage.getItem(KEY) !== null

/** Makes the browser a shared tablet, or a device of one person again, from the next load on. */
export function setTablet(isShared: boolean): void {
  if (isShared) localStorage.setItem(KEY, 'yes')
  else localStorage.removeItem(KEY)
}

const temporaryItems = new Map<string, string | null>()

/** Small values by name: they are kept on the device, and on a shared tablet only until the page is loaded again. */
export const smallStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = isTablet
  ? {
      getItem: (name) => (temporaryItems.has(name) ? (temporaryItems.get(name) ?? null) : localStorage.getItem(name)),
      setItem: (name, value) => void temporaryItems.set(name, value),
      removeItem: (name) => void temporaryItems.set(name, null),
    }
  : globalThis.localStorage

/** What a shared tablet keeps of answers that the server does not have: encrypted to the server's key, so that users of the tablet cannot read them. */
export type SealedStore = {
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
  /** Resolves when everything passed so far is sealed. */
  whenSealed(): Promise<unknown>
}

/** `now`: of the session on a shared tablet; undefined elsewhere. */
export const sealedStore: { now?: SealedStore | undefined } = {}
