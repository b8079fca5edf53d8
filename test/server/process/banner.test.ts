import { describe, expect, test } from 'bun:test'
import { hostname } from 'node:os'
import { serviceVersion } from '#kernel/version'
import { configure } from '#server/config/settings'
import { addresses, banner } from '#server/process/banner'

const certificate = { cert: '', key: 'KEY', fingerprint: 'AB:CD', expiresAt: Date.UTC(2028, 0, 2) * 1000, isOwn: true }

describe('start-up', () => {
  test('shows address, data, fingerprint, and the setup link while there is no account', () => {
    const config = configure({ data: '/srv/study', 'public-url': 'https://study.example' }, {})
    const text = banner(config, 8443, certificate, 'https://study.example/setup/abc')
    for (const part of [serviceVersion, 'https://study.example\n', 'https://127.0.0.1:8443', '/srv/study', 'AB:CD'])
      expect(text).toContain(part)
    expect(text).toContain('until 2028-01-02')
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

  test('lists every address that others can use', () => {
    const all = addresses(configure({ host: '0.0.0.0' }, {}), 1)
    expect(all[0]).toBe('https://localhost:1')
    expect(all).toContain(`https://${hostname()}:1`)
    expect(all.filter((each) => each.includes('['))).toEqual([])
    expect(new Set(all).size).toBe(all.length)
    expect(addresses(configure({ host: '::1' }, {}), 1)).toEqual(['https://[::1]:1'])
  })
})
