/** What the lists of tables have in common. */

export type PersonalTable = {
  /** The condition (SQL) on the rows about `$participant`. */
  rows: string
  /** Study data, and facts about it, that stay. */
  kept: readonly string[]
  /** Columns with personal information, each with the value (SQL) that it gets. */
  erased?: Readonly<Record<string, string>>
  /** Columns whose personal parts src/conduct/personalData/erase.ts takes out, row by row. */
  erasedPartly?: readonly string[]
  /** The rows are deleted: they are of use only for who takes part. */
  deleted?: true
  /** Columns with secrets and inner workings, among those above, which the report leaves out. */
  notReported?: readonly string[]
}

/** Tables by name. */
export type PersonalTables = Readonly<Record<string, PersonalTable>>

export const OF_PARTICIPANT = 'participant = $participant'
/** The responses of a participant, and those of theirs that were deleted. */
export const KEY = '(SELECT key FROM participants WHERE _id = $participant)'
export const RESPONSES = `(SELECT _id FROM storedResponses WHERE participant = ${KEY}
  UNION SELECT response FROM responseEvents WHERE ${OF_PARTICIPANT} AND type = 'deleted')`
export const QUERIES = `(SELECT _id FROM queries WHERE ${OF_PARTICIPANT})`
export const APPOINTMENTS = `(SELECT _id FROM appointments WHERE ${OF_PARTICIPANT})`
/** The sessions of the participant's consents, and those that staff started with them. */
export const CONSENT_SESSIONS = `(SELECT session FROM consents WHERE ${OF_PARTICIPANT}
  UNION SELECT _id FROM consentSessions WHERE ${OF_PARTICIPANT})`
