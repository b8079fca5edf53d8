/** A shared tablet in WebKit: somebody signs in by PIN, answers questions of every format, sends them, and goes. */
import { expect, test } from 'bun:test'
import { listen } from '#server/listen'
import { testServer } from '../testServer'
import { appStudy } from './appStudy'
import { formOfEveryFormat } from './everyFormat'
import { hasWebKit, inWebKit } from './webkit'

/** WebKit has no clock of its own that could be set: the server goes a little ahead of it, so that nothing lies in the future. */
const AHEAD = 60_000

test.skipIf(!hasWebKit)(
  'in WebKit, a shared tablet takes answers of every format, and forgets who gave them',
  async () => {
    const { service, owner, call } = await testServer()
    const done = async (method: string, path: string, body?: unknown) => {
      const answer = await call(method, path, body)
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    const now = Date.now() + AHEAD
    await done('PUT', '/test/clock', { now: new Date(now).toISOString() })
    const { trial, bert } = await appStudy(done, owner.team, { now, diaries: 2 })
    const { stage, ids } = await formOfEveryFormat(done, trial)
    const site = (await done('POST', `/trials/${trial}/sites`, { name: 'Ward of the North', id: 'N1' }))._id
    await done('PUT', `/sites/${site}/memberships/${bert}`)
    await done('PUT', `/trials/${trial}/participants/${bert}/pin`, { pin: '2846' })
    const device = await done('POST', `/trials/${trial}/sites/${site}/shared-devices`, { name: 'By the window' })
    const server = listen(service, { host: '127.0.0.1', port: 0 })
    const base = `http://127.0.0.1:${server.port}`
    const control = (code: string, part = '') => `[id="answer-${ids[code]}${part}"]`
    try {
      await inWebKit(async ({ open, see, choose, type, click, run, until, violations }) => {
        await open(`${base}/app/tablet/${device.url.split('/').at(-1)}`, '.card .main')
        await click('.card .main')
        await type('#tablet-id', 'P-2')
        for (const key of [2, 8, 4, 6]) await click(`.key:nth-of-type(${key})`)
        await click('.tablet-form .main')
        await click(`a[href^="/app/stages/${stage}"]`)
        await until('the form', 'document.querySelector(".question")')
        expect(await violations()).toEqual([])
        await type(control('call'), 'Bert')
        await type(control('pulse'), '64')
        // Nothing is marked on the line before it is touched.
        expect(await run(`return document.querySelector('${control('pain')}').ariaValueText`)).toBe('Not answered yet')
        await click(control('pain'))
        await until('an answer', 'document.querySelector(".slider:not(.untouched)")')
        await click('.point:nth-child(4)')
        await choose(control('since'), '2026-02-28')
        await click(`.option:has([name="answer-${ids.smokes}"])`)
        await click(`.option:has([name="answer-${ids.signs}"])`)
        for (const row of [1, 2]) await click(`.statement:nth-of-type(${row}) .option`)
        await click(control('drugs'))
        await until('the new row', `document.activeElement.id.endsWith('-0-n')`)
        await type(control('drugs', '-0-n'), 'Honey')
        await type(control('body'), '172')
        await type(control('body', '-weight'), '68')
        expect(await run('return document.documentElement.scrollWidth - innerWidth')).toBe(0)
        await click('form button.main')
        await see('Thank you. Your answers have arrived.')
        await click('.tablet-bar button')
        await click('dialog[open] .actions .main')
        await until(
          'the first page',
          'document.querySelector("#tablet-id") && !document.body.innerText.includes("P-2")',
        )
      })
      const { responses } = await done('GET', `/trials/${trial}/participants/${bert}/responses`)
      const [{ response }] = responses.filter((each: { stage: string }) => each.stage === stage)
      const codes = ['call', 'pulse', 'pain', 'rest', 'smokes', 'signs', 'mood', 'drugs', 'twice']
      expect(codes.map((code) => response[ids[code] ?? '']?.value)).toEqual([
        ...['Bert', 64, 50, 3, ['Yes'], ['Cough'], { a: 0, b: 0 }, [{ n: 'Honey' }], 128],
      ])
    } finally {
      await server.stop()
    }
  },
  300_000,
)
