/**
 * The settings of the senders of messages (docs/messages.md, "Set up the senders"). Nothing is sent on a channel that is
 * not configured.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { bareHost, isLoopback } from '#kernel/address'
import { fault } from '#kernel/fault'
import type { Environment, Option } from './options'

const DEFAULT_BODY = '{"to":"{to}","text":"{text}"}'

const gatewayOptions = (channel: string, name: string): Option[] => [
  {
    flag: `${channel}-url`,
    takes: 'url',
    summary: `an HTTP gateway that sends ${name}; its token in TRIALBOX_${channel.toUpperCase()}_TOKEN`,
    env: `TRIALBOX_${channel.toUpperCase()}_URL`,
    otherwise: 'messages wait',
  },
  {
    flag: `${channel}-body`,
    takes: 'template',
    summary: 'what is posted to it: JSON, or a form such as To={to}&Body={text}',
    env: `TRIALBOX_${channel.toUpperCase()}_BODY`,
    otherwise: DEFAULT_BODY,
  },
]

export const messageOptions: readonly Option[] = [
  {
    flag: 'smtp-url',
    takes: 'url',
    summary: 'a mail server, smtp://host:port or smtps://; sign-in by TRIALBOX_SMTP_USER, TRIALBOX_SMTP_PASSWORD',
    env: 'TRIALBOX_SMTP_URL',
    otherwise: 'e-mails wait',
  },
  {
    flag: 'smtp-ca',
    takes: 'file.pem',
    summary: 'certificates to trust for it, instead of the usual',
    env: 'TRIALBOX_SMTP_CA',
  },
  {
    flag: 'mail-from',
    takes: 'address',
    summary: 'the sender of e-mails, such as "Sleep study <study@example.org>"',
    env: 'TRIALBOX_MAIL_FROM',
  },
  {
    flag: 'operator-email',
    takes: 'address',
    summary: 'the operator of the server, who gets an e-mail when its clock jumps',
    env: 'TRIALBOX_OPERATOR_EMAIL',
    otherwise: 'the admins of the teams',
  },
  ...gatewayOptions('sms', 'SMS'),
  ...gatewayOptions('whatsapp', 'WhatsApp messages'),
  {
    flag: 'push-subject',
    takes: 'mailto:address',
    summary: 'turns push notifications on; where push services may write to',
    env: 'TRIALBOX_PUSH_SUBJECT',
    otherwise: 'off',
  },
  {
    flag: 'push-services',
    takes: 'hosts',
    summary: 'push services besides those of the common browsers, separated by commas',
    env: 'TRIALBOX_PUSH_SERVICES',
  },
]

type Smtp = {
  host: string
  port: number
  isSecure: boolean
  from: { name: string; address: string }
  user: string | undefined
  password: string | undefined
  ca: string | undefined
}
export type Gateway = { url: string; body: string; token: string | undefined }

export type SettingReader = (flag: string) => string | undefined

/** What the body of a gateway must have, what it has by default, and what would be unprotected without https. */
type GatewayBody = { needed: readonly string[]; otherwise: string; carries: string }

const MESSAGE: GatewayBody = { needed: ['{to}', '{text}'], otherwise: DEFAULT_BODY, carries: 'numbers and messages' }

/** Each channel is present only if it is configured. */
export type MessageConfig = Readonly<{
  email?: Readonly<Smtp>
  /** The e-mail address of the operator of the server. */
  operator?: string
  sms?: Readonly<Gateway>
  whatsapp?: Readonly<Gateway>
  push?: Readonly<{ subject: string; services: readonly string[] }>
}>

/**
 * @param setting the value of a flag, or of its variable
 * @param isFlag whether a value was given as a flag: every user of the machine can read a command line
 */
export function messagesOf(setting: SettingReader, isFlag: (flag: string) => boolean, env: Environment): MessageConfig {
  const email = smtpOf(setting, isFlag, env)
  const sms = gatewayOf('sms', setting, env, MESSAGE)
  const whatsapp = gatewayOf('whatsapp', setting, env, MESSAGE)
  const push = pushOf(setting)
  const operator = operatorOf(setting('operator-email'))
  return Object.freeze({
    ...(email && { email: Object.freeze(email) }),
    ...(sms && { sms: Object.freeze(sms) }),
    ...(whatsapp && { whatsapp: Object.freeze(whatsapp) }),
    ...(operator !== undefined && { operator }),
    ...(push && { push: Object.freeze(push) }),
  })
}

function operatorOf(text: string | undefined): string | undefined {
  if (text === undefined || /^[^\s@<>",;]{1,64}@[^\s@<>",;]{1,200}$/.test(text)) return text
  throw fault('--operator-email must be an address such as it@hospital.example.')
}

function smtpOf(setting: SettingReader, isFlag: (flag: string) => boolean, env: Environment): Smtp | undefined {
  const text = setting('smtp-url')
  const from = setting('mail-from')
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (!url?.hostname || !/^smtps?:$/.test(url.protocol) || url.search || url.hash || !/^\/?$/.test(url.pathname))
    throw fault('--smtp-url must be an address such as smtp://mail.example.org:587 or smtps://mail.example.org.')
  if ((url.username || url.password) && isFlag('smtp-url'))
    throw fault('--smtp-url must not hold a password: set TRIALBOX_SMTP_USER and TRIALBOX_SMTP_PASSWORD.')
  if (from === undefined) throw fault('--smtp-url needs --mail-from, the sender of e-mails.')
  const isSecure = url.protocol === 'smtps:'
  const ca = setting('smtp-ca')
  if (ca !== undefined && !existsSync(ca)) throw fault(`--smtp-ca: there is no file ${resolve(ca)}.`)
  return {
    host: bareHost(url.hostname),
    port: url.port ? Number(url.port) : isSecure ? 465 : 587,
    isSecure,
    from: fromOf(from),
    user: env.TRIALBOX_SMTP_USER || decodeURIComponent(url.username) || undefined,
    password: env.TRIALBOX_SMTP_PASSWORD || decodeURIComponent(url.password) || undefined,
    ca: ca === undefined ? undefined : resolve(ca),
  }
}

function fromOf(text: string): Smtp['from'] {
  const parts = /^(?:"?([^"<>\p{Cc}]{0,100}?)"?\s*<)?([^\s@<>",;]{1,64}@[^\s@<>",;]{1,200})>?$/u.exec(text.trim())
  if (!parts || (parts[1] !== undefined) !== text.trim().endsWith('>'))
    throw fault(`--mail-from must be an address such as study@example.org or "Sleep study <study@example.org>".`)
  return Object.freeze({ name: parts[1] ?? '', address: parts[2]! })
}

/** The gateway of these settings; undefined without an address. @throws a fault if a part of it is not valid */
export function gatewayOf(
  name: string,
  setting: SettingReader,
  env: Environment,
  { needed, otherwise, carries }: GatewayBody,
): Gateway | undefined {
  const text = setting(`${name}-url`)
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.hash || url.username || url.password)
    throw fault(`--${name}-url must be an address such as https://gateway.example.org/messages, without a password.`)
  if (url.protocol === 'http:' && !isLoopback(bareHost(url.hostname)))
    throw fault(`--${name}-url must begin with https, since ${carries} would be sent unprotected.`)
  const variable = `TRIALBOX_${name.toUpperCase().replaceAll('-', '_')}_TOKEN`
  const token = env[variable] || undefined
  if (token !== undefined && !/^[\x21-\x7e]+( [\x21-\x7e]+)?$/.test(token))
    throw fault(`${variable} must be a token, or a scheme and one such as "Basic dTpw".`)
  const body = setting(`${name}-body`) ?? otherwise
  if (!isTemplate(body, needed))
    throw fault(`--${name}-body must be JSON or fields of a form with ${needed.join(' and ')}, such as ${otherwise}`)
  return { url: url.href, body, token }
}

function isTemplate(text: string, needed: readonly string[]): boolean {
  if (!needed.every((placeholder) => text.includes(placeholder))) return false
  if (!text.trimStart().startsWith('{')) return text.split('&').every((field) => /^[^=]+=/.test(field))
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function pushOf(setting: SettingReader): MessageConfig['push'] {
  const subject = setting('push-subject')
  if (subject === undefined) return undefined
  if (!/^mailto:[^\s@<>]+@[^\s@<>]+$|^https:\/\/[^\s]+$/.test(subject))
    throw fault('--push-subject must be where push services may write to, such as mailto:study@example.org.')
  const services = (setting('push-services') ?? '').split(',').flatMap((host) => host.trim().toLowerCase() || [])
  const invalidHost = services.find((host) => !/^(\*\.)?[a-z0-9]([a-z0-9.-]{0,200}[a-z0-9])?$/.test(host))
  if (invalidHost !== undefined)
    throw fault(`--push-services must be hosts such as push.example.org, not "${invalidHost}".`)
  return { subject, services: Object.freeze(services) }
}
