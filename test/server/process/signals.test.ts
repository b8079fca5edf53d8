import { describe, expect, test } from 'bun:test'
import { firstLine, start } from './folder'

/** A process that stops by running `run`; it prints when it listens and when it begins to stop. */
const program = (run: string, patience = 20_000) => `
import { writeSync } from 'node:fs'
import { onStop } from './src/server/process/signals'
const say = (text) => writeSync(2, text + '\\n')
onStop(async () => { console.log('stopping'); ${run} }, say, ${patience})
setInterval(() => {}, 1000)
console.log('ready')`

async function runAndStop(run: string, patience?: number, again = false) {
  const process = start(program(run, patience))
  expect(await firstLine(process.stdout)).toBe('ready')
  process.kill('SIGTERM')
  if (again) {
    expect(await firstLine(process.stdout)).toBe('stopping')
    process.kill('SIGINT')
  }
  const code = await process.exited
  return { code, output: (await new Response(process.stderr).text()).trim() }
}

describe('stopping', () => {
  test('waits for running requests and exits with 0', async () => {
    expect(await runAndStop('await Bun.sleep(50); say("done")')).toEqual({ code: 0, output: 'done' })
  })

  test('ends at once at a second signal', async () => {
    const { code, output } = await runAndStop('await new Promise(() => {})', undefined, true)
    expect({ code, output }).toEqual({ code: 1, output: 'stopped at once by a second signal' })
  })

  test('goes on when the program that started it ends too, which is no second signal', async () => {
    const both = start(`${program('await Bun.sleep(50); say("done")').replace('onStop(', 'const stop = onStop(')}
      stop()
      stop()`)
    expect(await both.exited).toBe(0)
    expect((await new Response(both.stderr).text()).trim()).toBe('done')
  })

  test('has a time limit', async () => {
    const { code, output } = await runAndStop('await new Promise(() => {})', 100)
    expect(code).toBe(1)
    expect(output).toContain('unfinished after 0.1 s')
  })

  test('reports a failure without its message', async () => {
    expect(await runAndStop('throw new TypeError("Anna")')).toEqual({ code: 1, output: 'stopping failed (TypeError)' })
  })
})
