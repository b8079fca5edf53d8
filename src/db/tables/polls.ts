/** Answers to polls. See the migration. */
import { json, key, moment, table, text } from './columns'

/** An attribute of a custom link. */
export type LinkAttribute = { name: string; value: string }

export const pollAnswers = table('pollAnswers', () => ({
  response: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  stage: text().notNull(),
  /** The id that the device gave the answers. */
  entry: text().notNull(),
  /** The custom link by which they came; null for the plain link. */
  link: text(),
  linkName: text(),
  attributes: json<LinkAttribute[]>().notNull(),
  email: text(),
  phone: text(),
}))
