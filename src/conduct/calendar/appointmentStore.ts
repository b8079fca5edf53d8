/** Events and meetings of a trial by time. */
import type { AppointmentRow } from '#conduct/appointments/store'
import type { Db, Sqlite } from '#db/open'
import { decodeRow } from '#db/rows'
import { appointments } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { ParticipantSelection } from './people'
import { peopleCondition } from './peopleStore'

type ListedAppointment = AppointmentRow & { participantId: string }
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

const decodeRows = (rows: ListedAppointment[]): ListedAppointment[] =>
  rows.map((row) => ({ ...decodeRow(appointments, row), participantId: row.participantId }))

const boundValues = ({ isMeeting, withCancelled, ...range }: AppointmentRange) => ({
  ...range,
  isMeeting: Number(isMeeting),
  withCancelled: Number(withCancelled),
})

const readRows = ($client: Sqlite, sql: string, values: Values) =>
  decodeRows($client.query<ListedAppointment, [Values]>(sql).all(values))

/** The appointments of these people by time, by the index of the trial. */
export function appointmentsByTime(
  { $client }: Db,
  people: ParticipantSelection,
  range: AppointmentRange,
): ListedAppointment[] {
  const { sql, bound } = peopleCondition(people, 'a.participant')
  return readRows(
    $client,
    `SELECT ${COLUMNS} FROM appointments a INDEXED BY appointmentsByTime JOIN participants p ON p._id = a.participant
     WHERE a.trial = $trial AND a.isMeeting = $isMeeting AND ${BY_TIME} ${sql} ORDER BY a.startsAt, a._id LIMIT +$limit`,
    { ...boundValues(range), ...bound, trial: people.trial },
  )
}

/** The appointments of a few participants by time. */
export const appointmentsAmong = ({ $client }: Db, few: readonly Id[], range: AppointmentRange): ListedAppointment[] =>
  readRows(
    $client,
    `SELECT ${COLUMNS} FROM json_each($people) person
       CROSS JOIN appointments a INDEXED BY appointmentsByParticipant ON a.participant = person.value
       JOIN participants p ON p._id = a.participant
     WHERE a.isMeeting = $isMeeting AND ${BY_TIME} ORDER BY a.startsAt, a._id LIMIT +$limit`,
    { ...boundValues(range), people: JSON.stringify(few) },
  )
