import { bool, integer, json, key, moment, primaryKey, real, table, text } from './columns'

/** The current state of each response; see the migration for how `values` and `stamps` are read. */
export const responses = table('responses', {
  _id: key(),
  createdAt: moment().notNull(),
  updatedAt: moment().notNull(),
  trial: text().notNull(),
  stage: text().notNull(),
  stageRecurrence: integer().notNull(),
  participant: text(),
  layout: text().notNull(),
  values: json<unknown[]>().notNull(),
  stamps: json<number | (number | null)[]>().notNull(),
  score: real(),
  status: text().$type<'successful' | 'unsuccessful'>(),
  partialSubmission: bool().notNull().default(false),
})

/** Everything that was ever submitted, append-only. */
export const submissions = table('submissions', {
  _id: integer().primaryKey(),
  at: moment().notNull(),
  response: text().notNull(),
  trial: text().notNull(),
  stage: text().notNull(),
  stageRecurrence: integer().notNull(),
  participant: text(),
  layout: text().notNull(),
  fields: json<number[]>(),
  values: json<unknown[]>().notNull(),
  /** Times at which answers were given, by position in the layout, where the writer said so. */
  entered: json<Record<string, number>>(),
  score: real(),
  partialSubmission: bool().notNull(),
  createdBy: text().notNull(),
  createdByType: text().$type<'user' | 'participant'>().notNull(),
  address: text(),
  device: text(),
  updateNote: text(),
})

export const drafts = table(
  'drafts',
  {
    participant: text().notNull(),
    stage: text().notNull(),
    stageRecurrence: integer().notNull(),
    author: text().notNull(),
    savedAt: moment().notNull(),
    response: json<Record<string, { value: unknown; createdAt?: number }>>().notNull(),
    updateNote: text(),
  },
  (t) => [primaryKey({ columns: [t.participant, t.stage, t.stageRecurrence, t.author] })],
)

/** What a submission calls for later. */
export const dueNotifications = table('dueNotifications', {
  _id: key(),
  dueAt: moment().notNull(),
  participant: text().notNull(),
  response: text().notNull(),
  title: text(),
  body: text().notNull(),
})
