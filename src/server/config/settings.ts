import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { hostInUrl, isLoopback, isWildcardAddress } from '#kernel/address'
import { fault } from '#kernel/fault'
import { newSecret } from '#kernel/id'
import type { Network } from '#kernel/networks'
import type { WearableConfig } from '#outbox/wearableServices'
import { type AiEndpoint, aiOf } from './ai'
import { corsOption, corsOriginsOf } from './corsOrigins'
import { backupToOption, dataFolder, dataOption } from './data'
import { giftCardOptions, giftCardsOf } from './giftCards'
import { type Gateway, type MessageConfig, messageOptions, messagesOf } from './messages'
import { type MetricsAddress, metricsAddressOf, metricsOption, metricsTokenOf } from './metrics'
import { LOOPBACK, networksOf, networksOption, noWebhooksOption } from './networks'
import type { Environment, Flags, Option } from './options'
import { type Quotas, quotaOptions, quotasOf } from './quotas'
import { refuseUnknown, settingsIn } from './settingsFile'
import { TEST_DIRECTORY, testOptions } from './testOptions'
import { hostOf, type LogFormat, logDirOf, logOf, publicUrlOf, switchOf, type Tls, tlsOf, wholeOf } from './values'
import { wearableOptions, wearableSecrets, wearablesOf } from './wearables'

/** The configuration of the server, checked; it never changes afterwards (docs/running.md, "Settings"). */
export type Config = Readonly<{
  /** The data directory, an absolute path. */
  data: string
  host: string
  /** 0 means any free port. */
  port: number
  tls: Tls
  /** Whether the server trusts `X-Forwarded-*` headers. */
  behindProxy: boolean
  /** The public {base_url}, without a slash at the end; undefined if it follows from host and port. */
  publicUrl: string | undefined
  log: LogFormat
  /** The folder of the log's files; undefined for none. */
  logDir: string | undefined
  /** The folder of further languages of the pages. */
  languages: string
  /** Requests per account and minute on operations that have no limit of their own; undefined for no limit. */
  rateLimit: number | undefined
  quotas: Quotas
  metricsToken: string | undefined
  metricsAt: MetricsAddress | undefined
  /** Public keys for which backups are encrypted; undefined for none. */
  backupTo: string | undefined
  /** An OpenAI-compatible endpoint that reads descriptions of studies; undefined if built-in rules read them. */
  ai: AiEndpoint
  /** The senders of messages; messages of a channel that is not configured stay in the outbox. */
  messages: MessageConfig
  /** Which addresses that users have entered may be called, and whether all such calls are off. */
  outgoing: Readonly<{ networks: readonly Network[]; isOff: boolean }>
  /** The gateway that sells gift cards; undefined if participants get voucher codes only. */
  giftCards: Readonly<Gateway> | undefined
  /** The providers of wearables whose accounts participants can connect. */
  wearables: WearableConfig
  /** Other origins whose pages may call the API from a browser; `any` with `--test`. */
  corsOrigins: 'any' | readonly string[]
  /** Whether a start goes on although the clock is behind what was written last. */
  acceptClock: boolean
  /** Hours between two runs of `verify` while the server runs; 0: none. */
  verifyEvery: number
  test: boolean
  /** Whether rate limits hold; only a test server can be without. */
  hasLimits: boolean
  /** Whether a test server keeps running when the program that started it ends. */
  isDetached: boolean
}>

export { dataOption }

export const languagesOption: Option = {
  flag: 'languages',
  takes: 'folder',
  summary: 'where further languages of the pages are, each a file such as nl.json',
  env: 'TRIALBOX_LANGUAGES',
  otherwise: 'languages/ in the data directory',
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
    flag: 'log-dir',
    takes: 'folder|off',
    summary: 'where the log is kept in files, which are replaced by size and day',
    env: 'TRIALBOX_LOG_DIR',
    otherwise: 'logs/ in the data directory',
  },
  languagesOption,
  {
    flag: 'rate-limit',
    takes: 'number',
    summary: 'requests an account may make a minute where nothing else is set',
    env: 'TRIALBOX_RATE_LIMIT',
    otherwise: 'no limit',
  },
  ...quotaOptions,
  metricsOption,
  {
    flag: 'ai-url',
    takes: 'url',
    summary:
      'an OpenAI-compatible endpoint that makes stages of descriptions and looks at answers; its key in TRIALBOX_AI_KEY',
    env: 'TRIALBOX_AI_URL',
    otherwise: 'rules, without any endpoint',
  },
  { flag: 'ai-model', takes: 'name', summary: 'the model to ask there', env: 'TRIALBOX_AI_MODEL' },
  {
    flag: 'verify-every',
    takes: 'hours',
    summary: 'how often the running server verifies its data; 0 for never',
    env: 'TRIALBOX_VERIFY_EVERY',
    otherwise: '24',
  },
  backupToOption,
  { flag: 'accept-clock', summary: 'start although the clock is behind what was written last; the log says so' },
  ...messageOptions,
  networksOption,
  noWebhooksOption,
  ...giftCardOptions,
  ...wearableOptions,
  corsOption,
  { flag: 'test', summary: 'a throw-away server for developers: temporary data, plain HTTP, a clock to set' },
  ...testOptions,
]

/** Variables without a flag: every user of the machine can read a command line. */
const SECRETS = [
  ...['METRICS_TOKEN', 'AI_KEY', 'SMTP_USER', 'SMTP_PASSWORD', 'SMS_TOKEN', 'WHATSAPP_TOKEN'],
  'GIFT_CARD_TOKEN',
  ...wearableSecrets,
]

/** All variables that Trialbox reads. */
const variables = [...serverOptions.flatMap(({ env }) => env ?? []), ...SECRETS.map((name) => `TRIALBOX_${name}`)]

/** Flags that cannot be combined with `--test`, which sets them itself. */
const setByTest = ['data', 'host', 'tls', 'behind-proxy', 'public-url', 'cors-origin']

/** Settings whose variables `--test` ignores: variables set for a whole machine must not make it write to real people, nor buy gift cards. */
const ignoredByTest = [
  ...[...setByTest, 'metrics-listen'],
  ...[...messageOptions, ...giftCardOptions, ...wearableOptions].map(({ flag }) => flag),
]

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
  const data = test ? join(tmpdir(), `${TEST_DIRECTORY}${newSecret().slice(0, 12)}`) : dataFolder(flags, environment)
  const present = Object.entries(environment).filter(([, value]) => value)
  const env: Environment = { ...(test ? {} : settingsIn(data, variables)), ...Object.fromEntries(present) }
  if (test) {
    const other = setByTest.find((flag) => flags[flag] !== undefined)
    if (other) throw fault(`--${other} cannot be given with --test, which sets it itself.`)
  } else {
    const other = testOptions.find(({ flag }) => flags[flag] !== undefined)
    if (other) throw fault(`--${other.flag} can be given with --test only.`)
  }
  const setting = (flag: string): string | undefined => {
    const option = serverOptions.find((each) => each.flag === flag)
    const value = flags[flag]
    if (value !== undefined) return value === true ? 'true' : value
    // A variable may be set for a whole machine, and a test server must not open the data directory that it names.
    return option?.env && !(test && ignoredByTest.includes(flag)) ? env[option.env] || undefined : undefined
  }
  const tls = test ? 'off' : tlsOf(setting('tls') ?? 'auto')
  const host = hostOf(setting('host') ?? '127.0.0.1')
  const behindProxy = switchOf('--behind-proxy', setting('behind-proxy'))
  if (tls === 'off' && !behindProxy && !isLoopback(host))
    throw fault(
      `Plain HTTP on ${host} would send patients' data unprotected: leave out --tls off, or add --behind-proxy if a proxy in front speaks HTTPS. See /manual/running#plain-http.`,
    )
  const publicUrl = setting('public-url')
  const rateLimit = setting('rate-limit')
  return Object.freeze({
    data,
    host,
    port: wholeOf('--port', setting('port') ?? (tls === 'off' ? '8080' : '8443'), 0, 65_535),
    tls,
    behindProxy,
    publicUrl: publicUrl === undefined ? undefined : publicUrlOf(publicUrl),
    log: logOf(setting('log') ?? 'text'),
    logDir: test ? undefined : logDirOf(setting('log-dir'), data),
    languages: resolve(setting('languages') ?? join(data, 'languages')),
    rateLimit: rateLimit === undefined ? undefined : wholeOf('--rate-limit', rateLimit, 1, 1_000_000),
    quotas: quotasOf(setting),
    backupTo: setting('backup-to'),
    metricsAt: metricsAddressOf(setting('metrics-listen')),
    metricsToken: metricsTokenOf(env.TRIALBOX_METRICS_TOKEN || undefined),
    ai: aiOf(setting('ai-url'), setting('ai-model'), env.TRIALBOX_AI_KEY || undefined),
    messages: messagesOf(setting, (flag) => flags[flag] !== undefined, env),
    outgoing: Object.freeze({
      networks: networksOf(setting('outgoing-networks') ?? (test ? LOOPBACK : '')),
      isOff: switchOf('--no-webhooks', setting('no-webhooks')),
    }),
    giftCards: giftCardsOf(setting, env),
    wearables: wearablesOf(setting, env),
    corsOrigins: test ? 'any' : corsOriginsOf(setting('cors-origin') ?? ''),
    acceptClock: switchOf('--accept-clock', setting('accept-clock')),
    verifyEvery: wholeOf('--verify-every', setting('verify-every') ?? '24', 0, 500),
    test,
    hasLimits: flags['no-limits'] === undefined,
    isDetached: flags.detached !== undefined,
  })
}
