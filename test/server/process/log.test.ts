import { describe, expect, test } from 'bun:test'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Log, openLog, type RequestLine } from '#server/process/log'
import { freshFolder, start } from './folder'

const AT = Date.parse('2026-03-01T09:30:00.123Z')
const line: RequestLine = {
  method: 'PUT',
  route: '/trials/:trialId/participants',
  status: 200,
  duration: 1.23456,
  requestId: 'req1',
  caller: { kind: 'user', _id: '65f0c0ffee65f0c0ffee65f0' },
  bytes: 1400,
}

/** The whole output of a log. */
async function written(format: 'text' | 'json', isTTY: boolean, use: (log: Log) => void): Promise<string> {
  const path = join(freshFolder(), 'log')
  const log = openLog(format, { fd: openSync(path, 'w'), isTTY }, () => AT)
  use(log)
  await log.close()
  return readFileSync(path, 'utf8')
}

describe('json', () => {
  test('has one object in each line, in the order of events', async () => {
    const text = await written('json', true, (log) => {
      log.event('info', 'listening', { port: 8443, time: 'forged' })
      log.request(line)
      log.request({ ...line, status: 503, caller: undefined, route: undefined, bytes: undefined })
    })
    expect(text).toEndWith('\n')
    const time = '2026-03-01T09:30:00.123Z'
    const { caller, ...plain } = line
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((each) => JSON.parse(each)),
    ).toEqual([
      { time, level: 'info', event: 'listening', port: 8443 },
      { time, level: 'info', ...plain, duration: 1.235, user: caller!._id },
      { time, level: 'error', method: 'PUT', route: '-', status: 503, duration: 1.235, requestId: 'req1' },
    ])
  })

  test('writes thousands of lines completely', async () => {
    const text = await written('json', false, (log) => {
      for (let n = 0; n < 5_000; n++) log.event('info', 'n', { n })
    })
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((each) => JSON.parse(each).n),
    ).toEqual(Array.from({ length: 5_000 }, (_, n) => n))
  })

  test('writes queued lines at an exit', async () => {
    const process = start(`
      import { openLog } from './src/server/process/log'
      openLog('json', { fd: 2 }).event('info', 'last words')
      process.exit(3)`)
    expect(await process.exited).toBe(3)
    expect(await new Response(process.stderr).text()).toContain('last words')
    expect(await new Response(process.stdout).text()).toBe('')
  })
})

describe('text', () => {
  test('is aligned, and coloured on a terminal only', async () => {
    const use = (log: Log) => {
      log.request(line)
      log.request({ ...line, method: 'GET', status: 404, duration: 120, bytes: 7 })
    }
    const plain = await written('text', false, use)
    expect(plain).not.toContain('\x1b')
    const [first, second] = plain.split('\n')
    expect(first!.indexOf('/trials')).toBe(second!.indexOf('/trials'))
    const colour = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g')
    const coloured = await written('text', true, use)
    expect(coloured).toMatch(colour)
    expect(coloured.replace(colour, '')).toBe(plain)
  })
})

describe('no data that people enter is logged', () => {
  const secrets = [
    'tbk_q8Zc2hJ0vWm4XbT1nYr7LdPs5EaKgUf9RiOxCj3BwM6',
    '65f0c0ffee65f0c0ffee65f1',
    'Anna Müller',
    'anna@example.org',
    '+49 170 1234567',
    "o'hara",
  ]
  const formats = ['json', 'text'] as const

  test.each(formats)('%s: values in raw paths are hidden', async (format) => {
    const text = await written(format, false, (log) => {
      for (const secret of secrets) {
        log.request({ ...line, route: `/setup/${secret}` })
        log.request({ ...line, route: `/trials/x?term=${secret}` })
        log.request({ ...line, route: `/x/${encodeURIComponent(secret)}#${secret}` })
      }
    })
    for (const secret of secrets) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(encodeURIComponent(secret))
    }
    expect(text).toContain('/setup/:hidden')
  })

  test.each(formats)('%s: an unexpected error is logged without its message', async (format) => {
    const text = await written(format, false, (log) => {
      for (const secret of secrets) {
        log.failure('request failed', new TypeError(`cannot read "${secret}"\n    at ${secret} (file.ts:1:1)`))
        log.failure('request failed', Object.assign(new Error(secret), { code: secret }))
        log.failure('request failed', secret)
        try {
          JSON.parse(`{"name": ${secret}`)
        } catch (error) {
          log.failure('request failed', error)
        }
      }
    })
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(text).toContain('TypeError')
    expect(text).toContain('log.test.ts')
  })

  test('tokens in paths are never logged', async () => {
    const token = fc.stringMatching(/^[A-Za-z0-9_-]{24,64}$/)
    await fc.assert(
      fc.asyncProperty(fc.array(token, { minLength: 1, maxLength: 20 }), async (tokens) => {
        const text = await written('json', false, (log) => {
          for (const each of tokens) log.request({ ...line, route: `/storage/${each}/x` })
        })
        for (const each of tokens) expect(text).not.toContain(each)
      }),
      { numRuns: 30 },
    )
  })

  test('path patterns and plain words stay readable', async () => {
    const routes = ['/trials/:trialId/data-types', '/storage/*', '/openapi.json', '/health', '/', '/oauth2/:provider?']
    const text = await written('json', false, (log) => {
      for (const route of routes) log.request({ ...line, route })
    })
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((each) => JSON.parse(each).route),
    ).toEqual(routes)
  })
})
