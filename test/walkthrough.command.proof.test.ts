import { describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { clockBody } from '#cli/walkthrough/study'
import { afterFile } from './afterFile'
import { bun, freshFolder, root } from './server/process/folder'

describe('trialbox demo', () => {
  const demo = (...words: string[]) =>
    Bun.spawn([bun, 'src/start/main.ts', 'demo', '--participants', '6', '--port', '0', '--tls', 'off', ...words], {
      cwd: root,
      stdout: 'pipe',
      stderr: 'pipe',
      env: { ...process.env, TRIALBOX_DATA: '/nonexistent/and/not/heeded' },
    })

  test('keeps the study running, and stores it in the given directory', async () => {
    const data = join(freshFolder(), 'demo')
    const running = demo('--data', data)
    afterFile(() => running.kill('SIGKILL'))
    let text = ''
    const decoder = new TextDecoder()
    for await (const piece of running.stdout) if ((text += decoder.decode(piece)).includes('Stop with Ctrl+C')) break
    const found = (pattern: RegExp) => pattern.exec(text)?.[1] ?? `nothing matches ${pattern} in ${text}`
    const url = found(/listening +(http:\S+)/)
    const trial = found(/trial +([0-9a-f]{24})/)
    const headers = { Authorization: `Bearer ${found(/API key +(tbk_\S+)/)}` }
    const asked = await fetch(`${url}/trials/${trial}`, { headers })
    expect(await asked.json()).toMatchObject({ participantCount: 6, studyAcronym: 'BRIGHTER' })
    const signedIn = await fetch(`${url}/participants/sessions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: found(/-d '(\{.*?\})'/),
    })
    expect(signedIn.status).toBe(200)
    const moved = await fetch(`${url}/test/clock`, { method: 'PUT', body: JSON.stringify(clockBody(0)) })
    expect(moved.status).toBe(404)
    const logged = await fetch(`${url}/trials/${trial}/logs?userType=participant`, { headers })
    const [latest] = (await logged.json()).entries
    expect(latest.type).toBe('signInParticipant')
    expect(Math.abs(Date.parse(latest.createdAt) - Date.now())).toBeLessThan(3_600_000) // the clock is that of the machine again
    running.kill('SIGTERM')
    expect(await running.exited).toBe(0)

    const verified = Bun.spawnSync([bun, 'src/start/main.ts', 'verify', '--data', data], { cwd: root })
    expect([verified.exitCode, verified.stderr.toString()]).toEqual([0, ''])
    const second = demo('--data', data)
    expect(await new Response(second.stderr).text()).toContain(`${data} holds data already`)
    expect(await second.exited).toBe(1)
  }, 180_000)

  test('refuses a directory with other data, and accepts a number of participants', async () => {
    const folder = freshFolder()
    mkdirSync(join(folder, 'photos'))
    for (const [words, sentence] of [
      [['--data', folder], 'is not empty'],
      [['--participants=5'], '--participants'],
    ] as const) {
      const refused = demo(...words)
      expect(await new Response(refused.stderr).text()).toContain(sentence)
      expect(await refused.exited).toBe(1)
    }
  }, 180_000)
})
