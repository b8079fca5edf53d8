/** A repeated write with its Idempotency-Key, in a loop over all operations that change something. */
import { expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { operations } from '#app'
import { openapi } from '#http/docs/document'
import type { AnyOperation } from '#http/operation'
import { parseInstant } from '#kernel/time'
import { bodyOf, nameOf, pathOf, stored, whoMay } from './every-operation.shared'
import { type Everything, everything } from './everything'
import { PASSWORD, type Person } from './harness'

const writes = operations.filter((op) => op.method !== 'GET')
const keyed = writes.filter((op) => op.secret !== true)

type Signed = Everything & { session: Person }
type Case = { by?: Person; change?: Record<string, string>; body?: unknown }

const ofAnna = (every: Everything, rest: string) => `/trials/${every.trial}/participants/${every.anna}/${rest}`

/** The code that an authenticator shows now, or half a minute later. */
const codeAt = ({ now }: Everything, secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: parseInstant(now())! / 1000 + steps * 30_000 })

const totp = async ({ session }: Signed): Promise<string> => (await session.post('/users/me/totp')).secret

/** A draft of a randomisation: that of test/everything.ts is sealed. */
const draft = async ({ owner, trial, bodies }: Signed): Promise<string> =>
  (await owner.call('POST', `/trials/${trial}/randomisations`, bodies['POST /trials/:trialId/randomisations'])).body._id

/** What must be there before some of the operations can succeed; what the rest needs is in test/everything.ts. */
/** An entry that the participant made: those of the team are not theirs to change. */
async function ownEntry({ signIn }: Everything) {
  const by = await signIn()
  const eaten = { date: '2026-03-02', meal: 'snack', foodId: 173944, portion: { size: 118, unit: 'grams' } } as const
  const { _id } = await by.post('/participants/foodDiaryEntries', eaten)
  return { by, change: { entryId: _id } }
}

const prepared: Record<string, (every: Signed) => Promise<Case>> = {
  'DELETE /trials/:trialId/participants/:participantId/stageOverrides': async (every) => {
    const body = every.bodies['POST /trials/:trialId/participants/:participantId/stageOverrides']
    await every.owner.call('POST', ofAnna(every, 'stageOverrides'), body)
    return {}
  },
  'DELETE /trials/:trialId/participants/:participantId/anchors/:anchorId': async (every) => {
    await every.owner.call('PUT', ofAnna(every, `anchors/${every.params.anchorId}`), { datetime: every.now() })
    return {}
  },
  'DELETE /trials/:trialId/participants/:participantId/draftResponses/:stageId': async (every) => {
    await every.owner.call('PUT', `${every.url()}?draft=true`, { response: {} })
    return {}
  },
  'DELETE /trials/:trialId/responses/:responseId/dataTypes/:dataTypeId/validations': async (every) => {
    await every.owner.call('POST', `/trials/${every.trial}/responses/${every.params.responseId}/validations`)
    return {}
  },
  'POST /trials/:trialId/responses/:responseId/allocations': async (every) => {
    await every.owner.call('DELETE', `/trials/${every.trial}/responses/${every.params.responseId}/allocations`)
    return {}
  },
  'POST /files/:fileId/approvals': async ({ owner, params }) => {
    await owner.delete(`/files/${params.fileId!}/approvals/${params.approvalId!}`)
    return {}
  },
  'POST /trials/:trialId/signatures': async ({ session, owner, trial }) => {
    await owner.put(`/trials/${trial}`, { responseSigningEnabled: true })
    await session.post('/sessions/confirmations', { password: PASSWORD })
    return { by: session }
  },
  'POST /delegations/:delegationId/signatures': async ({ session }) => {
    await session.post('/sessions/confirmations', { password: PASSWORD })
    return { by: session }
  },
  'DELETE /data-types/:dataTypeId': async ({ owner, trial }) => {
    const { _id } = await owner.post(`/trials/${trial}/data-types`, { name: 'Height', format: 'integer' })
    return { change: { dataTypeId: _id } }
  },
  'DELETE /stages/:stageId': async ({ owner, trial }) => {
    const { body } = await owner.call('POST', `/trials/${trial}/stages`, { name: 'Visit 2' })
    return { change: { stageId: body._id } }
  },
  'DELETE /randomisations/:randomisationId': async (every) => ({ change: { randomisationId: await draft(every) } }),
  'POST /randomisations/:randomisationId/sealing': async (every) => ({
    change: { randomisationId: await draft(every) },
  }),
  'POST /randomisations/:randomisationId/unblinding': async ({ owner, session, params }) => {
    await owner.call('POST', `/randomisations/${params.randomisationId}/closing`)
    await session.post('/sessions/confirmations', { password: PASSWORD })
    return { by: session }
  },
  'DELETE /pack-types/:packTypeId': async ({ owner, trial }) => {
    const { _id } = await owner.post(`/trials/${trial}/pack-types`, { name: 'Inhalers' })
    return { change: { packTypeId: _id } }
  },
  'DELETE /trials/:trialId/participants/:participantId/packs/:packId': async (every) => {
    await every.owner.call('PUT', ofAnna(every, `packs/${every.params.packId}`))
    return {}
  },
  'POST /trials/:trialId/participants/:participantId/erasure': async ({ owner, trial, anna }) => {
    await owner.put(`/trials/${trial}/participants/${anna}`, { isWithdrawn: true })
    return {}
  },
  'PUT /participants/foodDiaryEntries/:entryId': async (every) => ({
    ...(await ownEntry(every)),
    body: { quantity: 2 },
  }),
  'DELETE /participants/foodDiaryEntries/:entryId': (every) => ownEntry(every),
  'DELETE /stages': async (every) => {
    const { body } = await every.owner.call('POST', `/trials/${every.trial}/stages`, { name: 'Visit 2' })
    every.queries['DELETE /stages'] = `?ids=${body._id}`
    return {}
  },
  'DELETE /users/me/api-keys/:keyId': async ({ session }) => {
    const { _id } = await session.post('/users/me/api-keys', { name: 'Laptop' })
    return { change: { keyId: _id } }
  },
  'PUT /users/me/totp': async (every) => ({ body: { password: PASSWORD, code: codeAt(every, await totp(every)) } }),
  'DELETE /users/me/totp': async (every) => {
    const secret = await totp(every)
    await every.session.put('/users/me/totp', { password: PASSWORD, code: codeAt(every, secret) })
    return { body: { password: PASSWORD, code: codeAt(every, secret, 1) } }
  },
  'POST /sessions/confirmations': async () => ({ body: { password: PASSWORD } }),
  'POST /setup/:token': async ({ owner, team }) => {
    const { setupUrl } = await owner.post(`/teams/${team}/users`, {
      email: 'new@example.org',
      name: 'New',
      permissions: [],
    })
    return { change: { token: setupUrl!.split('/').at(-1)! } }
  },
  'DELETE /users/:userId/roles/:roleId': async ({ owner, params }) => {
    await owner.call('PUT', `/users/${params.userId}/roles/${params.roleId}`)
    return {}
  },
}

/** A world in which the operation can be performed; `send` performs it with a key. */
async function ready(op: AnyOperation) {
  const every = await everything()
  const session = await every.signInStaff(every.owner)
  const { by, change, body } = (await prepared[nameOf(op)]?.({ ...every, session })) ?? {}
  const who = whoMay(op)
  const as =
    by ?? (who.includes('participant') ? await every.signIn() : who.includes('session') ? session : every.owner)
  const send = (person: Person = as, sent = body ?? bodyOf(op, every)) =>
    person.call(op.method, pathOf(op, every, change), sent, { headers: { 'Idempotency-Key': 'k' } })
  return { every, send }
}

const entriesIn = ({ db }: Everything) =>
  (db.$client.query('SELECT count(*) AS n FROM auditEntries').get() as { n: number }).n

/** Whoever signs out cannot be recognised any more: the repeated request is 401, as every request after it. */
const signingOut = ['DELETE /participants/sessions', 'DELETE /sessions']

/** They succeed with a provider only: test/conduct/wearables repeats them. */
const connections = ['POST /participants/connections/:service', 'DELETE /participants/connections/:service']

test('every write is performed once, and a repeated one gets the first answer, also if both come at once', async () => {
  const wrong: string[] = []
  for (const op of keyed.filter((op) => ![...signingOut, ...connections].includes(nameOf(op)))) {
    const { every, send } = await ready(op)
    const before = entriesIn(every)
    const first = await send()
    const [rows, entries] = [stored(every), entriesIn(every)]
    const second = await send()
    if (first.status !== 200) wrong.push(`${nameOf(op)}: ${first.status} ${JSON.stringify(first.body)}`)
    else if (second.status !== 200 || JSON.stringify(first.body) !== JSON.stringify(second.body))
      wrong.push(`${nameOf(op)}, repeated: ${second.status} ${JSON.stringify(second.body)}`)
    expect([nameOf(op), stored(every), entriesIn(every)]).toEqual([nameOf(op), rows, entries])
    const other = await ready(op)
    const earlier = entriesIn(other.every)
    const [a, b] = await Promise.all([other.send(), other.send()])
    if (a.status !== 200 || b.status !== 200 || JSON.stringify(a.body) !== JSON.stringify(b.body))
      wrong.push(`${nameOf(op)}, both at once: ${a.status} and ${b.status} ${JSON.stringify(b.body)}`)
    expect([nameOf(op), entriesIn(other.every) - earlier]).toEqual([nameOf(op), entries - before])
  }
  expect(wrong).toEqual([])
}, 60_000)

test('who signed out gets 401 for the repeated request', async () => {
  for (const name of signingOut) {
    const { send } = await ready(keyed.find((op) => nameOf(op) === name)!)
    expect([(await send()).status, (await send()).status]).toEqual([200, 401])
  }
})

test('the same key with another body is refused, and nothing is done', async () => {
  const wrong: string[] = []
  for (const op of keyed.filter(({ method, body }) => body && method !== 'DELETE')) {
    const { every, send } = await ready(op)
    const first = await send()
    const before = stored(every)
    const body = { ...Object(bodyOf(op, every)), name: 'Something else', text: 'Something else', note: 'else' }
    const { status } = await send(undefined, body)
    // 422 if the operation does not know these fields.
    if (first.status === 200 && status !== 400 && status !== 422) wrong.push(`${nameOf(op)}: ${status}`)
    expect(stored(every)).toEqual(before)
  }
  expect(wrong).toEqual([])
}, 60_000)

test('after a person has lost the trial, a repeated write is refused as any other request of theirs', async () => {
  const wrong: string[] = []
  const inTrial = keyed.filter(
    (op) => whoMay(op).includes('staff') && op.path.includes(':') && !/^\/(teams|users)\//.test(op.path),
  )
  expect(inTrial.length).toBeGreaterThan(50)
  for (const op of inTrial) {
    const { every, send } = await ready(op)
    const colleague = every.staff(every.trial, ['trial.admin'])
    const first = await send(colleague)
    every.db.$client.run(`DELETE FROM permissions WHERE user = '${colleague._id}'`)
    const { status } = await send(colleague)
    if (first.status === 200 && status !== 404) wrong.push(`${nameOf(op)}: ${status}`)
  }
  // Of a deleted trial there is nothing left to see: its deletion is answered `{}` again.
  expect(wrong).toEqual(['DELETE /trials/:trialId: 200'])
}, 60_000)

test('the document says which operations keep no answer, because it holds a secret', () => {
  const { paths } = openapi(operations) as {
    paths: Record<string, Record<string, { description: string; parameters?: object[] }>>
  }
  for (const op of writes) {
    const { description, parameters = [] } = paths[op.path.replace(/:(\w+)/g, '{$1}')]![op.method.toLowerCase()]!
    const takesKey = JSON.stringify(parameters).includes('idempotencyKey')
    expect([nameOf(op), takesKey]).toEqual([nameOf(op), op.secret !== true])
    expect([nameOf(op), description.includes('no answer is kept')]).toEqual([nameOf(op), op.secret === true])
  }
})
