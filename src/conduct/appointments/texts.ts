/**
 * The texts of messages about events and meetings. To staff they contain the study, the participant's ID, the title and the
 * time, but no description.
 */

/** What a message says. `when`: the moment by the clocks of the reader; `url`: the reader's own link to a meeting. */
type About = { title: string; when: string; url: string | null }

const link = ({ url }: About) => (url === null ? '' : ` Join: ${url}`)

/** To the participant. */
export const participantTexts = {
  invitation: (about: About) => `You are invited to the meeting “${about.title}” on ${about.when}.${link(about)}`,
  reminder: (about: About) => `Reminder: “${about.title}” is on ${about.when}.${link(about)}`,
  moved: (about: About) => `“${about.title}” was moved. It is now on ${about.when}.${link(about)}`,
  cancelled: ({ title, when }: About) => `“${title}” on ${when} was cancelled.`,
}

export type Occurrence = keyof typeof participantTexts

type StaffAbout = About & { study: string; participantId: string }

const subjects: Record<Occurrence, string> = {
  invitation: 'a meeting with a participant',
  reminder: 'reminder of an appointment',
  moved: 'an appointment was moved',
  cancelled: 'an appointment was cancelled',
}

/** To the personnel. */
export const staffText = (occurrence: Occurrence, { study, participantId, title, when, url }: StaffAbout) => ({
  subject: `${study}: ${subjects[occurrence]}`,
  body: `Study: ${study}\nParticipant: ${participantId}\nAppointment: ${title}\nTime: ${when}\n${url === null || occurrence === 'cancelled' ? '' : `Join: ${url}\n`}`,
})
