/** Secret links to calendars. Only their hash is stored. */
import type { Db } from '#db/open'
import { deleteWhere, insert, rowWhere } from '#db/rows'
import { calendarLinks } from '#db/tables/index'
import { type Id, sha256 } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type CalendarLink = typeof calendarLinks.$inferSelect

/** Whose calendar: that of a participant, or the one of a member of staff in a trial. */
export type LinkOwner = { trial: Id; participant: Id } | { trial: Id; user: Id }

/** The current link; undefined if there is none. */
export const linkOf = (db: Db, owner: LinkOwner): CalendarLink | undefined => rowWhere(db, calendarLinks, owner)

/** Deletes the current link; returns whether there was one. */
export const endLink = (db: Db, owner: LinkOwner): boolean => deleteWhere(db, calendarLinks, owner) > 0

/** Saves a link in place of the current one. */
export function replaceLink(db: Db, owner: LinkOwner, token: string, now: Instant): CalendarLink {
  endLink(db, owner)
  return insert(db, calendarLinks, { ...owner, hash: sha256(token), createdAt: now })
}

/** The link of a token; undefined if there is none, or no longer. */
export const linkByToken = (db: Db, token: string): CalendarLink | undefined =>
  rowWhere(db, calendarLinks, { hash: sha256(token) })
