/**
 * The texts of messages about events and meetings. To staff they contain the study, the participant's ID, the title and the
 * time, but no description.
 */
import type { Instant } from '#kernel/time'
import { joinTexts, type SendableText, type Writer } from '#texts/writer'

/** What a message says. `when`: the moment by the clocks of the reader. */
type MessageValues = { title: string; when: string }

/** A moment by the clocks of a zone, with the name of the zone: the reader may be elsewhere. */
export const momentText = ({ moment }: Writer, zone: string, at: Instant): string => `${moment(at, zone)} (${zone})`

const BODIES = {
  invitation: 'appointment.invitation.body',
  reminder: 'appointment.reminder.body',
  moved: 'appointment.moved.body',
  cancelled: 'appointment.cancelled.body',
} as const

export type AppointmentMessageKind = keyof typeof BODIES

/** To the participant, without the link to a meeting. */
export const participantText = (
  { write }: Writer,
  kind: AppointmentMessageKind,
  { title, when }: MessageValues,
): SendableText => write(BODIES[kind], { title, when })

/** The text with the participant's own link to the meeting at its end. */
export const withLink = ({ write }: Writer, text: SendableText, url: string): SendableText =>
  joinTexts(text, write('appointment.join', { url }))

const SUBJECTS = {
  invitation: 'appointment.staff.invitation.subject',
  reminder: 'appointment.staff.reminder.subject',
  moved: 'appointment.staff.moved.subject',
  cancelled: 'appointment.staff.cancelled.subject',
} as const satisfies Record<AppointmentMessageKind, unknown>

type StaffMessageValues = MessageValues & { trial: string; participant: string }

/** To the personnel. @param url the reader's own link to a meeting */
export const staffText = (
  { write }: Writer,
  kind: AppointmentMessageKind,
  about: StaffMessageValues,
  url: string | null,
) => ({
  subject: write(SUBJECTS[kind], about),
  body: joinTexts(
    write('appointment.staff.body', about),
    ...(url === null ? [] : [write('appointment.staff.join', { url })]),
  ),
})
