/** Reads the values of settings. All functions throw a fault, one sentence that names the setting, for a value that is not valid. */
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { bareHost, isLoopback } from '#kernel/address'
import { fault } from '#kernel/fault'

export type Tls = 'auto' | 'off' | Readonly<{ cert: string; key: string }>
export type LogFormat = 'text' | 'json'

export function wholeOf(flag: string, text: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least && value <= most))
    throw fault(`${flag} must be a whole number from ${least} to ${most}, not "${text}".`)
  return value
}

export function switchOf(flag: string, text: string | undefined): boolean {
  if (text === undefined || text === 'false' || text === '0') return false
  if (text === 'true' || text === '1') return true
  throw fault(`${flag} must be true or false, not "${text}".`)
}

export function tlsOf(text: string): Tls {
  if (text === 'auto' || text === 'off') return text
  const [cert, key, ...more] = text.split(',').map((part) => part.trim())
  if (!cert || !key || more.length)
    throw fault(`--tls must be auto, off, or two files such as cert.pem,key.pem, not "${text}".`)
  return Object.freeze({ cert: resolve(cert), key: resolve(key) })
}

export function hostOf(text: string): string {
  const host = bareHost(text)
  if (isIP(host) || (/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(host) && !/^[\d.]+$/.test(host))) return host
  throw fault(`--host must be an address or a name to listen on, such as 127.0.0.1 or 0.0.0.0, not "${text}".`)
}

export function publicUrlOf(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password)
    throw fault('--public-url must be an address such as https://study.example.org, without a query or a password.')
  if (url.protocol === 'http:' && !isLoopback(bareHost(url.hostname)))
    throw fault(`--public-url must begin with https, since links that are sent out must be safe to follow.`)
  return url.href.replace(/\/+$/, '')
}

export function logOf(text: string): LogFormat {
  if (text === 'text' || text === 'json') return text
  throw fault(`--log must be text or json, not "${text}".`)
}

export const logDirOf = (text: string | undefined, data: string): string | undefined =>
  text === 'off' ? undefined : text === undefined ? join(data, 'logs') : resolve(text)
