import {
  flag,
  instant,
  list,
  maybe,
  oneOf,
  orNull,
  partial,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

const Check = shape('HealthCheck', {
  status: oneOf('notYet', 'running', 'ok', 'failed'),
  at: withDescription('When it ended last.', orNull(instant())),
  failed: maybe(withDescription('The name of the check that found a fault.', text(1, 100))),
})

const HealthProblem = shape('HealthProblem', { code: text(1, 100), message: text(1, 500), isFailing: flag() })

const MachineClock = shape('MachineClock', {
  shown: withDescription('What the clock of the machine says.', instant()),
  isFollowed: withDescription('Whether the server goes by it, or by its own time, which is `now`.', flag()),
  sureAt: withDescription('When the server acts on its time again, if the clock of the machine holds.', instant()),
})

const Status = shape({
  status: withDescription(
    '`failing`: something is not done any more, and the status of the response is 503. `warning`: somebody should look.',
    oneOf('ok', 'warning', 'failing'),
  ),
})

/** Details for the operators of the server only: they show its load and its problems. */
const HealthDetails = shape({
  version: text(1, 100),
  schemaVersion: whole(0),
  problems: list(HealthProblem),
  now: withDescription('The clock of the server.', instant()),
  clock: maybe(
    withDescription(
      'Only while the time is not known to be right: nothing is sent or removed because of it.',
      MachineClock,
    ),
  ),
  newestEntryAt: withDescription('When something was written last.', orNull(instant())),
  freeBytes: withDescription('Free space on the disk of the data directory, rounded down to a power of two.', whole(0)),
  lastBackupAt: orNull(instant()),
  certificateExpiresAt: orNull(instant()),
  messagesWaiting: whole(0),
  failedSignIns: withDescription('Since the start of the server, of staff and participants.', whole(0)),
  quickCheck: Check,
  verify: Check,
})

/** See docs/running.md, "Monitoring". */
export const Health = shape('Health', { ...Status.properties, ...partial(HealthDetails).properties })
export type HealthReport = ValueOf<typeof Status> & ValueOf<typeof HealthDetails>
export type CheckState = HealthReport['verify']
