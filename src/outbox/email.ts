/** E-mail by SMTP. The library is loaded before the first e-mail is sent. */
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { isLoopback } from '#kernel/address'
import type { Sender } from './delivery'
import { gateProblem } from './gate'
import type { OutgoingMessage } from './queue'
import { redact } from './redaction'
import type { Outcome } from './status'

/** An SMTP server. `ca`: a file of certificates to trust instead of the usual ones. `timeLimit` in milliseconds. */
export type SmtpConfig = Readonly<{
  host: string
  port: number
  /** Whether the connection begins with TLS; else with STARTTLS. */
  isSecure: boolean
  from: Readonly<{ name: string; address: string }>
  user?: string | undefined
  password?: string | undefined
  ca?: string | undefined
  timeLimit?: number | undefined
}>

/** Requires STARTTLS, so that no e-mail leaves this machine without encryption; a server on this machine does not need it. */
function connectionOptions({ host, port, isSecure, ca, timeLimit = 30_000 }: SmtpConfig): SMTPConnection.Options {
  const isPlain = !isSecure && isLoopback(host) && ca === undefined
  return {
    host,
    port,
    secure: isSecure,
    ignoreTLS: isPlain,
    requireTLS: !isSecure && !isPlain,
    connectionTimeout: timeLimit,
    greetingTimeout: timeLimit,
    socketTimeout: timeLimit,
    ...(ca === undefined ? {} : { tls: { ca: readFileSync(ca) } }),
  }
}

/** Connects, and signs in if a user is configured. */
async function connect(smtp: SmtpConfig): Promise<SMTPConnection> {
  const closed = gateProblem()
  if (closed !== undefined) throw Object.assign(new Error(closed.text), { code: 'ECLOSED' })
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const connection = new Connection(connectionOptions(smtp))
  const { user, password = '' } = smtp
  try {
    await new Promise<void>((resolve, reject) => {
      connection.once('error', reject)
      connection.connect((error) => {
        if (error) return reject(error)
        if (user === undefined) return resolve()
        connection.login({ credentials: { user, pass: password } }, (error) => (error ? reject(error) : resolve()))
      })
    })
  } catch (error) {
    connection.close()
    throw error
  }
  return connection
}

/** Connects to the server and signs in, as the sender does. @throws the error if that fails */
export async function trySmtp(smtp: SmtpConfig): Promise<void> {
  const connection = await connect(smtp)
  connection.quit()
}

async function compose({ _id, recipient, subject, body }: OutgoingMessage, { from }: SmtpConfig): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  return new MailComposer({
    from: { ...from }, // a copy, since the library changes it
    to: { name: '', address: recipient },
    subject: subject ?? '',
    text: body,
    // The same at every attempt, so that a mail program recognizes an e-mail that arrives twice.
    messageId: `<${_id}@${from.address.split('@')[1]}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build()
}

type SmtpError = Error & { responseCode?: number; command?: string; code?: string; response?: string }

/** Only a refusal of the message itself is final. The operator may correct a refused connection or sign-in. */
const MESSAGE_COMMANDS = /^(MAIL FROM|RCPT TO|DATA|API)$/

function outcomeOf(error: SmtpError, wasHandedOver: boolean, secrets: readonly string[]): Outcome {
  const { responseCode, command = '', response, code } = error
  if (code === undefined && responseCode === undefined) throw error // the error is not from a server: it is a defect
  const detail = `The mail server: ${redact(response ?? error.message, secrets)}`
  if (responseCode === undefined && wasHandedOver) {
    return { is: 'unknown', detail: `${detail} It may have arrived or not, and is not sent again.` }
  }
  const isFinal = MESSAGE_COMMANDS.test(command) && (responseCode ?? (code === 'EENVELOPE' ? 500 : 0)) >= 500
  return { is: isFinal ? 'failed' : 'again', detail }
}

/** Returns a sender. Each e-mail uses its own connection: the library's pool would send it again if the connection broke. */
export function emailSender(smtp: SmtpConfig): Sender {
  return async (message) => {
    let wasHandedOver = false
    let connection: SMTPConnection | undefined
    try {
      const mail = await compose(message, smtp)
      connection = await connect(smtp)
      const content = new Readable({
        read() {
          wasHandedOver = true // the stream is read only after the server has asked for the content
          this.push(mail)
          this.push(null)
        },
      })
      await send(connection, { from: smtp.from.address, to: [message.recipient], size: mail.length }, content)
      return { is: 'sent' }
    } catch (error) {
      return outcomeOf(error as SmtpError, wasHandedOver, [message.recipient, smtp.password ?? ''])
    } finally {
      connection?.quit()
    }
  }
}

const send = (connection: SMTPConnection, envelope: SMTPConnection.Envelope, content: Readable) =>
  new Promise<void>((resolve, reject) => {
    connection.once('error', reject)
    connection.send(envelope, content, (error) => (error ? reject(error) : resolve()))
  })
