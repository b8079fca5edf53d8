import type { JsonObject } from '#kernel/json'
import { json, key, moment, table, text } from './columns'

/** Saved exports. `settings` is what the query of an export says. */
export const exportDefinitions = table('exportDefinitions', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  updatedAt: moment().notNull(),
  trial: text().notNull(),
  name: text().notNull(),
  settings: json<JsonObject>().notNull(),
}))
