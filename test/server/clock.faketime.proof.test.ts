/** The program on a machine whose clock really jumps, as far as the process can see. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { ask, banner, firstKey, fromSource, runProgram, startServer } from '../program'
import { until } from '../until'
import { freshFolder } from './process/folder'

const library =
  process.platform === 'linux' ? [...new Glob('/usr/lib/*/faketime/libfaketimeMT.so.1').scanSync('/')][0] : undefined

/** The program with a clock that a file sets, such as `+400d`; the time since the start of the machine is not touched. */
function clocked() {
  const file = join(freshFolder(), 'clock')
  const env = {
    PATH: process.env.PATH ?? '',
    LD_PRELOAD: `${library}`,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  const set = (by: string) => writeFileSync(file, `${by}\n`)
  set('+0')
  return { set, program: { ...fromSource, env } }
}

test.skipIf(!library)(
  'a year ahead at a start and 400 days ahead while it runs: the server writes the right time, and goes on',
  async () => {
    const { set, program } = clocked()
    const data = join(freshFolder(), 'data')
    const words = ['--tls', 'off', '--port', '0', '--data', data]
    const first = await startServer(program, words, banner)
    const { key, team } = await firstKey(first.found.url, first.found.setup!)
    // The server keeps how the clock stood in its first seconds.
    await until(() => Bun.file(join(data, 'clock')).exists())
    await first.stop()

    set('+365d')
    const second = await startServer(program, words, banner)
    const of = (url: string) => ({
      health: async () => (await ask(`${url}/health`)).body,
      create: (name: string) => ask(`${url}/teams/${team}/trials`, { method: 'POST', key, body: { name } }),
    })
    const api = of(second.found.url)
    const isNow = (text: string) => Math.abs(Date.parse(text) - Date.now()) < 60_000
    const ahead = await api.health()
    expect(ahead.problems.map(({ code }: { code: string }) => code)).toContain('clockStep')
    expect(isNow(ahead.now)).toBe(true)
    const one = await api.create('One')
    expect([one.status, isNow(one.body.createdAt)]).toEqual([200, true])
    set('+0')
    await until(async () => !(await api.health()).problems.some(({ code }: { code: string }) => code === 'clockStep'))
    set('+400d')
    await until(async () => (await api.health()).problems.some(({ code }: { code: string }) => code === 'clockStep'))
    expect((await api.create('Two')).status).toBe(200)
    set('+0')
    expect((await api.create('Three')).status).toBe(200)
    expect((await api.create('Four')).status).toBe(200)

    // An operator who knows better.
    set('+2d')
    const refused = await runProgram(program, 'users', 'add', '--data', data, '--email', 'a@example.org')
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('trialbox clock accept')])
    const accepted = await runProgram(program, 'clock', 'accept', '--data', data)
    expect([accepted.code, accepted.err]).toEqual([0, ''])
    await until(async () => Date.parse((await api.health()).now) > Date.now() + 86_400_000)
    const { code, out } = await second.stop()
    expect(code).toBe(0)
    expect(out).toContain('the server goes on with its own time')
    const verified = await runProgram(program, 'verify', '--data', data)
    expect(verified.out).not.toMatch(/^(fault|stale)/m)
    expect(verified.code).toBe(0)
  },
  180_000,
)
