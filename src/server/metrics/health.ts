/** The health of the server as metrics. */
import type { HealthReport } from '#http/healthModel'
import { SECOND } from '#kernel/time'
import { family, gauge, line } from './text'

const DAY_SECONDS = 24 * 60 * 60

/** A metric that has no value yet has no line. */
const optional = (name: string, help: string, value: number | null): string =>
  family(name, 'gauge', help, value === null ? [] : [line(name, {}, value)])

const secondsSince = (now: number, then: number | null): number | null => then && (now - then) / SECOND

export function healthFamilies(health: HealthReport): string[] {
  const { now, problems, quickCheck, verify, certificateExpiresAt, newestEntryAt } = health
  const certificate = certificateExpiresAt && (certificateExpiresAt - now) / SECOND / DAY_SECONDS
  const checks = Object.entries({ quickCheck, verify })
  return [
    gauge(
      'trialbox_healthy',
      '1 if the server works, 0 if `GET /health` says that it is failing.',
      health.status === 'failing' ? 0 : 1,
    ),
    family(
      'trialbox_problems',
      'gauge',
      'What `GET /health` says is wrong now, by its code.',
      problems.map(({ code, isFailing }) =>
        line('trialbox_problems', { code, level: isFailing ? 'failing' : 'warning' }, 1),
      ),
    ),
    gauge('trialbox_disk_free_bytes', 'Free space on the disk of the data directory.', health.freeBytes),
    optional('trialbox_backup_age_seconds', 'Time since the last backup.', secondsSince(now, health.lastBackupAt)),
    optional('trialbox_certificate_days', 'Days until the certificate ends.', certificate),
    gauge('trialbox_messages_waiting', 'Messages that wait to be sent.', health.messagesWaiting),
    gauge('trialbox_clock_seconds', 'The clock of the server, since 1970.', now / SECOND),
    optional(
      'trialbox_newest_entry_seconds',
      'When something was written last, since 1970: the clock must not be before it.',
      newestEntryAt && newestEntryAt / SECOND,
    ),
    family(
      'trialbox_check_ok',
      'gauge',
      'The last result of each check of the data: 1 if it found no fault.',
      checks.flatMap(([check, { status }]) =>
        status === 'ok' || status === 'failed' ? [line('trialbox_check_ok', { check }, status === 'ok' ? 1 : 0)] : [],
      ),
    ),
    family(
      'trialbox_check_age_seconds',
      'gauge',
      'Time since each check of the data ended.',
      checks.flatMap(([check, { at }]) =>
        at === null ? [] : [line('trialbox_check_age_seconds', { check }, (now - at) / SECOND)],
      ),
    ),
  ]
}
