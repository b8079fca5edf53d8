import { describe, expect, test } from 'bun:test'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { isFault } from '#kernel/fault'
import { networkFrom } from '#kernel/networks'
import type { Environment, Flags } from '#server/config/options'
import { baseUrl, type Config, configure, serverOptions } from '#server/config/settings'

describe('the default configuration', () => {
  test('is HTTPS for this machine only', () => {
    expect(configure({}, {})).toEqual({
      data: resolve('trialbox-data'),
      host: '127.0.0.1',
      port: 8443,
      tls: 'auto',
      behindProxy: false,
      publicUrl: undefined,
      log: 'text',
      logDir: resolve('trialbox-data/logs'),
      languages: resolve('trialbox-data/languages'),
      rateLimit: undefined,
      quotas: { participant: 10 * 1024 ** 3, trial: 500 * 1024 ** 3 },
      metricsToken: undefined,
      metricsAt: undefined,
      backupTo: undefined,
      ai: undefined,
      messages: {},
      outgoing: { networks: [], isOff: false },
      giftCards: undefined,
      wearables: {},
      corsOrigins: [],
      acceptClock: false,
      verifyEvery: 24,
      test: false,
      hasLimits: true,
      isDetached: false,
    })
  })

  test('cannot be changed afterwards', () => {
    expect(Object.isFrozen(configure({}, {}))).toBe(true)
  })
})

describe('accepted:', () => {
  const cases: [string, Flags, Environment, Partial<Config>][] = [
    [
      'an AI endpoint, its key from the environment alone',
      { 'ai-url': 'http://localhost:11434/v1/', 'ai-model': 'small' },
      { TRIALBOX_AI_KEY: 'k' },
      { ai: { url: 'http://localhost:11434/v1', key: 'k', model: 'small' } },
    ],
    ['the port follows from plain HTTP', { tls: 'off' }, {}, { tls: 'off', port: 8080 }],
    ['the flag wins over the environment', { port: '1' }, { TRIALBOX_PORT: '2' }, { port: 1 }],
    ['the environment', {}, { TRIALBOX_PORT: '0', TRIALBOX_LOG: 'json' }, { port: 0, log: 'json' }],
    ['the metrics on IPv6', { 'metrics-listen': '[::1]:9464' }, {}, { metricsAt: { host: '::1', port: 9464 } }],
    ['a test server without them', { test: true }, { TRIALBOX_METRICS_LISTEN: 'x' }, { metricsAt: undefined }],
    ['an empty variable is ignored', {}, { TRIALBOX_PORT: '', TRIALBOX_METRICS_TOKEN: '' }, { port: 8443 }],
    ['a switch from the environment', {}, { TRIALBOX_BEHIND_PROXY: '1' }, { behindProxy: true }],
    ['an IPv6 address in brackets', { host: '[::]' }, {}, { host: '::' }],
    ['plain HTTP on ::1', { host: '::1', tls: 'off' }, {}, { host: '::1' }],
    ['plain HTTP behind a proxy', { host: '0.0.0.0', tls: 'off', 'behind-proxy': true }, {}, { host: '0.0.0.0' }],
    ['own files', { tls: '/a/c.pem,/a/k.pem' }, {}, { tls: { cert: '/a/c.pem', key: '/a/k.pem' } }],
    ['a public address', { 'public-url': 'https://s.example/x/' }, {}, { publicUrl: 'https://s.example/x' }],
    [
      'quotas of uploads',
      { 'participant-quota': '500 mb' },
      { TRIALBOX_TRIAL_QUOTA: 'none' },
      { quotas: { participant: 500 * 1024 ** 2, trial: Number.POSITIVE_INFINITY } },
    ],
    ['a rate limit', { 'rate-limit': '600' }, {}, { rateLimit: 600 }],
    [
      'a mail server, its password from the environment alone',
      { 'smtp-url': 'smtp://mail.example.org', 'mail-from': '"Sleep study" <study@example.org>' },
      { TRIALBOX_SMTP_USER: 'u', TRIALBOX_SMTP_PASSWORD: 'p' },
      {
        messages: {
          email: {
            host: 'mail.example.org',
            port: 587,
            isSecure: false,
            from: { name: 'Sleep study', address: 'study@example.org' },
            user: 'u',
            password: 'p',
            ca: undefined,
          },
        },
      },
    ],
    [
      'a mail server and its password in one variable',
      { 'mail-from': 'study@example.org' },
      { TRIALBOX_SMTP_URL: 'smtps://us%40er:p%3Aw@[::1]:2465/' },
      {
        messages: {
          email: {
            host: '::1',
            port: 2465,
            isSecure: true,
            from: { name: '', address: 'study@example.org' },
            user: 'us@er',
            password: 'p:w',
            ca: undefined,
          },
        },
      },
    ],
    [
      'gateways',
      { 'sms-url': 'https://sms.example.org/v1?from=Study', 'whatsapp-url': 'http://127.0.0.1:9/' },
      { TRIALBOX_SMS_TOKEN: 'Basic dTpw', TRIALBOX_WHATSAPP_BODY: 'To=whatsapp:{to}&Body={text}' },
      {
        messages: {
          sms: {
            url: 'https://sms.example.org/v1?from=Study',
            body: '{"to":"{to}","text":"{text}"}',
            token: 'Basic dTpw',
          },
          whatsapp: { url: 'http://127.0.0.1:9/', body: 'To=whatsapp:{to}&Body={text}', token: undefined },
        },
      },
    ],
    [
      'private networks that may be called, and no webhooks',
      { 'outgoing-networks': '10.1.0.0/16, ::1' },
      { TRIALBOX_NO_WEBHOOKS: 'true' },
      { outgoing: { networks: [networkFrom('10.1.0.0/16')!, networkFrom('::1')!], isOff: true } },
    ],
    [
      'with --test, this machine',
      { test: true },
      {},
      { outgoing: { networks: ['127.0.0.0/8', '::1'].map((each) => networkFrom(each)!), isOff: false } },
    ],
    [
      'push notifications',
      { 'push-subject': 'mailto:study@example.org', 'push-services': 'Push.example.org, *.example.net' },
      {},
      { messages: { push: { subject: 'mailto:study@example.org', services: ['push.example.org', '*.example.net'] } } },
    ],
  ]
  test.each(cases)('%s', (_name, flags, env, expected) => {
    expect(configure(flags, env)).toMatchObject(expected)
  })
})

describe('refused, with a message:', () => {
  const cases: [Flags, Environment, string][] = [
    [{ port: '65536' }, {}, '--port must be a whole number from 0 to 65535, not "65536".'],
    [{ port: '-1' }, {}, '--port must be a whole number from 0 to 65535, not "-1".'],
    [{}, { TRIALBOX_PORT: '80.5' }, '--port must be a whole number from 0 to 65535, not "80.5".'],
    [{ host: '999.1.1.1' }, {}, '--host must be an address or a name'],
    [{ host: 'a b' }, {}, '--host must be an address or a name'],
    [{ host: '0.0.0.0', tls: 'off' }, {}, "Plain HTTP on 0.0.0.0 would send patients' data unprotected"],
    [{ host: '127.0.0.1.example.org', tls: 'off' }, {}, 'Plain HTTP on 127.0.0.1.example.org'],
    [{}, { TRIALBOX_HOST: '::', TRIALBOX_TLS: 'off' }, 'Plain HTTP on ::'],
    [{ tls: 'on' }, {}, '--tls must be auto, off, or two files'],
    [{ tls: 'a,b,c' }, {}, '--tls must be auto, off, or two files'],
    [{ tls: 'a.pem,' }, {}, '--tls must be auto, off, or two files'],
    [{}, { TRIALBOX_BEHIND_PROXY: 'yes' }, '--behind-proxy must be true or false, not "yes".'],
    [{ 'public-url': 'study.example' }, {}, '--public-url must be an address such as'],
    [{ 'public-url': 'https://a:b@s.example' }, {}, '--public-url must be an address such as'],
    [{ 'public-url': 'https://s.example/?a' }, {}, '--public-url must be an address such as'],
    [{ 'public-url': 'http://s.example' }, {}, '--public-url must begin with https'],
    [{ log: 'xml' }, {}, '--log must be text or json, not "xml".'],
    [{ 'outgoing-networks': '10.1.0.1/16' }, {}, '--outgoing-networks must be networks such as 10.1.0.0/16'],
    [{}, { TRIALBOX_OUTGOING_NETWORKS: 'intranet' }, '--outgoing-networks must be networks such as'],
    [{ 'rate-limit': '0' }, {}, '--rate-limit must be a whole number from 1 to 1000000'],
    [{ 'trial-quota': '10' }, {}, '--trial-quota must be a size such as 500MB, 10GB or 2TB, or none, not "10".'],
    [{}, { TRIALBOX_PARTICIPANT_QUOTA: '-1GB' }, '--participant-quota must be a size such as'],
    [{ 'smtp-url': 'mail.example.org', 'mail-from': 'a@b.org' }, {}, '--smtp-url must be an address such as'],
    [{ 'smtp-url': 'https://mail.example.org', 'mail-from': 'a@b.org' }, {}, '--smtp-url must be an address such as'],
    [{ 'smtp-url': 'smtp://mail.example.org/x', 'mail-from': 'a@b.org' }, {}, '--smtp-url must be an address such as'],
    [
      { 'smtp-url': 'smtp://u:hush@mail.example.org', 'mail-from': 'a@b.org' },
      {},
      '--smtp-url must not hold a password',
    ],
    [{ 'smtp-url': 'smtp://mail.example.org' }, {}, '--smtp-url needs --mail-from'],
    [{ 'smtp-url': 'smtp://m.org', 'mail-from': 'study' }, {}, '--mail-from must be an address such as'],
    [{ 'smtp-url': 'smtp://m.org', 'mail-from': 'a@b.org, c@d.org' }, {}, '--mail-from must be an address such as'],
    [{ 'smtp-url': 'smtp://m.org', 'mail-from': 'Study <a@b.org' }, {}, '--mail-from must be an address such as'],
    [
      { 'smtp-url': 'smtp://m.org', 'mail-from': 'a@b.org', 'smtp-ca': '/nowhere/ca' },
      {},
      '--smtp-ca: there is no file',
    ],
    [{ 'sms-url': 'ftp://sms.example.org' }, {}, '--sms-url must be an address such as'],
    [{ 'sms-url': 'https://u:hush@sms.example.org' }, {}, '--sms-url must be an address such as'],
    [{ 'whatsapp-url': 'http://wa.example.org' }, {}, '--whatsapp-url must begin with https'],
    [{ 'sms-url': 'https://s.org', 'sms-body': '{"to":"{to}"}' }, {}, '--sms-body must be JSON or fields of a form'],
    [{ 'sms-url': 'https://s.org', 'sms-body': '{"{to}{text}' }, {}, '--sms-body must be JSON or fields of a form'],
    [{ 'sms-url': 'https://s.org', 'sms-body': 'To {to} {text}' }, {}, '--sms-body must be JSON or fields of a form'],
    [{ 'sms-url': 'https://s.org' }, { TRIALBOX_SMS_TOKEN: 'hush hush hush' }, 'TRIALBOX_SMS_TOKEN must be a token'],
    [{ 'push-subject': 'study@example.org' }, {}, '--push-subject must be where push services may write to'],
    [{ 'push-subject': 'mailto:a@b.org', 'push-services': 'https://x' }, {}, '--push-services must be hosts'],
    [{}, { TRIALBOX_METRICS_TOKEN: 'short' }, 'TRIALBOX_METRICS_TOKEN must be 16 to 200 characters'],
    [{ 'metrics-listen': '0.0.0.0:9464' }, {}, '--metrics-listen must be an address of this machine'],
    [{ 'metrics-listen': '9464' }, {}, '--metrics-listen must be an address of this machine'],
    [{ 'metrics-listen': '127.0.0.1:65536' }, {}, '--metrics-listen must be an address of this machine'],
    [{ 'metrics-listen': 'metrics.example.org:80' }, {}, '--metrics-listen must be an address of this machine'],
    [{ 'metrics-listen': '127.0.0.1:9464/x' }, {}, '--metrics-listen must be an address of this machine'],
    [{ test: true, data: 'x' }, {}, '--data cannot be given with --test'],
    [{ test: true, host: '0.0.0.0' }, {}, '--host cannot be given with --test'],
    [{ test: true, tls: 'auto' }, {}, '--tls cannot be given with --test'],
    [{ test: true, 'behind-proxy': true }, {}, '--behind-proxy cannot be given with --test'],
  ]
  test.each(cases)('%p %p', (flags, env, sentence) => {
    let refused: unknown
    try {
      configure(flags, env)
    } catch (error) {
      refused = error
    }
    expect(isFault(refused)).toBe(true)
    expect((refused as Error).message).toStartWith(sentence)
    expect((refused as Error).message).not.toContain('\n')
    expect((refused as Error).message).not.toContain('hush')
  })

  test('the message about a refused metrics token does not repeat it', () => {
    expect(() => configure({}, { TRIALBOX_METRICS_TOKEN: 'hush hush hush hush' })).toThrow(/^((?!hush).)*$/)
  })
})

describe('--test', () => {
  const everything: Environment = {
    TRIALBOX_DATA: '/srv/trialbox',
    TRIALBOX_HOST: '0.0.0.0',
    TRIALBOX_TLS: 'auto',
    TRIALBOX_BEHIND_PROXY: 'true',
    TRIALBOX_PUBLIC_URL: 'https://study.example',
  }

  test('is HTTP on loopback with a directory of its own, whatever the environment says', () => {
    const config = configure({ test: true, port: '0' }, everything)
    expect(config).toMatchObject({ test: true, tls: 'off', host: '127.0.0.1', port: 0, behindProxy: false })
    expect(config.publicUrl).toBeUndefined()
    expect(config.data).toStartWith(tmpdir())
    expect(configure({ test: true }, {}).data).not.toBe(config.data)
  })

  test('sends no messages by settings of the environment', () => {
    const env = {
      TRIALBOX_SMTP_URL: 'smtp://mail.example.org',
      TRIALBOX_MAIL_FROM: 'study@example.org',
      TRIALBOX_SMS_URL: 'https://sms.example.org',
      TRIALBOX_WHATSAPP_URL: 'https://wa.example.org',
      TRIALBOX_PUSH_SUBJECT: 'mailto:study@example.org',
    }
    expect(Object.keys(configure({}, env).messages)).toEqual(['email', 'sms', 'whatsapp', 'push'])
    expect(configure({ test: true }, env).messages).toEqual({})
    const named = { test: true as const, 'smtp-url': 'smtp://127.0.0.1:25', 'mail-from': 'a@example.org' }
    expect(Object.keys(configure(named, env).messages)).toEqual(['email'])
  })

  test('cannot come from the environment', () => {
    expect(() => configure({}, { TRIALBOX_TEST: 'true' })).toThrow('There is no environment variable TRIALBOX_TEST')
    expect(configure({}, { test: 'true' }).test).toBe(false)
    expect(serverOptions.find(({ flag }) => flag === 'test')!.env).toBeUndefined()
  })
})

describe('base URL', () => {
  const cases: [Flags, string][] = [
    [{}, 'https://127.0.0.1:9'],
    [{ host: '0.0.0.0' }, 'https://localhost:9'],
    [{ host: '::1', tls: 'off' }, 'http://[::1]:9'],
    [{ 'public-url': 'https://study.example' }, 'https://study.example'],
  ]
  test.each(cases)('%p', (flags, url) => {
    expect(baseUrl(configure(flags, {}), 9)).toBe(url)
  })
})
