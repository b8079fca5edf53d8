/** SMS and WhatsApp by an HTTP gateway: a service, or the gateway of a modem. */

import type { Sender } from './delivery'
import { post } from './httpMessage'

/**
 * `body`: the template of the request body, with `{to}`, `{text}` and `{id}`: JSON, or fields of a form such as
 * `To={to}&Body={text}`, without URL encoding, which is added here.
 * `token`: sent as a bearer token; sent unchanged if it names another scheme (`Basic …`).
 */
export type GatewayConfig = Readonly<{
  url: string
  body: string
  token?: string | undefined
  timeLimit?: number | undefined
}>

type Values = Record<string, string>

const fillText = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => (Object.hasOwn(values, name) ? values[name]! : all))

/** Fills every text of a JSON value. */
function fillJson(value: unknown, values: Values): unknown {
  if (typeof value === 'string') return fillText(value, values)
  if (Array.isArray(value)) return value.map((each) => fillJson(each, values))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fillJson(each, values)]))
}

/** The header of a token. */
export const authorizationOf = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { Authorization: /\s/.test(token) ? token : `Bearer ${token}` }

/** What must not be stored of a token: all of it, and what follows the name of its scheme. */
export const tokenSecrets = (token = ''): string[] => [token, ...token.split(/\s+/)]

/** The request body and its type. Values are encoded, so that they cannot change the syntax around them. */
export function requestContent(template: string, values: Values): { type: string; body: string } {
  if (template.trimStart().startsWith('{')) {
    return { type: 'application/json', body: JSON.stringify(fillJson(JSON.parse(template), values)) }
  }
  const fields = new URLSearchParams(template.split('&').map((field) => field.split(/=(.*)/s).slice(0, 2)))
  const body = new URLSearchParams([...fields].map(([name, value]) => [name, fillText(value, values)]))
  return { type: 'application/x-www-form-urlencoded', body: `${body}` }
}

/** Returns the sender of SMS or WhatsApp messages by a gateway. */
export function gatewaySender({ url, body, token, timeLimit }: GatewayConfig): Sender {
  return (message) => {
    const to = message.recipient.replace(/[^\d+]/g, '')
    const text = message.subject ? `${message.subject}\n${message.body}` : message.body
    const content = requestContent(body, { to, text, id: message._id })
    return post({
      url,
      headers: { 'Content-Type': content.type, ...authorizationOf(token) },
      body: content.body,
      secrets: [message.recipient, to, to.replace('+', ''), ...tokenSecrets(token), message.body],
      timeLimit,
    })
  }
}
