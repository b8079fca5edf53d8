/** The trial master file: its files, and their versions. */
import { integer, json, key, moment, oneOf, primaryKey, table, text } from './columns'

const status = () => oneOf('draft', 'approved', 'rejected')

// biome-ignore format: a list of words
const type = () => oneOf(
  'protocol', 'amendments', 'crf', 'contract', 'correspondence', 'cv',
  'ethics', 'financial', 'hra', 'laboratory', 'legal', 'managementDocumentation',
  'monitoringAndAudit', 'participants', 'plans', 'regulatory', 'reports', 'researchAndDevelopment',
  'sop', 'staff', 'workingInstruction', 'draft', 'other',
)

export const masterFiles = table('masterFiles', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  updatedAt: moment().notNull(),
  trial: text().notNull(),
  /** Null for a file of the whole trial. */
  site: text(),
  name: text().notNull(),
  /** The name as a search compares it. */
  folded: text().notNull(),
  type: type().notNull(),
  description: text(),
  tags: json<string[]>().notNull(),
  assignees: json<string[]>().notNull(),
  /** The number of the newest version; 0 if there is none. A trigger keeps it, and the next three. */
  latest: integer().notNull().default(0),
  /** The status of the newest version. */
  status: status(),
  /** The number of the newest approved version. */
  approved: integer(),
  /** The last day on which that version is valid; 9999-12-31 if it does not expire. */
  approvedUntil: text(),
}))

export const masterFileTags = table(
  'masterFileTags',
  () => ({
    trial: text().notNull(),
    /** In the form that a filter compares. */
    tag: text().notNull(),
    file: text().notNull(),
    /** The site of the file, or its trial. */
    place: text().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.trial, t.tag, t.file] })],
)

export const masterFileAssignees = table(
  'masterFileAssignees',
  () => ({ trial: text().notNull(), user: text().notNull(), file: text().notNull() }),
  (t) => [primaryKey({ columns: [t.trial, t.user, t.file] })],
)

export const masterFileVersions = table('masterFileVersions', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  file: text().notNull(),
  number: integer().notNull(),
  name: text().notNull(),
  /** The upload that holds its bytes; copies share it. */
  storedName: text().notNull(),
  /** The name of the file that was uploaded. */
  originalName: text().notNull(),
  mimeType: text().notNull(),
  size: integer().notNull(),
  sha256: text().notNull(),
  uploader: text().notNull(),
  /** Their name when they uploaded it. */
  uploaderName: text().notNull(),
  /** A day, `YYYY-MM-DD`. */
  expiresAt: text(),
  /** The only columns that change: the status, and when and by whom it was set. */
  status: status().notNull(),
  statusAt: moment().notNull(),
  statusBy: text().notNull(),
}))

/** Essential records that a trial or a site does not need, with the reason. */
export const recordExemptions = table('recordExemptions', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  /** Their name when they gave the reason. */
  createdByName: text().notNull(),
  trial: text().notNull(),
  /** Null for a record of the whole trial, or of each of its sites. */
  site: text(),
  record: text().notNull(),
  reason: text().notNull(),
}))
