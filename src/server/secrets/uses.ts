/** What still needs an earlier key of the server (docs/security.md, "Keys of the server"). */
import { TOKEN_IDLE } from '#access/identify'
import { joinWindow } from '#conduct/appointments/rules'
import type { Db } from '#db/open'
import { DAY, type Instant, instantText } from '#kernel/time'
import type { DatedKey } from '#server/process/secretsFile'
import { keyedColumns } from './keyedColumns'
import { columnName } from './renew'
import * as store from './store'

/**
 * How long an earlier key is kept at least: as long as somebody stays signed in on a device that has no connection. What that kept, such
 * as the proof of when a form was opened, has come back by then. Links live 7 days at most, codes some minutes.
 */
export const LEAST_RETENTION = TOKEN_IDLE

/** `ends`: what happens to it when the key is forgotten at once. `remedy`: what to do, or until when to wait, so that nothing ends. */
export type KeyUse = { count: number; what: string; ends: string; remedy: string }

/** The longest meeting, and the time after it: none that began before is still open. */
const LONGEST_MEETING = 2 * DAY

/** What needs the key, without what is only counted in days. */
export function usesOf(db: Db, { version, until }: DatedKey, now: Instant): KeyUse[] {
  if (until === null) return []
  const meetings = store
    .meetingsBefore(db, until, now - LONGEST_MEETING)
    .filter((meeting) => joinWindow(meeting).joinUntil > now)
  const places = keyedColumns.map((place) => ({
    count: store.rowsIn(db, place).filter((row) => place.version(row) === version).length,
    what: `values in ${columnName(place)}`,
    ends: 'cannot be read any more',
    remedy: 'no key opens them; set them anew',
  }))
  const kept = store.keptBefore(db, until)
  const recoverable = store.recoverableWith(db, version)
  const lastMeeting = Math.max(...meetings.map((meeting) => joinWindow(meeting).joinUntil))
  const uses: KeyUse[] = [
    ...places,
    {
      ...{ count: store.pinsOf(db, version), what: 'PINs', ends: 'must be given anew' },
      remedy: 'each is made anew when it is next entered on a shared tablet; or give new ones',
    },
    {
      ...{ count: recoverable.length, what: 'accounts with unused recovery codes', ends: 'must make new codes' },
      remedy: `ask these people to make new codes on the page “Account”: ${recoverable.join(', ')}`,
    },
    {
      ...{ count: meetings.length, what: 'meetings to come' },
      ends: 'need their links from the app or the calendar again',
      remedy: `wait until ${meetings.length ? instantText(lastMeeting) : ''}, or plan them anew`,
    },
    {
      ...{ count: store.openCodesBefore(db, until), what: 'consents with an unused code for the first sign-in' },
      ends: 'need a new code',
      remedy: 'wait until these people sign in; or withdraw the consents of those who do not',
    },
    {
      ...{ count: kept.count, what: 'deletions that can be undone', ends: 'lose the secrets in them' },
      remedy: `wait until ${kept.last === null ? '' : instantText(kept.last)}, or purge them before`,
    },
    {
      ...{ count: store.unseenTablets(db, until), what: 'shared tablets that were not seen since' },
      ends: 'lose the answers that they have sealed',
      remedy: 'open them with a connection, or end those that are lost',
    },
  ]
  return uses.filter(({ count }) => count > 0)
}

/** Whether the key has been an earlier one for as long as what it made outside of the database may need it. */
export const isWaitOver = ({ until }: DatedKey, now: Instant): boolean =>
  until !== null && until + LEAST_RETENTION <= now
