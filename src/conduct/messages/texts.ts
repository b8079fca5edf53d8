/** The texts of the service in threads, and in e-mails about them. */

/** The first message of every thread. @param study the name of the trial */
export const welcomeText = (study: string): string =>
  `Welcome to ${study}. You can write to the study team here, and you find here what they and the study send you. ` +
  'The team may not read your message at once: in an emergency, call the emergency services.'

/** The e-mail to the team about new messages of a participant. It holds nothing of the messages. */
export const newMessageMail = (study: string, participantId: string) => ({
  subject: `${study}: a message from participant ${participantId}`,
  body: `Study: ${study}\nParticipant: ${participantId}\n`,
})

/** What a message says of its attachments on a channel that does not carry them. @param url of the participants' app */
export const attachmentsText = (count: number, url: string): string =>
  `${count === 1 ? 'A file belongs' : `${count} files belong`} to this message: ${url}`
