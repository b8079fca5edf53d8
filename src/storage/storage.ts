import type { Instant } from '#kernel/time'
import type { Growth } from './growingFile'

/** The parts of the storage that operations need. */
export type Storage = {
  /** A URL that takes one PUT of the bytes. */
  uploadUrl(storedName: string, expiresAt: Instant): string
  /** A URL that downloads the file. @param name the name under which the browser saves it */
  downloadUrl(storedName: string, name: string, expiresAt: Instant): string
  /** A URL that shows a rendering in the browser. @param type its media type */
  previewUrl(name: string, fileName: string, type: string, expiresAt: Instant): string
  /** Creates another name for the same content, as a hard link: it needs no space. Synchronous, for use in a transaction. */
  link(storedName: string, newName: string): void
  /** Keeps a file of the folder of exports as an upload, under another name. Synchronous, for use in a transaction; a second time it does nothing. */
  keepExport(name: string, storedName: string): void
  /**
   * Adds bytes to an announced upload, which is complete with the last. Returns how many bytes it has now.
   * @throws 404 if none was announced under that name, 400 for more bytes than declared, 409 with `details.received` for bytes that belong elsewhere, 507 if the disk is full
   */
  receive(storedName: string, from: number, bytes: Uint8Array<ArrayBuffer>): Promise<number>
  /** Deletes the file from the disk; does nothing if there is none. */
  remove(storedName: string): Promise<void>
  /** The same storage, with URLs that begin with this origin. @param reader the reader to whom download links are given; see `Claims` */
  at(origin: string, reader?: () => string | undefined): Storage
  /** Exports that are being written although they have a link already, by stored name. */
  growingExports: Map<string, Growth>
  /** The folder of exports. */
  exports: string
  /** The folder of uploads. */
  files: string
}

/** Returns the URL of a stored file. @param name the name under which the browser saves it */
export type LinkMaker = (storedName: string, name: string) => string
