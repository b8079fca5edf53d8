/** Which boards and which of their readers are due for an e-mail. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { HOUR, type Instant } from '#kernel/time'
import { newestNumberSql, othersAfterSql, readUpToSql } from './store'

export type QueuedBoard = { site: Id; trial: Id; after: number }

/** At most `limit` boards with new messages whose readers are not in the mail queue yet. */
export const queuedBoards = (db: Db, limit: number): QueuedBoard[] =>
  db.$client
    .query<QueuedBoard, [{ limit: number }]>(
      `SELECT q.site, s.trial, q.after FROM (SELECT site, after FROM siteMessageQueue ORDER BY site LIMIT +$limit) q
       CROSS JOIN sites s ON s._id = q.site`,
    )
    .all({ limit })

/** Queues an e-mail about a board to these people: now, or an hour after their last one. */
export const queueReaders = (db: Db, now: Instant, { site, after }: QueuedBoard, people: readonly Id[]) =>
  db.$client
    .query<unknown, [{ site: Id; after: number; now: Instant; hour: number; people: string }]>(
      `INSERT INTO siteMessageMails (site, user, toldUpTo, dueAt) SELECT $site, value, $after, $now FROM json_each($people) WHERE TRUE
       ON CONFLICT (site, user) DO UPDATE SET dueAt = max($now, coalesce(mailedAt + $hour, 0)) WHERE dueAt IS NULL`,
    )
    .run({ site, after, now, hour: HOUR, people: JSON.stringify(people) })

export type DueReader = { user: Id; trial: Id }

/** The person who has been due the longest, and the trial of the board; null if nobody is due. */
export const nextDueReader = (db: Db, now: Instant): DueReader | null =>
  db.$client
    .query<DueReader, [{ now: Instant }]>(
      `SELECT m.user, s.trial FROM (SELECT user, site FROM siteMessageMails
         WHERE dueAt IS NOT NULL AND dueAt <= +$now ORDER BY dueAt LIMIT 1) m CROSS JOIN sites s ON s._id = m.site`,
    )
    .get({ now })

/** A board about which an e-mail to a person is due. `others`: messages of others that the person has not read and was not notified of. */
export type DueBoard = { site: Id; name: string; newest: number; others: number }

/** The boards of a trial of which a person is due to be told, oldest site first. */
export const dueBoards = (db: Db, { user, trial }: DueReader, now: Instant): DueBoard[] =>
  db.$client
    .query<DueBoard, [DueReader & { now: Instant }]>(
      `SELECT site, name, newest, ${othersAfterSql('b')} AS others FROM (
         SELECT m.site, m.user, s.name, ${newestNumberSql('m.site')} AS newest, max(m.toldUpTo, ${readUpToSql('m.site', 'm.user')}) AS upTo
         FROM siteMessageMails m CROSS JOIN sites s ON s._id = m.site
         WHERE m.user = +$user AND m.dueAt IS NOT NULL AND m.dueAt <= +$now AND s.trial = +$trial
       ) AS b ORDER BY site`,
    )
    .all({ user, trial, now })
