import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment, Flags } from '#server/config/options'
import { configure } from '#server/config/settings'
import { freshFolder } from './folder'

describe('the file of settings', () => {
  /** The configuration of a data directory with this file. */
  const read = (text: string, flags: Flags = {}, env: Environment = {}) => {
    const data = freshFolder()
    writeFileSync(join(data, 'trialbox.conf'), text)
    return configure({ data, ...flags }, env)
  }

  test('has the names of the flags and of the secrets', () => {
    const text = `\ufeff# Sleep study\r\nport = 443\r\n\n  public-url=https://s.example\nbehind-proxy = true
smtp-url = smtp://mail\nmail-from = "Sleep # study" <s@a.example>\nsmtp-password = p = #1\n`
    expect(read(text)).toMatchObject({
      port: 443,
      publicUrl: 'https://s.example',
      behindProxy: true,
      messages: { email: { host: 'mail', from: { name: 'Sleep # study' }, password: 'p = #1' } },
    })
  })

  test('flags win, then variables, then the file', () => {
    expect(read('port = 1', { port: '3' }, { TRIALBOX_PORT: '2' }).port).toBe(3)
    expect(read('port = 1', {}, { TRIALBOX_PORT: '2' }).port).toBe(2)
    expect(read('port = 1', {}, { TRIALBOX_PORT: '' }).port).toBe(1)
    const data = freshFolder()
    writeFileSync(join(data, 'trialbox.conf'), 'port = 7')
    expect(configure({}, { TRIALBOX_DATA: data }).port).toBe(7)
    expect(configure({ test: true }, { TRIALBOX_DATA: data }).port).not.toBe(7)
  })

  const refusals: [string, string][] = [
    ['\nprot = 1', 'line 2: there is no setting prot; did you mean port?'],
    ['colour = red', 'line 1: there is no setting colour.'],
    ['port 1', 'line 1: a setting is written as `port = 8443`.'],
    ['port =', 'line 1: a setting is written as `port = 8443`.'],
    ['--port = 1', 'line 1: a setting is written as `port = 8443`.'],
    ['port = 1\nport = 2', 'line 2: port is given twice.'],
    ['data = /srv', 'line 1: data cannot be set here'],
    ['test = true', 'line 1: there is no setting test.'],
    ['port = many', '--port must be a whole number'],
  ]
  test.each(refusals)('%p is refused: %s', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })

  test('a variable that is misspelt is refused, and those of other programs are not', () => {
    const misspelt = { TRIALBOX_PUBLIC_ULR: 'https://s.example' }
    expect(() => configure({}, misspelt)).toThrow(
      'There is no environment variable TRIALBOX_PUBLIC_ULR; did you mean TRIALBOX_PUBLIC_URL?',
    )
    expect(configure({}, { TRIALBOX_PUBLIC_ULR: '', MY_TRIALBOX: '1' }).publicUrl).toBeUndefined()
  })
})
