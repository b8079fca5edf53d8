/**
 * The texts of messages about events and meetings. To staff they contain the study, the participant's ID, the title and the
 * time, but no description.
 */
import type { Instant } from '#kernel/time'
import { joined, type Writer, type Written } from '#texts/write'

/** What a message says. `when`: the moment by the clocks of the reader. */
type About = { title: string; when: string }

/** A moment by the clocks of a zone, with the name of the zone: the reader may be elsewhere. */
export const momentText = ({ moment }: Writer, zone: string, at: Instant): string => `${moment(at, zone)} (${zone})`

const BODIES = {
  invitation: 'appointment.invitation.body',
  reminder: 'appointment.reminder.body',
  moved: 'appointment.moved.body',
  cancelled: 'appointment.cancelled.body',
} as const

export type Occurrence = keyof typeof BODIES

/** To the participant, without the link to a meeting. */
export const participantText = ({ write }: Writer, occurrence: Occurrence, { title, when }: About): Written =>
  write(BODIES[occurrence], { title, when })

/** The text with the participant's own link to the meeting at its end. */
export const withLink = ({ write }: Writer, text: Written, url: string): Written =>
  joined(text, write('appointment.join', { url }))

const SUBJECTS = {
  invitation: 'appointment.staff.invitation.subject',
  reminder: 'appointment.staff.reminder.subject',
  moved: 'appointment.staff.moved.subject',
  cancelled: 'appointment.staff.cancelled.subject',
} as const satisfies Record<Occurrence, unknown>

type StaffAbout = About & { trial: string; participant: string }

/** To the personnel. @param url the reader's own link to a meeting */
export const staffText = ({ write }: Writer, occurrence: Occurrence, about: StaffAbout, url: string | null) => ({
  subject: write(SUBJECTS[occurrence], about),
  body: joined(
    write('appointment.staff.body', about),
    ...(url === null ? [] : [write('appointment.staff.join', { url })]),
  ),
})
