/** Operations that are loaded at their first request. */
import { expect, test } from 'bun:test'
import { type LoggedRequest, mount } from '#http/mount'
import { operation } from '#http/operation'
import { shape, whole } from '#wire/schema'
import { world } from '../harness'

function loadedBy(load: () => Promise<void>) {
  const w = world()
  let count = 0
  const counting = operation({
    id: 'sample',
    method: 'GET',
    path: '/counted',
    summary: 'Count',
    who: 'anyone',
    needs: 'nothing',
    returns: shape({ count: whole(0) }),
    run: () => ({ count: ++count }),
  })
  const logged: LoggedRequest[] = []
  let loads = 0
  const offered = {
    method: 'GET',
    path: '/counted',
    load: async () => {
      loads++
      await load()
      return {
        op: counting,
        fields: { readOnly: new Set<string>(), setElsewhere: new Map(), batches: new Set<string>() },
      }
    },
  } as const
  const { handle } = mount(w.service.services, [offered], (request) => logged.push(request))
  const ask = (method = 'GET') => handle(new Request('http://localhost/counted', { method }), null)
  return { ...w, ask, logged, loads: () => loads }
}

test('requests that come during the load wait for it, and it is loaded once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { ask, loads, logged } = loadedBy(() => promise)
  const answers = [ask(), ask(), ask()]
  await Bun.sleep(1)
  expect([loads(), logged]).toEqual([1, []])
  resolve()
  expect(await Promise.all(answers.map(async (each) => (await each).json()))).toEqual([
    { count: 1 },
    { count: 2 },
    { count: 3 },
  ])
  expect(await (await ask()).json()).toEqual({ count: 4 })
  expect(loads()).toBe(1)
  expect(logged.map(({ method, pattern, status }) => [method, pattern, status])).toEqual(
    Array(4).fill(['GET', '/counted', 200]),
  )
})

test('a load that fails is a defect, which is logged with the request, and the next request loads again', async () => {
  let isBroken = true
  const { ask, loads, logged, takeFaults } = loadedBy(async () => {
    if (isBroken) throw new Error('the module is broken')
  })
  const answers = await Promise.all([ask(), ask()])
  expect(loads()).toBe(1)
  for (const [at, answer] of answers.entries()) {
    expect(answer.status).toBe(500)
    expect(answer.headers.get('x-request-id')).toBe(logged[at]!.requestId)
    expect(await answer.json()).toMatchObject({ message: expect.any(String) })
  }
  expect(logged.map(({ method, pattern, status }) => [method, pattern, status])).toEqual(
    Array(2).fill(['GET', '/counted', 500]),
  )
  expect(takeFaults().map((each) => String(each))).toEqual(
    Array(2).fill(expect.stringContaining('the module is broken')),
  )
  isBroken = false
  expect(await (await ask()).json()).toEqual({ count: 1 })
  expect(loads()).toBe(2)
})

test('nothing is loaded for a method that the path does not take', async () => {
  const { ask, loads } = loadedBy(async () => {})
  const refused = await ask('DELETE')
  expect([refused.status, refused.headers.get('allow')]).toEqual([404, 'GET'])
  expect(loads()).toBe(0)
})
