/** Checks whether the configured senders can be reached, without sending a message. */
import { type SmtpConfig, trySmtp } from './email'
import { SERVICES } from './push'
import { redact } from './redaction'
import { request } from './request'
import type { MessagingConfig } from './senders'

/** The result of a check. `detail` is one line for the operator. */
export type MessagingCheck = { name: string; isFine: boolean; detail: string }

const TIME_LIMIT = 10_000

/** Checks each sender in turn. One that is not configured is fine. */
export async function* checkMessaging({ email, sms, whatsapp, push }: MessagingConfig): AsyncGenerator<MessagingCheck> {
  yield email ? await checkSmtp(email) : notConfigured('e-mail')
  yield sms ? await checkHttp('SMS gateway', sms.url) : notConfigured('SMS gateway')
  yield whatsapp ? await checkHttp('WhatsApp gateway', whatsapp.url) : notConfigured('WhatsApp gateway')
  const [service] = [...(push?.services ?? []), ...SERVICES].filter((host) => !host.includes('*'))
  yield push ? await checkHttp('push', `https://${service}/`) : notConfigured('push')
}

const notConfigured = (name: string): MessagingCheck => ({
  name,
  isFine: true,
  detail: 'not configured: such messages wait in the outbox',
})

async function checkSmtp(smtp: SmtpConfig): Promise<MessagingCheck> {
  const where = `${smtp.host}:${smtp.port}`
  try {
    await trySmtp({ ...smtp, timeLimit: TIME_LIMIT })
    return { name: 'e-mail', isFine: true, detail: `${where} accepts the sign-in` }
  } catch (error) {
    const { response, message } = error as { response?: string; message: string }
    const why = redact(response ?? message, [smtp.password ?? ''])
    return { name: 'e-mail', isFine: false, detail: `${where} cannot be used: ${why}` }
  }
}

/** Any response shows that the service is there; its status does not matter, since the request sends no message. */
async function checkHttp(name: string, url: string): Promise<MessagingCheck> {
  const { host } = new URL(url)
  const result = await request({ method: 'HEAD', url }, { timeLimit: TIME_LIMIT, sizeLimit: 0, isRead: () => false })
  if (result.is === 'answered') return { name, isFine: true, detail: `${host} answers` }
  return { name, isFine: false, detail: `${host}: ${result.problem.text}` }
}
