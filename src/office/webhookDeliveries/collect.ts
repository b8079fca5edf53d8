/** Turns new entries of the audit trail into deliveries, in the background: an act itself does not know of webhooks. */
import type { Db } from '#db/open'
import { newId } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { entryTypes, eventOf, subjectOf } from '#office/webhooks/events'
import { setState, type WebhookRow, webhooksBehind } from '#office/webhooks/store'
import { entryAt, entryTypesAfter, insertDelivery, isFirstSubmission, waitingCount } from './store'

/** Entries of one webhook per commit. */
const PAGE = 200

/**
 * While this many deliveries of a webhook wait, it looks at no further entries: it goes on where it stopped, so that nothing is
 * lost, and a receiver that is down for days fills no disk.
 */
const MOST_WAITING = 5_000

const known = new Set(entryTypes)

/** Inserts the deliveries of the next entries. Returns whether more may be left. */
function collectFor(db: Db, webhook: WebhookRow, now: Instant): boolean {
  const { _id, trial, position } = webhook
  if (waitingCount(db, _id, MOST_WAITING) >= MOST_WAITING) return false
  const wanted = new Set(webhook.events)
  const rows = entryTypesAfter(db, trial, position, PAGE)
  for (const { number, type } of rows) {
    const entry = known.has(type) ? entryAt(db, trial, number) : undefined
    const event = entry && eventOf(entry, (submission) => isFirstSubmission(db, submission))
    if (!entry || !event || !wanted.has(event)) continue
    const about = { event, subject: subjectOf(entry, trial), participant: entry.participant }
    insertDelivery(db, { _id: newId(now), webhook: _id, entry: number, ...about }, now)
  }
  const last = rows.at(-1)
  if (last) setState(db, _id, { position: last.number })
  return rows.length === PAGE
}

/** Inserts the deliveries of the next entries for each webhook that is behind. Returns whether more may be left. */
export function collectEvents(db: Db, now: Instant): boolean {
  let isMoreLeft = false
  for (const webhook of webhooksBehind(db)) if (collectFor(db, webhook, now)) isMoreLeft = true
  return isMoreLeft
}
