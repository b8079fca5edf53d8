import { bool, integer, json, key, moment, oneOf, primaryKey, table, text } from './columns'

/** What somebody does with the link to a consent form. The migration says what the columns mean. */
export const consentSessions = table('consentSessions', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  form: text().notNull(),
  version: integer().notNull(),
  kind: oneOf('consent', 'withdrawal').notNull(),
  /** SHA-256 of the token. */
  hash: text().notNull(),
  expiresAt: moment().notNull(),
  removeAt: moment(),
  /** In person: the participant, and the member of staff who started the session. */
  participant: text(),
  startedBy: text(),
  /** The sheet was read to its end. */
  hasRead: bool().notNull().default(false),
  hasPassedQuiz: bool().notNull().default(false),
  /** The stored name of the photo of an identity document. */
  photo: text(),
  /** In person: the name of the witness, and of others who were there. */
  witness: text(),
  present: json<string[]>(),
}))

/** How many codes a trial sent on a day of its zone. */
export const codeDays = table(
  'codeDays',
  () => ({
    trial: text().notNull(),
    day: text().notNull(),
    count: integer().notNull(),
    /** The administrators were notified that half of the day's codes were sent. */
    isWarned: bool().notNull().default(false),
  }),
  (t) => [primaryKey({ columns: [t.trial, t.day] })],
)

export const consentEvents = table(
  'consentEvents',
  () => ({
    session: text().notNull(),
    number: integer().notNull(),
    createdAt: moment().notNull(),
    type: text().notNull(),
    content: json<Record<string, unknown>>().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.session, t.number] })],
)

export const consentVerifications = table('consentVerifications', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  session: text().notNull(),
  method: oneOf('email', 'phone', 'whatsapp').notNull(),
  address: text().notNull(),
  expiresAt: moment().notNull(),
  /** No code was sent, as no consent has this address. The response does not reveal this. */
  isSilent: bool().notNull(),
  /** The `_id` of the message in the outbox. */
  message: text(),
  tries: integer().notNull().default(0),
  verifiedAt: moment(),
}))

export const consents = table('consents', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  form: text().notNull(),
  version: integer().notNull(),
  session: text().notNull(),
  /** Random, so that the content of the row cannot be found by hashing guesses. */
  salt: text().notNull(),
  participant: text(),
  boundAt: moment(),
  startedBy: text(),
  fullName: text(),
  email: text(),
  phone: text(),
  whatsapp: text(),
  /** By the `id` of a statement. */
  confirmations: json<Record<string, boolean>>().notNull(),
  initials: json<Record<string, string>>().notNull(),
  signatureMethod: oneOf('drawn', 'typed').notNull(),
  /** The name as it was typed, or the drawing as PNG in base64. */
  signature: text(),
  photo: text(),
  /** The stored name of the signed PDF, and its SHA-256. */
  file: text().notNull(),
  fileHash: text().notNull(),
  codeNumber: integer().notNull().default(1),
  codeUsedAt: moment(),
  /** The `_id` of the message in the outbox that has the code. */
  codeMessage: text(),
  withdrawnAt: moment(),
  /** The member of staff who recorded the withdrawal; null if the person withdrew it themselves. */
  withdrawnBy: text(),
  withdrawalReason: text(),
  countersignedAt: moment(),
  countersignedBy: text(),
  countersignerName: text(),
  countersignedFile: text(),
  countersignedHash: text(),
  /** When the personal information of somebody who never became a participant was erased, with the documents. */
  erasedAt: moment(),
  /** What the person chose for their data when they withdrew. */
  withdrawalChoice: oneOf('keep', 'erasePersonalInformation', 'deleteAnswers'),
}))

/** Each response that came by the link of a consent, also if it was deleted. */
export const screenedResponses = table('screenedResponses', () => ({
  response: key(),
  trial: text().notNull(),
  consent: text().notNull(),
}))

/** The link to the form that follows the consent of a person who is not yet a participant. */
export const screenings = table('screenings', () => ({
  consent: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  stage: text().notNull(),
  /** SHA-256 of the token. */
  hash: text().notNull(),
  expiresAt: moment().notNull(),
  /** What came by the link. */
  response: text(),
}))
