/** Events and meetings of a trial by time. */
import type { AppointmentRow } from '#conduct/appointments/store'
import type { Db, Sqlite } from '#db/open'
import { decodeRow } from '#db/rows'
import { appointments } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { People } from './people'
import { peopleCondition } from './peopleStore'

type Found = AppointmentRow & { participantId: string }
type Values = Record<string, string | number>

/** Those that start from `from` until before `to`, after the place (`at`, `_id`); cancelled ones only `withCancelled`. */
export type AppointmentRange = {
  isMeeting: boolean
  from: Instant
  to: Instant
  at: Instant
  _id: Id
  limit: number
  withCancelled: boolean
}

const COLUMNS = 'a.*, p.id AS participantId'
const BY_TIME = `a.startsAt >= max($from, $at) AND a.startsAt < $to AND (a.startsAt, a._id) > ($at, $_id)
  AND ($withCancelled OR a.cancelledAt IS NULL) AND NOT p.isArchived`

const decoded = (rows: Found[]): Found[] =>
  rows.map((row) => ({ ...decodeRow(appointments, row), participantId: row.participantId }))

const bound = ({ isMeeting, withCancelled, ...range }: AppointmentRange) => ({
  ...range,
  isMeeting: Number(isMeeting),
  withCancelled: Number(withCancelled),
})

const run = ($client: Sqlite, sql: string, values: Values) => decoded($client.query<Found, [Values]>(sql).all(values))

/** The appointments of these people by time, by the index of the trial. */
export function appointmentsByTime({ $client }: Db, people: People, range: AppointmentRange): Found[] {
  const { sql, values } = peopleCondition(people, 'a.participant')
  return run(
    $client,
    `SELECT ${COLUMNS} FROM appointments a INDEXED BY appointmentsByTime JOIN participants p ON p._id = a.participant
     WHERE a.trial = $trial AND a.isMeeting = $isMeeting AND ${BY_TIME} AND ${sql} ORDER BY a.startsAt, a._id LIMIT +$limit`,
    { ...bound(range), ...values, trial: people.trial },
  )
}

/** The appointments of a few participants by time. */
export const appointmentsAmong = ({ $client }: Db, few: readonly Id[], range: AppointmentRange): Found[] =>
  run(
    $client,
    `SELECT ${COLUMNS} FROM json_each($people) person
       CROSS JOIN appointments a INDEXED BY appointmentsByParticipant ON a.participant = person.value
       JOIN participants p ON p._id = a.participant
     WHERE a.isMeeting = $isMeeting AND ${BY_TIME} ORDER BY a.startsAt, a._id LIMIT +$limit`,
    { ...bound(range), people: JSON.stringify(few) },
  )
