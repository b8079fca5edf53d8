/** What the database holds that was made with a key of the server, as SQL. */
import type { Db, Sqlite } from '#db/open'
import { deleteWhere, rowsFrom } from '#db/rows'
import { appointments, participantPins, recoveryCodes } from '#db/tables/index'
import type { Instant } from '#kernel/time'

type Connection = { $client: Sqlite }

/** A column that holds such a value. `key`: of its table. `also`: what else its text depends on, of the row `r` or of the tables of `join`. */
export type SecretColumn = {
  table: string
  column: string
  key: readonly string[]
  also?: string
  join?: string
  where?: string
}

/** A row with its key, the value (`value`), and what else was asked for. */
export type SecretRow = Readonly<Record<string, string>> & { readonly value: string | Uint8Array }

/** The rows that have a value in this place. */
export const rowsIn = (
  { $client }: Connection,
  { table, column, key, also, join = '', where = 'TRUE' }: SecretColumn,
): SecretRow[] =>
  $client
    .query<SecretRow, []>(
      `SELECT ${key.map((each) => `r."${each}"`).join(', ')}, r."${column}" AS value ${also ? `, ${also}` : ''}
       FROM "${table}" AS r ${join} WHERE r."${column}" IS NOT NULL AND ${where}`,
    )
    .all()

/** Replaces a value, unless it was changed meanwhile. Returns whether it did. */
export const replaceIn = (
  { $client }: Connection,
  { table, column, key }: SecretColumn,
  row: SecretRow,
  next: string | Uint8Array,
): boolean =>
  $client
    .query<unknown, [Record<string, string | Uint8Array>]>(
      `UPDATE "${table}" SET "${column}" = $next
       WHERE ${key.map((each) => `"${each}" = $${each}`).join(' AND ')} AND "${column}" = $value`,
    )
    .run({ ...Object.fromEntries(key.map((each) => [each, row[each]!])), value: row.value, next }).changes > 0

/** The condition that a hash names this version of the key. */
const isOf = (column: string, version: number) =>
  version === 1 ? `${column} NOT GLOB '[1-9]*.*'` : `${column} GLOB '${version}.*'`

const count = ({ $client }: Connection, sql: string, values: Record<string, number> = {}): number =>
  $client.query<{ count: number }, [Record<string, number>]>(`SELECT count(*) AS count FROM ${sql}`).get(values)!.count

/** PINs that were hashed with this version. */
export const pinsOf = (db: Connection, version: number): number =>
  count(db, `participantPins WHERE ${isOf('hash', version)}`)

/** The e-mail addresses of accounts with unused recovery codes that were hashed with this version. */
export const recoverableWith = ({ $client }: Connection, version: number): string[] =>
  $client
    .query<{ email: string }, []>(
      `SELECT email FROM users WHERE _id IN
         (SELECT user FROM recoveryCodes WHERE usedAt IS NULL AND ${isOf('hash', version)}) ORDER BY email`,
    )
    .all()
    .map(({ email }) => email)

/** Consents from before a moment whose code for the first sign-in was not used. */
export const openCodesBefore = (db: Connection, until: Instant): number =>
  count(
    db,
    `consents WHERE createdAt < $until AND codeUsedAt IS NULL AND withdrawnAt IS NULL
     AND coalesce(email, phone, whatsapp) IS NOT NULL`,
    { until },
  )

/** How much was deleted before a moment and can be restored, and until when the last of it can. */
export const keptBefore = ({ $client }: Connection, until: Instant) =>
  $client
    .query<{ count: number; last: Instant | null }, [{ until: Instant }]>(
      `SELECT count(*) AS count, max(restorableUntil) AS last FROM deletions WHERE status = 'kept' AND createdAt < $until`,
    )
    .get({ until })!

/** Shared tablets that were opened, have not ended, and have not been seen since a moment. */
export const unseenTablets = (db: Connection, until: Instant): number =>
  count(
    db,
    `sharedDevices WHERE endedAt IS NULL AND openedAt IS NOT NULL AND coalesce(lastSeenAt, openedAt) < $until`,
    {
      until,
    },
  )

/** Meetings that were planned before a moment, and begin after another. */
export const meetingsBefore = (db: Db, until: Instant, from: Instant) =>
  rowsFrom(db, appointments, 'WHERE isMeeting AND cancelledAt IS NULL AND createdAt < +$until AND startsAt > +$from', {
    until,
    from,
  })

/** Ends the PINs and the unused recovery codes of this version. */
export function endHashes(db: Db, version: number): void {
  const of = `WHERE ${isOf('hash', version)}`
  for (const { participant } of rowsFrom(db, participantPins, of)) deleteWhere(db, participantPins, { participant })
  for (const { _id } of rowsFrom(db, recoveryCodes, `${of} AND usedAt IS NULL`)) deleteWhere(db, recoveryCodes, { _id })
}

/** The versions of whose rotation the log of the service has an entry. */
export const loggedVersions = ({ $client }: Connection): number[] =>
  $client
    .query<{ version: number }, []>(
      `SELECT event ->> 'version' AS version FROM auditEntries WHERE chain = 'service' AND type = 'rotateSecrets'`,
    )
    .all()
    .map(({ version }) => version)
