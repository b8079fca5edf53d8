/** The texts of the service in threads, and in e-mails about them. */
import type { SendableText, Writer } from '#texts/writer'

/** The first message of every thread. @param study the name of the trial */
export const welcomeText = ({ write }: Writer, study: string): SendableText => write('welcome.body', { trial: study })

/** The e-mail to the team about new messages of a participant. It holds nothing of the messages. */
export const newMessageMail = ({ write }: Writer, study: string, participantId: string) => ({
  subject: write('newMessage.subject', { trial: study, participant: participantId }),
  body: write('newMessage.body', { trial: study, participant: participantId }),
})

/** What a message says of its attachments on a channel that does not carry them. @param url of the participants' app */
export const attachmentsText = ({ writeCounted }: Writer, count: number, url: string): SendableText =>
  writeCounted('attachments', count, { url })
