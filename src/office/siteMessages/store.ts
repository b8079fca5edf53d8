/** Message boards in the database. Each page and count is found by index, however many messages there are. */
import type { VisibleScope } from '#access/caller'
import type { Db } from '#db/open'
import { insert, insertNew, rowById, rowsFrom, rowsWhere, updateWhere } from '#db/rows'
import { idempotencyKeys, siteMessageReads, siteMessages } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type SiteMessageRow = typeof siteMessages.$inferSelect

/** The SQL of the number of the newest message of a board; 0 if it has none. @param site an SQL expression, as is `user` below */
export const newestNumberSql = (site: string) =>
  `coalesce((SELECT max(number) FROM siteMessages WHERE site = ${site}), 0)`

/** The SQL of the number of the last message that an account has read on a board; 0 if none. */
export const readUpToSql = (site: string, user: string) =>
  `coalesce((SELECT max(upTo) FROM siteMessageReads WHERE site = ${site} AND user = ${user}), 0)`

/** The SQL of how many messages an account has written on a board, of those up to a number if there is one. */
const writtenCountSql = (site: string, user: string, upTo?: string) =>
  `coalesce((SELECT userNumber FROM siteMessages WHERE site = ${site} AND user = ${user}${
    upTo === undefined ? '' : ` AND number <= ${upTo}`
  } ORDER BY number DESC LIMIT 1), 0)`

/**
 * The SQL of how many messages of others a board has after a number: all of them, less those that the account wrote itself.
 * @param b the name of a row with `site`, `user`, `newest` and the number `upTo`
 */
export const othersAfterSql = (b: string) =>
  `${b}.newest - ${b}.upTo - ${writtenCountSql(`${b}.site`, `${b}.user`)} + ${writtenCountSql(`${b}.site`, `${b}.user`, `${b}.upTo`)}`

const value = (db: Db, expression: string, values: Record<string, string | number>): number =>
  db.$client.query<{ value: number }, [typeof values]>(`SELECT ${expression} AS value`).get(values)!.value

export const newestNumber = (db: Db, site: Id): number => value(db, newestNumberSql('$site'), { site })

/** The number of the last message of a board that an account has read; 0 if none. */
export const lastRead = (db: Db, site: Id, user: Id): number => value(db, readUpToSql('$site', '$user'), { site, user })

/** The messages of a board with numbers after the first and up to the second, newest first. */
export const messagesBetween = (db: Db, site: Id, after: number, upTo: number): SiteMessageRow[] =>
  rowsFrom(db, siteMessages, 'WHERE site = $site AND number > $after AND number <= $upTo ORDER BY number DESC', {
    site,
    after,
    upTo,
  })

/** A message of the board; undefined if it is not on it. */
export function messageOf(db: Db, site: Id, _id: Id): SiteMessageRow | undefined {
  const row = rowById(db, siteMessages, _id)
  return row?.site === site ? row : undefined
}

/** Adds a message to the end of a board. */
export const insertSiteMessage = (
  db: Db,
  message: Omit<typeof siteMessages.$inferInsert, 'number' | 'userNumber'>,
): SiteMessageRow => {
  const { site, user } = message
  return insert(db, siteMessages, {
    ...message,
    number: newestNumber(db, site) + 1,
    userNumber: value(db, writtenCountSql('$site', '$user'), { site, user }) + 1,
  })
}

/** The message and, if it is of a broadcast, the same on the other boards. */
export const copiesOf = (db: Db, row: SiteMessageRow): SiteMessageRow[] =>
  row.broadcast === null ? [row] : rowsWhere(db, siteMessages, { broadcast: row.broadcast })

/** Erases what a message says. The triggers allow this change only, and once. */
export const eraseContent = (db: Db, _id: Id, erasedAt: Instant) =>
  updateWhere(db, siteMessages, { _id }, { message: '', attachments: [], erasedAt })

/** Whether anything of a site still names an upload for it: a message, its image, a certificate, or a version of the configuration. */
export const isUsedAtSite = (db: Db, site: Id, trial: Id, storedName: string): boolean =>
  db.$client
    .query<unknown, [{ site: Id; trial: Id; storedName: string }]>(
      `SELECT 1 FROM siteMessages WHERE site = +$site AND instr(attachments, $storedName)
       UNION ALL SELECT 1 FROM sites WHERE _id = +$site AND image = +$storedName
       UNION ALL SELECT 1 FROM trainings WHERE site = +$site AND certificate = +$storedName
       UNION ALL SELECT 1 FROM configurationVersions WHERE trial = +$trial AND instr(snapshot, $storedName) LIMIT 1`,
    )
    .get({ site, trial, storedName }) !== null

/**
 * Whether anything of a trial still names an upload for it: a broadcast, the image of a site, the logo, a form, a resource for
 * participants, an import that is under way, or a version of the configuration.
 */
export const isUsedInTrial = (db: Db, _site: Id, trial: Id, storedName: string): boolean =>
  db.$client
    .query<unknown, [{ trial: Id; storedName: string }]>(
      `SELECT 1 FROM sites s CROSS JOIN siteMessages m ON m.site = s._id
         WHERE s.trial = +$trial AND m.broadcast IS NOT NULL AND instr(m.attachments, $storedName)
       UNION ALL SELECT 1 FROM sites WHERE trial = +$trial AND image = +$storedName
       UNION ALL SELECT 1 FROM trials WHERE _id = +$trial AND instr(settings, $storedName)
       UNION ALL SELECT 1 FROM stages WHERE trial = +$trial AND (instr(settings, $storedName) OR instr(components, $storedName))
       UNION ALL SELECT 1 FROM participantResources
         WHERE trial = +$trial AND (storedName = +$storedName OR instr(html, $storedName))
       UNION ALL SELECT 1 FROM jobs WHERE trial = +$trial AND status = 'pending' AND instr(input, $storedName)
       UNION ALL SELECT 1 FROM configurationVersions WHERE trial = +$trial AND instr(snapshot, $storedName) LIMIT 1`,
    )
    .get({ trial, storedName }) !== null

/** Empties the answers that are kept for repeated requests and hold what a message said: a repeated request does not send it again. */
export const clearStoredAnswers = (db: Db, trial: Id, { user: caller, createdAt }: SiteMessageRow) =>
  updateWhere(db, idempotencyKeys, { caller, trial, createdAt }, { answer: Buffer.alloc(0) })

/** Records that an account has read a board up to a number. One that had read so far already keeps what it had. */
export function recordReading(db: Db, site: Id, user: Id, upTo: number, readAt: Instant): void {
  if (upTo > lastRead(db, site, user)) insertNew(db, siteMessageReads, { site, user, upTo, readAt })
}

type Unread = { site: Id; unread: number }

const unreadOf = (db: Db, from: string, values: Record<string, string>): Unread[] =>
  db.$client
    .query<Unread, [typeof values]>(
      `SELECT site, ${othersAfterSql('b')} AS unread FROM (
         SELECT s._id AS site, +$user AS user, ${newestNumberSql('s._id')} AS newest, ${readUpToSql('s._id', '+$user')} AS upTo ${from}
       ) AS b ORDER BY site`,
    )
    .all(values)

/** How many messages of others an account has not read on the board of a site. */
export const unreadOn = (db: Db, site: Id, user: Id): number =>
  unreadOf(db, 'FROM sites s WHERE s._id = +$site', { site, user })[0]?.unread ?? 0

/** The same for each site of a trial in this set, oldest first. */
export const unreadIn = (db: Db, trial: Id, visible: VisibleScope, user: Id): Unread[] =>
  visible === 'all'
    ? unreadOf(db, 'FROM sites s WHERE s.trial = +$trial', { trial, user })
    : unreadOf(db, 'FROM json_each($sites) CROSS JOIN sites s ON s._id = value', {
        sites: JSON.stringify(visible.sites),
        user,
      })

/** At most `limit` messages of a board after a number that were written by a moment, oldest first. */
export const messagesAfter = (db: Db, site: Id, after: number, by: Instant, limit: number): SiteMessageRow[] =>
  rowsFrom(
    db,
    siteMessages,
    'WHERE site = $site AND number > $after AND createdAt <= $by ORDER BY number LIMIT +$limit',
    { site, after, by, limit },
  )
