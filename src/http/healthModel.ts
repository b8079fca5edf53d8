import * as t from '#wire/schema'

const Check = t.shape('HealthCheck', {
  status: t.oneOf('notYet', 'running', 'ok', 'failed'),
  at: t.withDescription('When it ended last.', t.orNull(t.instant())),
  failed: t.maybe(t.withDescription('The name of the check that found a fault.', t.text(1, 100))),
})

const HealthProblem = t.shape('HealthProblem', { code: t.text(1, 100), message: t.text(1, 500), isFailing: t.flag() })

const MachineClock = t.shape('MachineClock', {
  shown: t.withDescription('What the clock of the machine says.', t.instant()),
  isFollowed: t.withDescription('Whether the server goes by it, or by its own time, which is `now`.', t.flag()),
  sureAt: t.withDescription('When the server acts on its time again, if the clock of the machine holds.', t.instant()),
})

const Status = t.shape({
  status: t.withDescription(
    '`failing`: something is not done any more, and the status of the response is 503. `warning`: somebody should look.',
    t.oneOf('ok', 'warning', 'failing'),
  ),
})

/** Details for the operators of the server only: they show its load and its problems. */
const HealthDetails = t.shape({
  version: t.text(1, 100),
  schemaVersion: t.whole(0),
  problems: t.list(HealthProblem),
  now: t.withDescription('The clock of the server.', t.instant()),
  clock: t.maybe(
    t.withDescription(
      'Only while the time is not known to be right: nothing is sent or removed because of it.',
      MachineClock,
    ),
  ),
  newestEntryAt: t.withDescription('When something was written last.', t.orNull(t.instant())),
  freeBytes: t.withDescription(
    'Free space on the disk of the data directory, rounded down to a power of two.',
    t.whole(0),
  ),
  lastBackupAt: t.orNull(t.instant()),
  certificateExpiresAt: t.orNull(t.instant()),
  messagesWaiting: t.whole(0),
  failedSignIns: t.withDescription('Since the start of the server, of staff and participants.', t.whole(0)),
  quickCheck: Check,
  verify: Check,
})

/** See docs/running.md, "Monitoring". */
export const Health = t.shape('Health', { ...Status.properties, ...t.partial(HealthDetails).properties })
export type HealthReport = t.ValueOf<typeof Status> & t.ValueOf<typeof HealthDetails>
export type CheckState = HealthReport['verify']
