import { describe, expect, test } from 'bun:test'
import { hostname } from 'node:os'
import { serviceVersion } from '#kernel/version'
import { addresses, banner } from '#server/banner'
import type { Flags } from '#server/config/options'
import { configure } from '#server/config/settings'

const certificate = {
  cert: '',
  key: 'KEY',
  fingerprint: 'AB:CD',
  startsAt: 0,
  expiresAt: Date.UTC(2028, 0, 2) * 1000,
  isSigned: false,
}
const shownAtStart = {
  ...certificate,
  authority: { ...certificate, fingerprint: 'EF:01' },
  notices: ['The certificate is not for study.example.'],
}

describe('start-up', () => {
  test('shows address, data, fingerprint, and the setup link while there is no account', () => {
    const config = configure({ data: '/srv/study', 'public-url': 'https://study.example' }, {})
    const text = banner(config, 8443, shownAtStart, 'https://study.example/setup/abc')
    for (const part of [
      serviceVersion,
      'https://study.example\n',
      'https://127.0.0.1:8443',
      '/srv/study',
      'AB:CD',
      'EF:01',
    ])
      expect(text).toContain(part)
    expect(text).toContain('until 2028-01-02')
    expect(text).toContain('attention  The certificate is not for study.example.\n')
    expect(text).toContain('  https://study.example/setup/abc\n')
    expect(text).toContain('within an hour')
    expect(text).toContain('npm run demo')
    expect(text).not.toContain('KEY')
  })

  test('shows no link and no fingerprint if there is none', () => {
    const text = banner(configure({ tls: 'off' }, {}), 8080, undefined, undefined)
    expect(text).toContain('http://127.0.0.1:8080\n')
    expect(text).not.toMatch(/fingerprint|setup|account/)
  })

  test('says that links work on this machine only, unless it knows an address that others can use', () => {
    const shown = (flags: Flags) => banner(configure(flags, {}), 8443, undefined, undefined)
    for (const flags of ['127.0.0.1', '0.0.0.0', '::'].map((host) => ({ host }))) {
      expect(shown(flags)).toMatch(/links +in messages begin with https:\/\/\S+:8443 and work on this machine only/)
    }
    expect(shown({ host: '192.0.2.7' })).not.toContain('links')
    expect(shown({ host: '0.0.0.0', 'public-url': 'https://s.example' })).not.toContain('links')
  })

  test('lists every address that others can use', () => {
    const all = addresses(configure({ host: '0.0.0.0' }, {}), 1)
    expect(all[0]).toBe('https://localhost:1')
    expect(all).toContain(`https://${hostname()}:1`)
    expect(all.filter((each) => each.includes('['))).toEqual([])
    expect(new Set(all).size).toBe(all.length)
    expect(addresses(configure({ host: '::1' }, {}), 1)).toEqual(['https://[::1]:1'])
  })
})
