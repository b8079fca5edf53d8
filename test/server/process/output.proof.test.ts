/** What happens if the output of the program cannot be written. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromSource } from '../../program'
import { until } from '../../until'
import { freshFolder } from './folder'

/** Runs a line of the shell, in which `trialbox` is the program. */
function shell(line: string) {
  const trialbox = `trialbox() { ${fromSource.command.map((word) => `'${word}'`).join(' ')} "$@"; }`
  const { cwd } = fromSource
  const { stderr, exitCode } = Bun.spawnSync(['bash', '-c', `set -o pipefail; ${trialbox}; ${line}`], { cwd })
  return { error: stderr.toString(), code: exitCode }
}

describe.skipIf(process.platform === 'win32')('output', () => {
  test('whose reader has gone ends a command as usual', () => {
    expect(shell('trialbox openapi | true')).toEqual({ error: '', code: 0 })
  })

  test.skipIf(!existsSync('/dev/full'))('that has no room fails a command with one line', () => {
    const error = 'trialbox: The output cannot be written (ENOSPC).\n'
    expect(shell('trialbox openapi > /dev/full')).toEqual({ error, code: 1 })
    expect(shell('trialbox openapi > /dev/full 2>&1')).toEqual({ error: '', code: 1 })
  })

  test.skipIf(!existsSync('/dev/full'))('that has no room does not stop a server', async () => {
    const data = join(freshFolder(), 'data')
    const words = ['serve', '--data', data, '--tls', 'off', '--port', '0']
    const command = ['bash', '-c', 'exec "$@" > /dev/full 2>&1', '-', ...fromSource.command, ...words]
    const server = Bun.spawn(command, { cwd: fromSource.cwd })
    const holder = join(data, 'lock.json')
    const addressIn = () => existsSync(holder) && /http:[^"]+/.exec(readFileSync(holder, 'utf8'))?.[0]
    await until(() => Boolean(addressIn()))
    for (let n = 0; n < 3; n++) expect((await fetch(`${addressIn()}/health`)).status).toBe(200)
    server.kill()
    expect(await server.exited).toBe(0)
  })
})
