import { bool, integer, json, jsonText, key, moment, oneOf, primaryKey, real, table, text } from './columns'

const responseColumns = () => ({
  _id: key(),
  createdAt: moment().notNull(),
  updatedAt: moment().notNull(),
  stageRecurrence: integer().notNull(),
  score: real(),
  status: oneOf('successful', 'unsuccessful'),
  partialSubmission: bool().notNull().default(false),
  marks: integer().notNull().default(0),
})

/** The current state of each response, with the integer keys of what it refers to. Only statements that write use it. */
export const storedResponses = table('storedResponses', () => ({
  ...responseColumns(),
  stage: integer().notNull(),
  participant: integer(),
  layout: integer().notNull(),
  /** The newest submission, which holds the values. */
  submission: integer().notNull(),
  /** A list of the submission that each value came from, as JSON; null: all came from the newest. */
  sources: text(),
  /** How many fields have an entry: an answer, or a blank that replaced one. */
  entries: integer().notNull().default(0),
}))

/** The view of it that statements read: with the `_id` of each thing. */
export const responses = table('responses', () => ({
  ...responseColumns(),
  trial: text().notNull(),
  stage: text().notNull(),
  participant: text(),
  layout: text().notNull(),
  values: text().notNull(),
  /** The submission that all values came from, or a list with one for each, as JSON. */
  sources: text().notNull(),
}))

const submissionColumns = () => ({
  _id: integer().primaryKey(),
  at: moment().notNull(),
  response: text().notNull(),
  stageRecurrence: integer().notNull(),
  participant: text(),
  /** The positions in the layout of the values that it changed, as JSON; null: it is the first submission. */
  fields: text(),
  /** All values of the response after it. */
  values: text().notNull(),
  /** When answers were given, by position in the layout, as JSON, if the writer gave the times. */
  entered: text(),
  score: real(),
  partialSubmission: bool().notNull(),
  createdBy: text().notNull(),
  createdByType: oneOf('user', 'participant').notNull(),
  address: text(),
  device: text(),
  updateNote: text(),
  /** The id that the participant's device gave it; null for entries of staff. */
  entry: text(),
  /** Whether the answers were given before the form closed, and arrived after it. */
  sentLate: bool().notNull().default(false),
})

/** Every submission, append-only, with the integer key of its layout. Only statements that write use it. */
export const storedSubmissions = table('storedSubmissions', () => ({
  ...submissionColumns(),
  layout: integer().notNull(),
}))

/** The view of it that statements read. The layout says the trial and the stage. */
export const submissions = table('submissions', () => ({
  ...submissionColumns(),
  trial: text().notNull(),
  stage: text().notNull(),
  layout: text().notNull(),
}))

/** Entries of participants that the study refused, until staff take them over or refuse them. */
export const heldEntries = table('heldEntries', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  participant: text().notNull(),
  /** The id that the device gave the entry. */
  entry: text().notNull(),
  /** The occurrence, as the device named it: `<stageId>` or `<stageId>::<n>`. */
  path: text().notNull(),
  /** The answers as the device sent them. */
  body: jsonText().notNull(),
  /** Why the study refused it, as the device says. */
  code: text(),
  message: text(),
  status: oneOf('held', 'accepted', 'refused').notNull(),
  decidedAt: moment(),
  decidedBy: text(),
  reason: text(),
  /** The response that it became part of. */
  response: text(),
  /** The member of staff who read it in from a copy that the participant had saved; else null. */
  broughtBy: text(),
  /** When staff are to be notified by e-mail, and whether they were. */
  tellAt: moment().notNull(),
  isTold: bool().notNull().default(false),
}))

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
    /** When it was saved first; null if an earlier version did. */
    startedAt: moment(),
    saves: integer().notNull().default(1),
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
    /** The data types whose answers caused it. */
    reveals: json<string[]>().notNull(),
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
  type: oneOf(
    ...(['verified', 'unverified', 'cleared', 'status', 'signed', 'moved', 'deleted', 'ignored', 'restored'] as const),
  ).notNull(),
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
