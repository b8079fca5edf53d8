/** Texts that an AI endpoint wrote about insights, and what is kept for dashboards. */
import type { Id } from '#kernel/id'
import { integer, json, key, moment, oneOf, primaryKey, table, text } from './columns'

export const insightTexts = table('insightTexts', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  trial: text().notNull(),
  /** The participant whom the text is about; null for one about the whole trial. */
  participant: text(),
  /** The name of the model that wrote it. */
  model: text().notNull(),
  text: text().notNull(),
  /** The data types whose answers the numbers behind it came from: readers see the text if they may see all of these. */
  reveals: json<Id[]>().notNull(),
}))

/** Insights on a trial and its sites, as they were computed. */
export const trialInsights = table(
  'trialInsights',
  () => ({
    trial: text().notNull(),
    /** '' for the whole trial. */
    site: text().notNull(),
    computedAt: moment().notNull(),
    /** How many entries the audit trail of the trial had then. */
    entries: integer().notNull(),
    /** How many they are about. */
    participants: integer().notNull(),
    numbers: json<unknown>().notNull(),
    /** Of sites with each other, in the row of the trial. */
    comparisons: json<unknown>().notNull(),
  }),
  (row) => [primaryKey({ columns: [row.trial, row.site] })],
)

/** Participants who are not archived, by the month of their registration. Triggers keep this and what follows (src/db/triggers/figures.ts). */
export const trialEnrolment = table(
  'trialEnrolment',
  () => ({
    trial: text().notNull(),
    /** `YYYY-MM`, in UTC. */
    month: text().notNull(),
    enrolled: integer().notNull().default(0),
  }),
  (row) => [primaryKey({ columns: [row.trial, row.month] })],
)

/** How many forms of each stage a participant is behind with. The progress writes it. */
export const overdueForms = table(
  'overdueForms',
  () => ({ participant: text().notNull(), stage: text().notNull(), forms: integer().notNull() }),
  (row) => [primaryKey({ columns: [row.participant, row.stage] })],
)

export const stageFigures = table(
  'stageFigures',
  () => ({
    /** The key of the stage. */
    stage: integer().notNull(),
    /** '' for the whole trial. */
    site: text().notNull(),
    completed: integer().notNull().default(0),
    overdue: integer().notNull().default(0),
  }),
  (row) => [primaryKey({ columns: [row.stage, row.site] })],
)

export const queryClosings = table('queryClosings', () => ({
  query: key(),
  closedAt: moment().notNull(),
}))

export const queryFigures = table(
  'queryFigures',
  () => ({
    trial: text().notNull(),
    /** '' for the whole trial. */
    site: text().notNull(),
    /** '' for queries on a whole response, '*' for all queries together. */
    dataType: text().notNull(),
    status: oneOf('open', 'answered', 'closed').notNull(),
    /** The day on which they were raised, since 1970; for closed ones, how many days they took. */
    days: integer().notNull(),
    queries: integer().notNull(),
  }),
  (row) => [primaryKey({ columns: [row.trial, row.site, row.dataType, row.status, row.days] })],
)
