/** The texts of the documents of the master file, from which the index of words is made. The index is in SQL only. */
import { bool, integer, moment, oneOf, table, text } from './columns'

/** Its `key` is in SQL only, as in the next two tables. */
export const masterFileKeys = table('masterFileKeys', () => ({ file: text().notNull() }))

export const masterFileTexts = table('masterFileTexts', () => ({
  text: text().notNull(),
  /** Whether the document goes on after the text. */
  isCut: bool().notNull(),
}))

export const masterFileVersionTexts = table('masterFileVersionTexts', () => ({
  version: text().notNull(),
  /** `none`: there is no text to read. */
  state: oneOf('waiting', 'read', 'none', 'failed').notNull(),
  /** Why the document could not be read, as a sentence. */
  problem: text(),
  /** The key of the text. */
  text: integer(),
  /** How often reading failed. */
  attempts: integer().notNull().default(0),
  /** When background work looks at it again; null if nothing is left to do. */
  dueAt: moment(),
}))
