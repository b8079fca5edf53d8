/** Reminds participants to connect an account, or to connect it again (docs/wearables.md, "Reminders to connect"). */
import { featuresOf } from '#access/features'
import { addAutomaticMessage } from '#conduct/messages/automaticMessages'
import { isMessagingStopped } from '#conduct/participants/consentStateStore'
import { placesOf } from '#conduct/participants/memberships'
import { zoneOf } from '#conduct/timeline/progress'
import { titleOf } from '#conduct/wearables/providers/list'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import { providers } from '#design/trials/model'
import { notificationTitle, trialNameFor, writerOf } from '#design/trials/notices'
import { settingsOf } from '#design/trials/rules'
import { sharedTrial } from '#design/trials/store'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { DAY, HOUR, type Instant } from '#kernel/time'
import { clockOf, instantOf, zoneOf as zoneNamed } from '#kernel/zones'
import { canBeReached, messageParticipant } from '#outbox/messages'
import { channels } from '#outbox/status'
import {
  changeReminder,
  dueReminders,
  insertReminder,
  participantsWithoutReminder,
  type ReminderRow,
  remindingTrials,
  saveReminderCursor,
} from './reminderStore'
import { isUsedFor } from './rules'
import { connectionOf, type Service } from './store'

/** The days between two reminders, and how many there are at most. */
const INTERVAL_DAYS = 7
const MAX_REMINDERS = 4
/** The hour of the day at which they are sent, by the clock of the participant. */
const SEND_AT = 10 * HOUR

/** The next time at which reminders are sent, not before so many days have passed. */
function nextTime(now: Instant, zone: string, days: number): Instant {
  const named = zoneNamed(zone)
  const day = Math.floor(clockOf(named, now) / DAY) + days
  const at = instantOf(named, day * DAY + SEND_AT)
  return at > now ? at : instantOf(named, (day + 1) * DAY + SEND_AT)
}

type ReminderContext = Pick<Services, 'db' | 'publicUrl' | 'wearables'>

/** Sends what is due of one row. Returns when to look again; null for never. */
function sendReminder(
  { db, publicUrl, wearables }: ReminderContext,
  row: ReminderRow,
  now: Instant,
): { dueAt: Instant | null; sent: number } {
  const { service, sent } = row
  const participant = rowById(db, participants, row.participant)!
  const trial = sharedTrial(db, participant.trial)!
  const settings = settingsOf(trial)
  const zone = zoneOf(participant, trial)
  const connection = connectionOf(db, participant._id, service)
  // A participant who disconnected gets no reminders. One who connected gets them again only if the provider refuses access.
  if (connection && connection.status !== 'revoked') return { dueAt: null, sent }
  const isUsed =
    settings[`${service}ConnectionReminders`] &&
    isUsedFor(settings, service, placesOf(db, participant._id).groups) &&
    featuresOf(db, trial.team).wearables &&
    wearables[service] !== undefined
  const hasLeft = participant.isArchived || participant.isWithdrawn || isMessagingStopped(db, participant)
  const mayRemind = !hasLeft && !trial.isArchived && !trial.isDatabaseLocked
  if (!isUsed || !mayRemind || participant.joinedAt === null) return { dueAt: nextTime(now, zone, 1), sent }
  const { write } = writerOf(trial, participant.language)
  const values = { service: titleOf[service], url: `${publicUrl}/join` }
  const body = connection
    ? write('wearable.reconnect.body', values)
    : write('wearable.connect.body', { ...values, trial: trialNameFor(trial, participant) })
  const added = addAutomaticMessage(
    db,
    now,
    participant._id,
    { type: 'reminder' },
    { subject: notificationTitle(trial, participant), body },
  )
  if (canBeReached(participant, channels)) messageParticipant(db, now, participant, added)
  return { dueAt: sent + 1 < MAX_REMINDERS ? nextTime(now, zone, INTERVAL_DAYS) : null, sent: sent + 1 }
}

/** Makes rows for the participants who were registered since the last look. Returns whether more are left. */
export function queueReminders(db: Db, now: Instant, limit: number): boolean {
  let isMore = false
  for (const service of providers) {
    for (const trial of remindingTrials(db, service)) {
      const zone = sharedTrial(db, trial)?.timezone ?? 'UTC'
      const people = participantsWithoutReminder(db, trial, service, limit)
      for (const participant of people) insertReminder(db, participant, service, nextTime(now, zone, 1))
      const last = people.at(-1)
      if (last) saveReminderCursor(db, trial, service, last)
      isMore ||= people.length === limit
    }
  }
  return isMore
}

/** Writes the due reminders of at most `limit` participants to the outbox. Returns how many were looked at. */
export function remindToConnect(context: ReminderContext, now: Instant, limit: number): number {
  const rows = dueReminders(context.db, now, limit)
  for (const row of rows) changeReminder(context.db, row, sendReminder(context, row, now))
  return rows.length
}

/** Begins anew with reminders to a participant whose access was revoked. */
export function restartReminders(db: Db, participant: Id, service: Service, now: Instant): void {
  if (!insertReminder(db, participant, service, now))
    changeReminder(db, { participant, service }, { dueAt: now, sent: 0 })
}
