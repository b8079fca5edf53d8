import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { bareHost, hostInUrl, isLoopback, isWildcardAddress } from '#kernel/address'
import { fault } from '#kernel/fault'
import { newSecret } from '#kernel/id'
import { corsOption, corsOriginsOf } from './corsOrigins'
import { refuseUnknown, settingsIn } from './file'
import { type MessageConfig, messageOptions, messagesOf } from './messages'
import type { Environment, Flags, Option } from './options'
import { type Quotas, quotaOptions, quotasOf } from './quotas'
import { TEST_DIRECTORY, testOptions } from './testOptions'

/** The configuration of the server, checked; it never changes afterwards (docs/running.md, "Settings"). */
export type Config = Readonly<{
  /** The data directory, an absolute path. */
  data: string
  host: string
  /** 0 means any free port. */
  port: number
  tls: 'auto' | 'off' | Readonly<{ cert: string; key: string }>
  /** Whether the server trusts `X-Forwarded-*` headers. */
  behindProxy: boolean
  /** The public {base_url}, without a slash at the end; undefined if it follows from host and port. */
  publicUrl: string | undefined
  log: 'text' | 'json'
  /** Requests per account and minute on operations that have no limit of their own; undefined for no limit. */
  rateLimit: number | undefined
  quotas: Quotas
  metricsToken: string | undefined
  /** An OpenAI-compatible endpoint that reads descriptions of studies; undefined if built-in rules read them. */
  ai: Readonly<{ url: string; key: string | undefined; model: string }> | undefined
  /** The senders of messages; messages of a channel that is not configured stay in the outbox. */
  messages: MessageConfig
  /** Other origins whose pages may call the API from a browser; `any` with `--test`. */
  corsOrigins: 'any' | readonly string[]
  test: boolean
  /** Whether rate limits hold; only a test server can be without. */
  hasLimits: boolean
  /** Whether a test server keeps running when the program that started it ends. */
  isDetached: boolean
}>

export const dataOption: Option = {
  flag: 'data',
  takes: 'directory',
  summary: 'where everything is kept',
  env: 'TRIALBOX_DATA',
  otherwise: './trialbox-data',
}

/** The flags that `configure` understands. */
export const serverOptions: readonly Option[] = [
  dataOption,
  {
    flag: 'host',
    takes: 'address',
    summary: 'the address to listen on; 0.0.0.0 lets other machines in',
    env: 'TRIALBOX_HOST',
    otherwise: '127.0.0.1',
  },
  {
    flag: 'port',
    takes: 'number',
    summary: 'the port to listen on; 0 takes any free one',
    env: 'TRIALBOX_PORT',
    otherwise: '8443, or 8080 with --tls off',
  },
  {
    flag: 'tls',
    takes: 'auto|off|cert.pem,key.pem',
    summary: 'a certificate of its own, none, or yours',
    env: 'TRIALBOX_TLS',
    otherwise: 'auto',
  },
  {
    flag: 'behind-proxy',
    summary: 'a proxy in front speaks HTTPS; believe its X-Forwarded headers',
    env: 'TRIALBOX_BEHIND_PROXY',
  },
  {
    flag: 'public-url',
    takes: 'url',
    summary: 'the address people use, for the links that are sent out',
    env: 'TRIALBOX_PUBLIC_URL',
  },
  { flag: 'log', takes: 'text|json', summary: 'how requests are logged', env: 'TRIALBOX_LOG', otherwise: 'text' },
  {
    flag: 'rate-limit',
    takes: 'number',
    summary: 'requests an account may make a minute where nothing else is set',
    env: 'TRIALBOX_RATE_LIMIT',
    otherwise: 'no limit',
  },
  ...quotaOptions,
  {
    flag: 'ai-url',
    takes: 'url',
    summary:
      'an OpenAI-compatible endpoint that makes stages of descriptions and looks at answers; its key in TRIALBOX_AI_KEY',
    env: 'TRIALBOX_AI_URL',
    otherwise: 'rules, without any endpoint',
  },
  { flag: 'ai-model', takes: 'name', summary: 'the model to ask there', env: 'TRIALBOX_AI_MODEL' },
  ...messageOptions,
  corsOption,
  { flag: 'test', summary: 'a throw-away server for developers: temporary data, plain HTTP, a clock to set' },
  ...testOptions,
]

/** Variables without a flag: every user of the machine can read a command line. */
const SECRETS = ['METRICS_TOKEN', 'AI_KEY', 'SMTP_USER', 'SMTP_PASSWORD', 'SMS_TOKEN', 'WHATSAPP_TOKEN']

/** All variables that Trialbox reads. */
const variables = [...serverOptions.flatMap(({ env }) => env ?? []), ...SECRETS.map((name) => `TRIALBOX_${name}`)]

/** Flags that cannot be combined with `--test`, which sets them itself. */
const setByTest = ['data', 'host', 'tls', 'behind-proxy', 'public-url', 'cors-origin']

/** Settings whose variables `--test` ignores: variables set for a whole machine must not make it write to real people. */
const ignoredByTest = [...setByTest, ...messageOptions.map(({ flag }) => flag)]

/** {base_url} of a server that listens on this port (docs/running.md, "Settings"). */
export const baseUrl = (config: Config, port: number): string =>
  config.publicUrl ??
  `${config.tls === 'off' ? 'http' : 'https'}://${isWildcardAddress(config.host) ? 'localhost' : hostInUrl(config.host)}:${port}`

/** Whether links that are sent out work on this machine only. */
export const linksAreLocal = ({ publicUrl, host }: Config): boolean =>
  publicUrl === undefined && (isWildcardAddress(host) || isLoopback(host))

/**
 * Reads the configuration from flags, environment and the file of settings in the data directory, which take precedence in
 * this order.
 * @throws a fault, one sentence, for the first setting that is not valid
 */
export function configure(flags: Flags, environment: Environment): Config {
  const test = flags.test === true
  refuseUnknown(environment, variables)
  const data = test
    ? join(tmpdir(), `${TEST_DIRECTORY}${newSecret().slice(0, 12)}`)
    : resolve(`${flags.data ?? (environment.TRIALBOX_DATA || 'trialbox-data')}`)
  const present = Object.entries(environment).filter(([, value]) => value)
  const env: Environment = { ...(test ? {} : settingsIn(data, variables)), ...Object.fromEntries(present) }
  if (test) {
    const other = setByTest.find((flag) => flags[flag] !== undefined)
    if (other) throw fault(`--${other} cannot be given with --test, which sets it itself.`)
  } else {
    const other = testOptions.find(({ flag }) => flags[flag] !== undefined)
    if (other) throw fault(`--${other.flag} can be given with --test only.`)
  }
  const given = (flag: string): string | undefined => {
    const option = serverOptions.find((each) => each.flag === flag)
    const value = flags[flag]
    if (value !== undefined) return value === true ? 'true' : value
    // A variable may be set for a whole machine, and a test server must not open the data directory that it names.
    return option?.env && !(test && ignoredByTest.includes(flag)) ? env[option.env] || undefined : undefined
  }
  const tls = test ? 'off' : tlsOf(given('tls') ?? 'auto')
  const host = hostOf(given('host') ?? '127.0.0.1')
  const behindProxy = switchOf('--behind-proxy', given('behind-proxy'))
  if (tls === 'off' && !behindProxy && !isLoopback(host))
    throw fault(
      `Plain HTTP on ${host} would send patients' data unprotected: leave out --tls off, or add --behind-proxy if a proxy in front speaks HTTPS. See /manual/running#plain-http.`,
    )
  const publicUrl = given('public-url')
  const rateLimit = given('rate-limit')
  return Object.freeze({
    data,
    host,
    port: wholeOf('--port', given('port') ?? (tls === 'off' ? '8080' : '8443'), 0, 65_535),
    tls,
    behindProxy,
    publicUrl: publicUrl === undefined ? undefined : publicUrlOf(publicUrl),
    log: logOf(given('log') ?? 'text'),
    rateLimit: rateLimit === undefined ? undefined : wholeOf('--rate-limit', rateLimit, 1, 1_000_000),
    quotas: quotasOf(given),
    // Only from the environment: every user of the machine can read a command line.
    metricsToken: metricsTokenOf(env.TRIALBOX_METRICS_TOKEN || undefined),
    ai: aiOf(given('ai-url'), given('ai-model'), env.TRIALBOX_AI_KEY || undefined),
    messages: messagesOf(given, (flag) => flags[flag] !== undefined, env),
    corsOrigins: test ? 'any' : corsOriginsOf(given('cors-origin') ?? ''),
    test,
    hasLimits: flags['no-limits'] === undefined,
    isDetached: flags.detached !== undefined,
  })
}

function aiOf(text: string | undefined, model: string | undefined, key: string | undefined): Config['ai'] {
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password)
    throw fault('--ai-url must be an address such as http://localhost:11434/v1, without a query or a password.')
  if (url.protocol === 'http:' && key !== undefined && !isLoopback(bareHost(url.hostname)))
    throw fault('--ai-url must begin with https, since its key would be sent unprotected.')
  if (model === undefined) throw fault('--ai-url needs --ai-model, the name of the model to ask.')
  if (key !== undefined && !/^[\x21-\x7e]{1,1000}$/.test(key))
    throw fault('TRIALBOX_AI_KEY must be at most 1000 characters without spaces.')
  return Object.freeze({ url: url.href.replace(/\/+$/, ''), key, model })
}

function wholeOf(flag: string, text: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least && value <= most))
    throw fault(`${flag} must be a whole number from ${least} to ${most}, not "${text}".`)
  return value
}

function switchOf(flag: string, text: string | undefined): boolean {
  if (text === undefined || text === 'false' || text === '0') return false
  if (text === 'true' || text === '1') return true
  throw fault(`${flag} must be true or false, not "${text}".`)
}

function tlsOf(text: string): Config['tls'] {
  if (text === 'auto' || text === 'off') return text
  const [cert, key, ...more] = text.split(',').map((part) => part.trim())
  if (!cert || !key || more.length)
    throw fault(`--tls must be auto, off, or two files such as cert.pem,key.pem, not "${text}".`)
  return Object.freeze({ cert: resolve(cert), key: resolve(key) })
}

function hostOf(text: string): string {
  const host = bareHost(text)
  if (isIP(host) || (/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/i.test(host) && !/^[\d.]+$/.test(host))) return host
  throw fault(`--host must be an address or a name to listen on, such as 127.0.0.1 or 0.0.0.0, not "${text}".`)
}

function publicUrlOf(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password)
    throw fault('--public-url must be an address such as https://study.example.org, without a query or a password.')
  if (url.protocol === 'http:' && !isLoopback(bareHost(url.hostname)))
    throw fault(`--public-url must begin with https, since links that are sent out must be safe to follow.`)
  return url.href.replace(/\/+$/, '')
}

function logOf(text: string): Config['log'] {
  if (text === 'text' || text === 'json') return text
  throw fault(`--log must be text or json, not "${text}".`)
}

function metricsTokenOf(token: string | undefined): string | undefined {
  if (token !== undefined && !/^[\x21-\x7e]{16,200}$/.test(token))
    throw fault('TRIALBOX_METRICS_TOKEN must be 16 to 200 characters without spaces.')
  return token
}
