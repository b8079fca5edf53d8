/** The app in WebKit: somebody joins by a link, fills in forms with and without a connection, and looks at the first page. */
import { expect, test } from 'bun:test'
import { listen } from '#server/listen'
import { testServer } from '../testServer'
import { appStudy } from './appStudy'
import { hasWebKit, inWebKit } from './webkit'

/** WebKit has no clock of its own that could be set: the server goes a little ahead of it, so that nothing lies in the future. */
const AHEAD = 60_000

test.skipIf(!hasWebKit)(
  'in WebKit, a link signs in, dates and times are kept, and what is sent without a connection arrives once',
  async () => {
    const { service, owner, call } = await testServer()
    const done = async (method: string, path: string, body?: unknown) => {
      const answer = await call(method, path, body)
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    const now = Date.now() + AHEAD
    await done('PUT', '/test/clock', { now: new Date(now).toISOString() })
    const { trial, bert, mood } = await appStudy(done, owner.team, { now, diaries: 2 })
    const formats = { date: 'date', time: 'time', moment: 'datetime' }
    const ids: Record<string, string> = { mood }
    for (const [code, format] of Object.entries(formats))
      ids[code] = (await done('POST', `/trials/${trial}/data-types`, { name: code, code, format }))._id
    const components = Object.entries(ids).map(([id, dataType]) => ({ id, dataType, title: id, isRequired: true }))
    const stage = (await done('POST', `/trials/${trial}/stages`, { name: 'Evening', adHoc: true, components }))._id
    const { url } = await done('POST', `/trials/${trial}/participants/${bert}/grants`, {})
    const stored = async () => {
      const { responses } = await done('GET', `/trials/${trial}/participants/${bert}/responses`)
      return responses.filter((each: { stage: string }) => each.stage === stage)
    }
    let server = listen(service, { host: '127.0.0.1', port: 0 })
    const { port } = server
    const base = `http://127.0.0.1:${port}`
    try {
      await inWebKit(async ({ goTo, open, see, choose, click, run, until, violations }) => {
        const fillIn = async (day: string) => {
          await click('.question label:nth-of-type(4)')
          await choose(`[id="answer-${ids.date}"]`, day)
          await choose(`[id="answer-${ids.time}"]`, '21:45')
          await choose(`[id="answer-${ids.moment}"]`, `${day}T07:30`)
          await click('form button.main')
        }
        const { pathname, search } = new URL(url)
        await goTo(base + pathname + search)
        await see('Today')
        // From here on the app opens without a connection.
        await until('the worker', 'navigator.serviceWorker?.controller')
        const hasTemporal = await run<boolean>('return "Temporal" in globalThis')
        await open(`${base}/app/stages/${stage}`, '.question')
        await fillIn('2026-02-28')
        await see('Thank you. Your answers have arrived.')
        // Where it is missing, a form brings it along.
        expect([hasTemporal, await run('return typeof Temporal.Now')]).toEqual([false, 'object'])
        expect(await stored()).toMatchObject([{ response: { [ids.time!]: { value: '21:45' } } }])

        // Without a connection.
        await server.stop()
        await open(`${base}/app/stages/${stage}`, '.question')
        await fillIn('2026-03-01')
        await see('Your answers are kept on this device')
        server = listen(service, { host: '127.0.0.1', port })
        await goTo(`${base}/app/waiting`)
        await until('an empty queue', 'document.querySelector(".empty") && !document.querySelector(".kept")')
        const dates = (await stored()).map(
          (each: { response: Record<string, { value: unknown }> }) => each.response[ids.date!]?.value,
        )
        expect(dates.toSorted()).toEqual([expect.stringMatching(/^2026-02-28T/), expect.stringMatching(/^2026-03-01T/)])

        await goTo(`${base}/app/`)
        await until('the forms', 'document.querySelector(".form-card")')
        expect(await violations()).toEqual([])
        const asked = await run<string[]>('return performance.getEntriesByType("resource").map(({ name }) => name)')
        expect(asked.filter((each) => !each.startsWith(base))).toEqual([])
      })
    } finally {
      await server.stop()
    }
  },
  300_000,
)
