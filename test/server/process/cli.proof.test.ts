import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { readArguments } from '#cli/arguments'
import type { Command } from '#cli/command'
import { commands } from '#cli/commands'
import { systemClock } from '#kernel/time'
import { commitOf, serviceVersion } from '#kernel/version'
import { configure } from '#server/config/settings'
import { openDataDirectory } from '#server/process/dataDirectory'
import { certificateFor } from '#server/tls/certificate'
import { bun, freshFolder, root } from './folder'

/** The output of `trialbox` with these words. */
async function trialbox(...words: string[]) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TRIALBOX_')))
  const child = Bun.spawn([bun, 'src/start/main.ts', ...words], { cwd: root, stdout: 'pipe', stderr: 'pipe', env })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

describe('help', () => {
  test.each([[[]], [['--help']], [['-h']], [['help']]])('trialbox %p lists every command', async (words) => {
    const { code, out, err } = await trialbox(...words)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const { name, summary } of commands) {
      expect(out).toContain(name)
      expect(out).toContain(summary)
    }
  })

  test.each(commands.map(({ name }) => name))('%s --help shows its flags and an example', async (name) => {
    const command = commands.find((each) => each.name === name)!
    const { code, out } = await trialbox(name, '--help')
    expect(code).toBe(0)
    for (const { flag, env } of command.options) {
      expect(out).toContain(`--${flag}`)
      if (env) expect(out).toContain(env)
    }
    expect(command.examples[0]).toStartWith(`trialbox ${name}`)
    expect(out).toContain(command.examples[0])
    expect(await trialbox('help', name)).toEqual({ code: 0, out, err: '' })
  })
})

describe('version', () => {
  test('names the build', async () => {
    expect(serviceVersion).toMatch(/^\d+\.\d+\.\d+\+([0-9a-f]{7}|dev)$/)
    expect((await trialbox('version')).out).toStartWith(`trialbox ${serviceVersion} (`)
    expect((await trialbox('--version')).out).toStartWith(`trialbox ${serviceVersion} (`)
  })

  test('has the commit of a checkout, of a detached HEAD and of packed branches', () => {
    const commit = '3f2a91c0123456789012345678901234567890ab'
    const checkout = (head: string, files: Record<string, string> = {}) => {
      const folder = freshFolder()
      mkdirSync(join(folder, '.git/refs/heads'), { recursive: true })
      for (const [path, text] of Object.entries({ HEAD: head, ...files }))
        writeFileSync(join(folder, '.git', path), text)
      return folder
    }
    expect(commitOf(checkout('ref: refs/heads/main\n', { 'refs/heads/main': `${commit}\n` }))).toBe('3f2a91c')
    expect(commitOf(checkout(`${commit}\n`))).toBe('3f2a91c')
    const packed = `# pack-refs\n${'0'.repeat(40)} refs/heads/mainly\n${commit} refs/heads/main\n`
    expect(commitOf(checkout('ref: refs/heads/main\n', { 'packed-refs': packed }))).toBe('3f2a91c')
    expect(commitOf(checkout('ref: refs/heads/main\n'))).toBeUndefined()
    expect(commitOf(freshFolder())).toBeUndefined()
  })

  test('has the commit of a linked worktree', () => {
    const folder = freshFolder()
    mkdirSync(join(folder, 'git/worktrees/w'), { recursive: true })
    mkdirSync(join(folder, 'git/refs/heads'), { recursive: true })
    mkdirSync(join(folder, 'work'))
    writeFileSync(join(folder, 'work/.git'), 'gitdir: ../git/worktrees/w\n')
    writeFileSync(join(folder, 'git/worktrees/w/HEAD'), 'ref: refs/heads/w\n')
    writeFileSync(join(folder, 'git/worktrees/w/commondir'), '../..\n')
    writeFileSync(join(folder, 'git/refs/heads/w'), `${'c'.repeat(40)}\n`)
    expect(commitOf(join(folder, 'work'))).toBe('ccccccc')
  })
})

describe('errors are one line, with an exit code other than 0', () => {
  const cases: [string[], string][] = [
    [['doctr'], 'There is no command "doctr"; did you mean doctor?'],
    [['frobnicate'], 'There is no command "frobnicate": trialbox --help lists them.'],
    [['help', 'versoin'], 'There is no command "versoin"; did you mean version?'],
    [['doctor', '--prot', '1'], 'trialbox doctor has no flag --prot; did you mean --port?'],
    [['doctor', '--frobnicate'], 'trialbox doctor has no flag --frobnicate.'],
    [['doctor', '-x'], 'trialbox doctor has no flag -x.'],
    [['doctor', '--port'], '--port needs a value.'],
    [['doctor', '--port', '--tls'], '--port needs a value.'],
    [['doctor', '--port='], '--port needs a value.'],
    [['doctor', '--port', '1', '--port', '2'], '--port is given twice.'],
    [['doctor', '--port', 'x'], '--port must be a whole number from 0 to 65535, not "x".'],
    [['version', 'please'], 'trialbox version does not know what to do with "please".'],
  ]
  test.each(cases)('%p', async (words, sentence) => {
    expect(await trialbox(...words)).toEqual({ code: 1, out: '', err: `trialbox: ${sentence}\n` })
  })
})

describe('arguments', () => {
  const command: Command = {
    name: 'try',
    summary: '',
    usage: '',
    options: [
      { flag: 'name', takes: 'text', summary: '' },
      { flag: 'now', summary: '' },
    ],
    examples: ['trialbox try'],
    words: 2,
    run: () => 0,
  }
  test('may have flags, words and help in any order', () => {
    expect(readArguments(command, ['a', '--name', 'x', 'b', '--now'])).toEqual({
      flags: { name: 'x', now: true },
      words: ['a', 'b'],
      help: false,
    })
    expect(readArguments(command, ['--name=-x'])).toMatchObject({ flags: { name: '-x' } })
    expect(readArguments(command, ['--name', 'x', '--help', 'a', 'b', 'c'])).toMatchObject({ help: true })
    expect(readArguments(command, ['--', '--now'])).toMatchObject({ flags: {}, words: ['--now'] })
  })
  test('give no value to a switch', () => {
    expect(() => readArguments(command, ['--now=1'])).toThrow('--now takes no value.')
  })
})

describe('doctor', () => {
  const lineOf = (out: string, name: string) => out.split('\n').find((line) => line.slice(7).startsWith(name))!

  test('reports no problem before and after the first start, and creates nothing', async () => {
    const folder = freshFolder()
    const before = await trialbox('doctor', '--port', '0', '--data', join(folder, 'none'))
    expect(before).toMatchObject({ code: 0, err: '' })
    expect(lineOf(before.out, 'data directory')).toContain('is not there yet')

    const data = join(folder, 'data')
    const held = openDataDirectory(data)
    await certificateFor(configure({}, {}), held.directory.tls, systemClock.now())
    const database = new Database(held.directory.database)
    database.run('PRAGMA journal_mode = WAL')
    held.lock.recordAddress('https://localhost:7')
    const running = await trialbox('doctor', '--port', '0', '--data', data)
    expect(running).toMatchObject({ code: 0, err: '' })
    expect(lineOf(running.out, 'port')).toContain(`running at https://localhost:7 (process ${process.pid})`)
    expect(lineOf(running.out, 'database')).toContain('sound')
    database.close()
    held.lock.release()
    const after = await trialbox('doctor', '--port', '0', '--data', data)
    expect(after.code).toBe(0)
    expect(lineOf(after.out, 'database')).toContain('sound')
    expect(lineOf(after.out, 'certificate')).toContain('valid until')
    expect(lineOf(after.out, 'port')).toContain('any free one')
  })

  test('reports each problem on a line of its own', async () => {
    const data = join(freshFolder(), 'data')
    openDataDirectory(data).lock.release()
    writeFileSync(join(data, 'trialbox.db'), 'no database at all '.repeat(100))
    const { promise, resolve } = Promise.withResolvers<number>()
    const other = createServer().listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port))
    const port = String(await promise)
    const tls = `${join(data, 'a.pem')},${join(data, 'b.pem')}`
    const { code, out } = await trialbox('doctor', '--port', port, '--data', data, '--tls', tls)
    other.close()
    expect(code).toBe(1)
    expect(lineOf(out, 'data directory')).toStartWith('ok')
    expect(lineOf(out, 'database')).toMatch(/^fault .*The database is damaged/)
    expect(lineOf(out, 'certificate')).toMatch(/^fault .*a\.pem cannot be read/)
    expect(lineOf(out, 'port')).toMatch(/^fault .*is in use by another program/)
  })
})
