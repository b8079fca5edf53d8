/**
 * The files of the pages as one pack: bundles, styles and pictures, each compressed with brotli, one after the other, and an index
 * that says where each is. The build puts it into the executable; from source it is made in memory.
 */

/** A file of the pack. */
export type PackedFile = {
  type: string
  /** Where its compressed bytes are in the pack. */
  start: number
  end: number
  /** A digest of its content. */
  hash: string
  /** Whether its name holds the digest, so that what has this name never changes. */
  isImmutable: boolean
}

/** What a page loads besides its HTML, as paths. */
export type Entry = {
  /** The module that it begins with. */
  script: string
  /** The modules that this one imports: the browser requests them at the same time. */
  imports: readonly string[]
  styles: readonly string[]
  /** The modules with its texts, by language. */
  texts: Readonly<Record<string, readonly string[]>>
}

export type PackIndex = {
  /** The files by their paths. */
  files: Readonly<Record<string, PackedFile>>
  /** The scripts of pages by the names of their front ends, such as `account`. */
  entries: Readonly<Record<string, Entry>>
  /** Other files by their names without a digest, such as `style.css`. */
  assets: Readonly<Record<string, string>>
}

/** A pack that can be read. */
export type Pack = {
  index: PackIndex
  /** The compressed bytes of a file. A compiled executable reads them from its own file only now. */
  read(file: PackedFile): Blob
}
