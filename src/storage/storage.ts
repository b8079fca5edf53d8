import type { Instant } from '#kernel/time'

/** Signed URLs to files: what operations need of the storage. */
export type Storage = {
  /** A URL that takes one PUT of the bytes. */
  uploadUrl(storedName: string, expiresAt: Instant): string
  /** A URL that gives the file. @param name how the browser should name it */
  downloadUrl(storedName: string, name: string, expiresAt: Instant): string
  /** Another name for the same content, at no cost of space. Synchronous, so that it can stand in a transaction. */
  link(storedName: string, newName: string): void
  /** Deletes the file from the disk; without one, does nothing. */
  remove(storedName: string): Promise<void>
  /** Where exports are written. */
  exports: string
  /** Where uploads are kept. */
  files: string
}

/** Gives the URL of a stored file. */
export type Link = (storedName: string, name: string) => string
