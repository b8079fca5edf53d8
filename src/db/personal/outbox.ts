/** What was sent to the outside. */
import { APPOINTMENTS, CONSENT_SESSIONS, OF_PARTICIPANT, type PersonalTables, RESPONSES } from './personalTable'

export const outbox: PersonalTables = {
  outbox: {
    // Messages to the personnel of an appointment have its title. Codes for a consent went to somebody who was no participant yet.
    rows: `${OF_PARTICIPANT} OR appointment IN ${APPOINTMENTS} OR _id IN (SELECT codeMessage FROM consents WHERE ${OF_PARTICIPANT}
      UNION SELECT message FROM consentVerifications WHERE session IN ${CONSENT_SESSIONS}
      UNION SELECT message FROM pollVerifications WHERE response IN ${RESPONSES})`,
    kept: [
      ...['_id', 'createdAt', 'trial', 'participant', 'user', 'channel', 'isSecret', 'status', 'attempts'],
      ...['dueAt', 'expiresAt', 'forms', 'sentAt', 'message', 'appointment'],
    ],
    // The reply of a mail server, or a note of a person about a delivery, may contain an address.
    erased: { recipient: `''`, subject: 'NULL', body: `''`, detail: 'NULL' },
  },
  webhookDeliveries: {
    rows: OF_PARTICIPANT,
    kept: [
      ...['_id', 'createdAt', 'webhook', 'entry', 'event', 'subject', 'participant', 'status', 'tries', 'dueAt'],
      'finishedAt',
    ],
  },
  webhookAttempts: {
    rows: `delivery IN (SELECT _id FROM webhookDeliveries WHERE ${OF_PARTICIPANT})`,
    kept: ['delivery', 'number', 'at', 'duration', 'code', 'detail'],
    // A receiver may repeat in its answer what it was sent.
    erased: { answer: 'NULL' },
  },
}
