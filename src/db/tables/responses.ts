import { bool, integer, json, jsonText, key, moment, oneOf, primaryKey, real, table, text } from './columns'

/** The current state of each response; see the migration for how `values` and `sources` are read. */
export const responses = table('responses', {
  _id: key(),
  createdAt: moment().notNull(),
  updatedAt: moment().notNull(),
  trial: text().notNull(),
  stage: text().notNull(),
  stageRecurrence: integer().notNull(),
  participant: text(),
  layout: text().notNull(),
  values: jsonText().notNull(),
  sources: jsonText().notNull(),
  score: real(),
  status: oneOf('successful', 'unsuccessful'),
  partialSubmission: bool().notNull().default(false),
  marks: integer().notNull().default(0),
})

/** Every submission, append-only. */
export const submissions = table('submissions', {
  _id: integer().primaryKey(),
  at: moment().notNull(),
  response: text().notNull(),
  trial: text().notNull(),
  stage: text().notNull(),
  stageRecurrence: integer().notNull(),
  participant: text(),
  layout: text().notNull(),
  fields: jsonText(),
  values: jsonText().notNull(),
  /** When answers were given, by position in the layout, if the writer gave the times. */
  entered: jsonText(),
  score: real(),
  partialSubmission: bool().notNull(),
  createdBy: text().notNull(),
  createdByType: oneOf('user', 'participant').notNull(),
  address: text(),
  device: text(),
  updateNote: text(),
})

export const drafts = table(
  'drafts',
  () => ({
    participant: text().notNull(),
    stage: text().notNull(),
    stageRecurrence: integer().notNull(),
    author: text().notNull(),
    savedAt: moment().notNull(),
    /** The answers that it will submit: {dataType: {value, createdAt?}}. */
    response: jsonText().notNull(),
    updateNote: text(),
  }),
  (t) => [primaryKey({ columns: [t.participant, t.stage, t.stageRecurrence, t.author] })],
)

/** Notifications that a submission causes later. A sent one is not deleted, so that no amendment sends it again. */
export const dueNotifications = table(
  'dueNotifications',
  () => ({
    response: text().notNull(),
    component: text().notNull(),
    dueAt: moment().notNull(),
    sentAt: moment(),
    title: text(),
    body: text().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.response, t.component] })],
)

/** Changes of responses other than submissions, append-only. */
export const responseEvents = table('responseEvents', () => ({
  _id: integer().primaryKey(),
  at: moment().notNull(),
  trial: text().notNull(),
  response: text().notNull(),
  participant: text(),
  type: oneOf('verified', 'unverified', 'cleared', 'status', 'signed', 'moved', 'deleted', 'ignored').notNull(),
  createdBy: text().notNull(),
  createdByType: oneOf('user', 'participant').notNull(),
  content: jsonText().notNull(),
}))

export const verifications = table(
  'verifications',
  () => ({
    response: text().notNull(),
    dataType: text().notNull(),
    verifiedAt: moment().notNull(),
    verifiedBy: text().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.response, t.dataType] })],
)

export const signatures = table('signatures', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  participant: text().notNull(),
  isCasebook: bool().notNull(),
  meaning: text().notNull(),
  user: text().notNull(),
  userName: text().notNull(),
  hash: text().notNull(),
}))

export const signedResponses = table(
  'signedResponses',
  () => ({ signature: text().notNull(), response: text().notNull(), hash: text().notNull(), endedAt: moment() }),
  (t) => [primaryKey({ columns: [t.signature, t.response] })],
)

export const queries = table('queries', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  updatedAt: moment().notNull(),
  trial: text().notNull(),
  participant: text(),
  response: text().notNull(),
  dataType: text(),
  status: oneOf('open', 'answered', 'closed').notNull(),
  assignees: json<string[]>().notNull(),
  raisedBy: text(),
  rule: text(),
  instructions: text(),
  fingerprint: text(),
}))

export const queryMessages = table('queryMessages', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  query: text().notNull(),
  user: text(),
  text: text().notNull(),
  /** Stored names. */
  attachments: json<string[]>().notNull(),
}))
