/** The demo waits for a job as long as it advances, whatever the machine needs for it, and no longer than a minute if it does not. */
import { afterEach, expect, mock, spyOn, test } from 'bun:test'
import { resultOf } from '#cli/walkthrough/amendment'
import type { Client } from '#cli/walkthrough/client'

afterEach(() => void mock.restore())

/** An account that sees these states of a job, one each time it asks; between them so many seconds pass. */
function watching(states: readonly Record<string, unknown>[], seconds: number) {
  let asked = 0
  spyOn(performance, 'now').mockImplementation(() => asked * seconds * 1000)
  const get = async (path: string) => {
    expect(path).toBe('/jobs/j')
    return states[Math.min(asked++, states.length - 1)]
  }
  return { owner: { get } as unknown as Client, asked: () => asked }
}
const running = (progress: number) => ({ status: 'running', progress })
const done = { status: 'done', progress: 1, result: { participants: 200 } }

test('a job that advances every 50 seconds is waited for, though it takes ten minutes', async () => {
  const steps = Array.from({ length: 12 }, (_, n) => running(n / 12))
  expect(await resultOf(watching([...steps, done], 50), 'j')).toEqual({ participants: 200 })
})

test('a job that stands still ends the demo after a minute, in a sentence', async () => {
  const { owner, asked } = watching([running(0), running(0.1), running(0.1)], 25)
  await expect(resultOf({ owner }, 'j')).rejects.toThrow('The job j has shown no progress for a minute.')
  expect(asked()).toBeLessThan(7)
})

test('a job that fails ends it at once', async () => {
  const { owner, asked } = watching([running(0), { status: 'error', error: 'The disk is full.' }], 1)
  await expect(resultOf({ owner }, 'j')).rejects.toThrow('The job j failed: The disk is full.')
  expect(asked()).toBe(2)
})
