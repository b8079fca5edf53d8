import { describe, expect, test } from 'bun:test'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { holderOf, isHeld, lock } from '#server/process/lock'
import { firstLine, freshFolder, start } from './folder'

const HOLD = `
import { lock } from './src/server/process/lock'
try {
  lock(process.argv.at(-1)).recordAddress('https://localhost:8443')
  console.log('held')
  process.stdin.resume()
} catch (error) {
  console.log(error.message)
}`

describe('one process per data directory', () => {
  test('another process is refused with the id of the first, until the first is killed', async () => {
    const folder = freshFolder()
    const holder = start(HOLD, folder)
    expect(await firstLine(holder.stdout)).toBe('held')
    expect(() => lock(folder)).toThrow(
      `The data directory ${folder} is in use by another Trialbox (process ${holder.pid}, https://localhost:8443)`,
    )
    expect(isHeld(folder)).toBe(true)
    expect(holderOf(folder)).toEqual({ pid: holder.pid, address: 'https://localhost:8443' })

    holder.kill('SIGKILL')
    await holder.exited
    expect(holderOf(folder)).toBeUndefined()
    expect(isHeld(folder)).toBe(false)
    lock(folder).release()
  })

  test.each(['lock', 'lock and lock.json'])('another is refused even if someone deletes %s', async (deleted) => {
    const folder = freshFolder()
    const holder = start(HOLD, folder)
    expect(await firstLine(holder.stdout)).toBe('held')
    for (const name of deleted.split(' and ')) rmSync(join(folder, name))
    expect(() => lock(folder)).toThrow(`The data directory ${folder} is in use by another Trialbox`)
    expect(isHeld(folder)).toBe(true)
    holder.kill('SIGKILL')
    await holder.exited
    lock(folder).release()
  })

  test('a program that the process started does not keep the lock', async () => {
    const folder = freshFolder()
    const holder = start(`${HOLD}\nBun.spawn(['sleep', '5'], { stdio: ['ignore', 'ignore', 'ignore'] })`, folder)
    expect(await firstLine(holder.stdout)).toBe('held')
    await Bun.sleep(100)
    holder.kill('SIGKILL')
    await holder.exited
    lock(folder).release()
  })

  test('of several simultaneous starts exactly one succeeds', async () => {
    for (let round = 0; round < 3; round++) {
      const folder = freshFolder()
      const processes = Array.from({ length: 4 }, () => start(HOLD, folder))
      const outputs = await Promise.all(processes.map(({ stdout }) => firstLine(stdout)))
      for (const each of processes) each.kill('SIGKILL')
      await Promise.all(processes.map(({ exited }) => exited))
      const winner = outputs.indexOf('held')
      expect(outputs.filter((line) => line === 'held')).toHaveLength(1)
      for (const line of outputs.filter((_, n) => n !== winner))
        expect(line).toContain(`is in use by another Trialbox (process ${processes[winner]!.pid}`)
    }
  }, 180_000)

  test('this process cannot take the lock twice, and can again after releasing it', () => {
    const folder = freshFolder()
    const first = lock(folder)
    expect(() => lock(folder)).toThrow(`(process ${process.pid})`)
    Bun.gc(true)
    expect(isHeld(folder)).toBe(true)
    first.release()
    first.release()
    expect(existsSync(join(folder, 'lock.json'))).toBe(false)
    lock(folder).release()
  })
})
