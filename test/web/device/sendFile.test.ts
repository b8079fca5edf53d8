/** How the app sends the bytes of a file, to the real routes of the server, over lines that break. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Outcome, PART_SIZE, sendBytes } from '#web/form/answers/sendFile'
import { createTestStorage, type TestStorage } from '../../storage/testStorage'

type PutBytes = NonNullable<Parameters<typeof sendBytes>[4]>

let s: TestStorage
beforeAll(async () => {
  s = await createTestStorage()
})
afterAll(() => s.close())

/** What becomes of a request. */
type RequestOutcome = 'served' | 'answer lost' | 'cut' | 'portal' | 'trouble'
const fates: readonly RequestOutcome[] = ['served', 'served', 'served', 'answer lost', 'cut', 'portal', 'trouble']

function line(fateOf: () => RequestOutcome) {
  const sent: (string | undefined)[] = []
  const put: PutBytes = async (url, type, range, body, told) => {
    sent.push(range)
    const fate = fateOf()
    if (fate === 'portal') return { status: 200, body: {} }
    if (fate === 'trouble') return { status: 503, body: {} }
    // Half of the bytes arrive before the line breaks.
    const arriving = fate === 'cut' ? (body?.slice(0, body.size / 2) ?? null) : body
    const headers = { 'Content-Type': type, ...(range === undefined ? {} : { 'Content-Range': range }) }
    const answer = await fetch(url, { method: 'PUT', body: arriving, headers })
    told(body?.size ?? 0)
    if (fate === 'cut' || fate === 'answer lost') throw new Error('error')
    return { status: answer.status, body: (await answer.json()) as object }
  }
  return { put, sent }
}

function file(size: number) {
  const bytes = new Blob([Buffer.alloc(size, 'Trialbox ')])
  const { name, link } = s.announce(size, 'image/jpeg', 'photo.jpg')
  const shares: number[] = []
  const send = (put: PutBytes, hasBegun = false): Promise<Outcome> =>
    sendBytes(
      bytes,
      { signedRequestURL: link, fileName: name, type: 'image/jpeg' },
      hasBegun,
      (share) => shares.push(share),
      put,
    )
  return { bytes, name, link, shares, send, stored: async () => (await fetch(s.read(name))).bytes() }
}

test.each<[string, number, (string | undefined)[]]>([
  ['the largest whole one', PART_SIZE, [undefined]],
  [
    'the smallest in parts',
    PART_SIZE + 1,
    [`bytes 0-${PART_SIZE - 1}/${PART_SIZE + 1}`, `bytes ${PART_SIZE}-${PART_SIZE}/${PART_SIZE + 1}`],
  ],
])('a file of %s', async (_, size, ranges) => {
  const { put, sent } = line(() => 'served')
  const { send, stored, shares, bytes } = file(size)
  expect(await send(put)).toEqual({ kind: 'done' })
  expect(sent).toEqual(ranges)
  expect(await stored()).toEqual(await bytes.bytes())
  expect(shares.at(-1)).toBe(1)
})

test('property: over any line, the file arrives whole, or can go on; progress never goes beyond the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 * PART_SIZE }),
      fc.array(fc.constantFrom(...fates), { maxLength: 30 }),
      async (size, drawn) => {
        const { send, stored, bytes, shares, name } = file(size)
        const { put } = line(() => drawn.shift() ?? 'served')
        let outcome = await send(put)
        for (let again = 0; outcome.kind === 'later' && again < 40; again++) outcome = await send(put, true)
        // A small file whose answer was lost has arrived, and is sent anew to another address.
        expect(outcome.kind === 'done' || (size <= PART_SIZE && s.finished.has(name))).toBe(true)
        expect(await stored()).toEqual(await bytes.bytes())
        expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true)
      },
    ),
    { numRuns: 40 },
  )
})

test.each<[string, { status: number; body: object }, Outcome]>([
  ['the page of a portal', { status: 200, body: {} }, { kind: 'later', status: 200 }],
  ['somebody else’s refusal', { status: 403, body: {} }, { kind: 'later', status: 403 }],
  ['an address that has expired', { status: 403, body: { message: 'This link has expired' } }, { kind: 'expired' }],
  ['an address of nothing', { status: 404, body: { message: 'There is no such upload' } }, { kind: 'expired' }],
  [
    'another size',
    { status: 400, body: { message: 'No.' } },
    { kind: 'refused', status: 400, message: 'No.', details: {} },
  ],
  ['a cut', { status: 400, body: { message: 'Cut.', details: { code: 'cutShort' } } }, { kind: 'later', status: 400 }],
  ['a full disk', { status: 507, body: { message: 'Full.' } }, { kind: 'later', status: 507 }],
  ['another name', { status: 200, body: { fileName: 'x' } }, { kind: 'later', status: 200 }],
  ['more than there is', { status: 202, body: { received: 10 * PART_SIZE } }, { kind: 'later', status: 202 }],
  ['no progress for ever', { status: 202, body: { received: 0 } }, { kind: 'later', status: 0 }],
])('%s', async (_, said, outcome) => {
  expect(await file(2 * PART_SIZE).send(async () => said)).toEqual(outcome)
})

test('bytes that cannot be read any more are gone', async () => {
  class Lost extends Blob {
    override slice(): Blob {
      return new Lost()
    }
    override arrayBuffer(): Promise<ArrayBuffer> {
      return Promise.reject(new DOMException('NotReadableError'))
    }
  }
  const { link, name } = file(9)
  const address = { signedRequestURL: link, fileName: name, type: 'image/jpeg' }
  const outcome = await sendBytes(new Lost(['lost']), address, false, () => {}, line(() => 'served').put)
  expect(outcome).toEqual({ kind: 'gone' })
})
