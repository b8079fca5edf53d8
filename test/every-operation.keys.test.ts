/** What an API key may do less than its account holds for every operation: one place checks it. */
import { expect, test } from 'bun:test'
import { insertApiKey } from '#accounts/users/apiKeys'
import { parseInstant } from '#kernel/time'
import { operations } from '#start/app'
import { ask, nameOf, stored, whoMay, wrongResponses } from './every-operation.shared'
import { type Everything, everything } from './everything'
import { present } from './present'

const staffOnly = operations.filter((op) => whoMay(op).includes('staff'))

const withKey = (every: Everything, limits: { isReadOnly?: boolean; trials?: string[] }) => {
  const now = present(parseInstant(every.now()))
  const { key } = insertApiKey(every.db, { user: every.owner._id, name: 'limited', now, ...limits })
  return every.person({ Authorization: `Bearer ${key}` })
}

/** Valid queries for the requests of uploads, which other tests send without. */
function withUploads(every: Everything): void {
  for (const kind of ['file', 'video', 'hardware'])
    every.queries[`GET /uploads/${kind}/request`] =
      `?name=a.zip&size=3&type=${kind === 'video' ? 'video/mp4' : 'application/zip'}&forType=trial&forId=${every.trial}`
}

test('a key that may only read is refused every write, and nothing is stored; it reads as its account does', async () => {
  const every = await everything()
  const reader = withKey(every, { isReadOnly: true })
  const before = stored(every)
  // The job is a colleague's: it is a 404 for the account, too.
  const others = staffOnly.filter((op) => nameOf(op) !== 'DELETE /jobs/:jobId')
  const writes = others.filter((op) => op.method !== 'GET' || op.writesByGet)
  withUploads(every)
  expect(
    await wrongResponses(writes, 403, async (op) => {
      const { status, body } = await ask(reader, op, every)
      return { status: body.details?.code === 'keyReadOnly' ? status : 0, body }
    }),
  ).toEqual([])
  expect(stored(every)).toEqual(before)
  const reads = staffOnly.filter((op) => op.method === 'GET' && !op.writesByGet)
  const wrong: string[] = []
  for (const op of reads) {
    const [own, limited] = [await ask(every.owner, op, every), await ask(reader, op, every)]
    if (own.status !== limited.status) wrong.push(`${nameOf(op)}: ${limited.status}, not ${own.status}`)
  }
  expect(wrong).toEqual([])
})

/** What a key reads of its own account, and what is the same for all. */
const ofAccount = ['GET /users/me', 'GET /teams', 'GET /role-templates']

test('a key for another trial reaches nothing of this one by any operation', async () => {
  const every = await everything()
  const other = every.newTrial()
  const script = withKey(every, { trials: [other] })
  withUploads(every)
  const before = stored(every)
  const wrong: string[] = []
  for (const op of staffOnly) {
    const { status, body } = await ask(script, op, every)
    const isOfAccount = ofAccount.includes(nameOf(op))
    const isRight = isOfAccount
      ? status === 200 && !JSON.stringify(body).includes(every.trial)
      : status === 404 || status === 403
    if (!isRight) wrong.push(`${nameOf(op)}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
  }
  expect(wrong).toEqual([])
  expect(stored(every)).toEqual(before)
})
