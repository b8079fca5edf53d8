import { expect, test } from 'bun:test'
import { streamOf } from '#writers/stream'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('others have their turn between any two pieces of a long text', async () => {
  const order: string[] = []
  let isRead = false
  const body = streamOf(
    (function* () {
      for (let n = 0; n < 20; n++) {
        order.push('piece')
        yield `${n},`
      }
    })(),
  )
  const others = (async () => {
    while (!isRead) {
      await nextTurn()
      order.push('other')
    }
  })()
  expect(await new Response(body).text()).toBe(Array.from({ length: 20 }, (_, n) => `${n},`).join(''))
  isRead = true
  await others
  const pieces = order.flatMap((what, at) => (what === 'piece' ? [at] : []))
  expect(pieces).toHaveLength(20)
  expect(pieces.filter((at) => order[at + 1] === 'piece')).toEqual([])
})

test('a reader that goes away ends the pieces', async () => {
  let isEnded = false
  const body = streamOf(
    (function* () {
      try {
        for (;;) yield 'more'
      } finally {
        isEnded = true
      }
    })(),
  )
  const reader = body.getReader()
  await reader.read()
  await reader.cancel()
  expect(isEnded).toBe(true)
})
