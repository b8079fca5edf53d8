import { describe, expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceVersion } from '#kernel/version'
import { bun, freshFolder, root } from './folder'

describe('the executable', () => {
  test('runs where no source, modules or settings are, and heeds no .env of the folder it is in', async () => {
    const folder = freshFolder()
    const built = Bun.spawnSync([bun, 'scripts/build.ts', '--out', folder], { cwd: root })
    expect(built.stderr.toString()).toBe('')
    writeFileSync(join(folder, '.env'), 'TRIALBOX_PORT=abc\n')
    const run = (...words: string[]) => Bun.spawnSync([join(folder, 'trialbox'), ...words], { cwd: folder, env: {} })
    expect(run('version').stdout.toString()).toStartWith(`trialbox ${serviceVersion} (`)
    const examined = run('doctor', '--tls', 'off', '--data', join(folder, 'none'))
    expect(examined.stderr.toString()).toBe('')
    expect(examined.stdout.toString()).toContain('is not there yet')
    expect(run('doctor', '--port', 'abc').exitCode).toBe(1)

    // A whole study needs what is embedded, its worker threads, and the reading of its own exports.
    const demo = Bun.spawn([join(folder, 'trialbox'), 'demo', '--participants', '6', '--port', '0', '--tls', 'off'], {
      cwd: folder,
      env: {},
      stdout: 'pipe',
      stderr: 'inherit',
    })
    let shown = ''
    for await (const piece of demo.stdout) if ((shown += new TextDecoder().decode(piece)).includes('Stop with')) break
    expect(shown).toContain('the service says what it was told')
    const data = /data +(\S+)/.exec(shown)![1]!
    expect(existsSync(data)).toBe(true)
    demo.kill('SIGTERM')
    expect(await demo.exited).toBe(0)
    expect(existsSync(data)).toBe(false)
  }, 90_000)

  test('is not made for a platform that there is none for', () => {
    const built = Bun.spawnSync([bun, 'scripts/build.ts', '--target', 'plan9'], { cwd: root })
    expect(built.exitCode).toBe(1)
    expect(built.stderr.toString()).toContain('There is no target "plan9": choose linux-x64')
  })
})
