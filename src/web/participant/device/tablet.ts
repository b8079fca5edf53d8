/** What a shared tablet keeps of the person who uses it (docs/shared-tablets.md). */
import type { KeptFile } from '#web/form/answers/model'
import type { Draft } from './model'

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
