/** Staff cannot access a participant of other sites and groups: each single permission with every operation. */
import { expect, test } from 'bun:test'
import { type Key, keys, keysOf } from '#access/keys'
import { permissions } from '#db/tables/index'
import type { AnyOperation } from '#http/operation'
import { operations } from '#start/app'
import { fieldsIn, nameOf, stored, whoMay } from './every-operation.shared'
import { type Everything, everything } from './everything'
import type { Person } from './harness'
import { ofToday, part } from './proof'

const staffOnly = operations.filter((op) => whoMay(op).includes('staff') && !op.path.startsWith('/users/'))

/** The parameters of paths that name a participant, or something of one. */
const about = ['participantId', 'responseId', 'queryId', 'messageId']

/** The fields of bodies and queries that name participants or their responses. */
const naming = /^(participants?|responses?|updates|forId)$/

type Request = { method: string; url: string; body?: unknown }
type NamedIds = { participant: string; response: string; query: string; message: string }

/** The requests whose body or query names a participant, by operation. */
const bodiesNaming: Record<string, (named: NamedIds, every: Everything) => Partial<Request>> = {
  'PATCH /trials/:trialId/participants': ({ participant }, { site, group }) => ({
    body: { updates: [{ participant, sites: [site], groups: [group], isArchived: true, isWithdrawn: true }] },
  }),
  'DELETE /trials/:trialId/participants': ({ participant }) => ({ body: { participants: [participant], reason: 'x' } }),
  'POST /trials/:trialId/participants/notifications': ({ participant }) => ({
    body: { message: 'Hello', participants: [participant] },
  }),
  'POST /trials/:trialId/queries': ({ response }) => ({ body: { response, text: 'Sure?' } }),
  'GET /trials/:trialId/heldEntries': ({ participant }) => ({ url: `?participant=${participant}` }),
  'GET /trials/:trialId/queries': ({ response }) => ({ url: `?response=${response}` }),
  'POST /trials/:trialId/responses/:responseId/allocations': ({ participant }) => ({
    url: `?participant=${participant}`,
  }),
  'DELETE /trials/:trialId/responses/:responseId/allocations': ({ participant }) => ({
    url: `?participant=${participant}`,
  }),
  'GET /uploads/file/request': ({ participant }) => ({
    url: `?name=a.pdf&size=3&type=application/pdf&forType=participant&forId=${participant}`,
  }),
  'GET /uploads/video/request': ({ participant }) => ({
    url: `?name=a.mp4&size=3&type=video/mp4&forType=participant&forId=${participant}`,
  }),
  'GET /uploads/hardware/request': ({ participant }) => ({
    url: `?name=a.zip&size=3&type=application/zip&forType=participant&forId=${participant}`,
  }),
  'GET /stages/:stageId': ({ response }) => ({ url: `?format=docx&response=${response}` }),
  'GET /randomisations/:randomisationId/allocations': ({ participant }) => ({ url: `?participant=${participant}` }),
  'POST /randomisations/:randomisationId/allocations': ({ participant }) => ({ body: { participant } }),
  'GET /randomisations/:randomisationId/dispensations': ({ participant }) => ({ url: `?participant=${participant}` }),
  'POST /randomisations/:randomisationId/dispensations': ({ participant }) => ({ body: { participant } }),
  'GET /trials/:trialId/logs': ({ participant }) => ({ url: `?participant=${participant}` }),
  'GET /trials/:trialId/reads': ({ participant }) => ({ url: `?participant=${participant}` }),
  'GET /trials/:trialId/logs/communication': ({ participant }) => ({ url: `?participant=${participant}` }),
}

/** These name a response or participant as an answer, not to find one, or need a session. */
const harmless = [
  'POST /trials/:trialId/participants', // registers `participants`
  'PUT /trials/:trialId/participants/:participantId/responses/:stageId', // `response` holds the answers
  'POST /stage-tokens/:token/responses',
  'POST /polls/:trialCode/:stageId/responses', // `response` holds the answers
  'POST /participants/held',
  // A copy must be of the participant in the path: test/conduct/heldEntries.
  'POST /trials/:trialId/participants/:participantId/heldEntries',
  'POST /trials/:trialId/heldEntries/:heldEntryId/acceptance',
  'POST /trials/:trialId/signatures',
]

const namesInBody = (op: AnyOperation) =>
  [...fieldsIn(op.body), ...fieldsIn(op.query)].some((field) => naming.test(field))

test('every operation whose body or query names a participant or a response is in this test', () => {
  const missing = operations
    .filter(namesInBody)
    .map(nameOf)
    .filter((name) => !harmless.includes(name))
  expect(missing.filter((name) => !(name in bodiesNaming))).toEqual([])
})

/** Every request of an operation that names these. */
function requestTo(op: AnyOperation, every: Everything, named: NamedIds): Request {
  const own: Record<string, string> = {
    participantId: named.participant,
    responseId: named.response,
    queryId: named.query,
    messageId: named.message,
  }
  const path = op.path.replace(/:(\w+)/g, (_, name: string) => own[name] ?? every.params[name]!)
  const { url = every.queries[nameOf(op)] ?? '', body = every.bodies[nameOf(op)] ?? {} } =
    bodiesNaming[nameOf(op)]?.(named, every) ?? {}
  return { method: op.method, url: path + url, ...(op.body ? { body } : {}) }
}

const isAbout = (op: AnyOperation) => nameOf(op) in bodiesNaming || about.some((param) => op.path.includes(`:${param}`))

const unknown = 'f'.repeat(24)

/** What a request to something of the foreign participant shows, unless it is the same as for one that does not exist. */
async function shows(person: Person, op: AnyOperation, every: Everything, named: NamedIds): Promise<string[]> {
  const nothing = { participant: unknown, response: unknown, query: unknown, message: unknown }
  const [real, made] = [requestTo(op, every, named), requestTo(op, every, nothing)]
  const answer = await person.call(real.method, real.url, real.body)
  const other = await person.call(made.method, made.url, made.body)
  if (answer.status === other.status && Bun.deepEquals(answer.body, other.body) && answer.status !== 200) return []
  const isEmptyList = answer.status === 200 && Bun.deepEquals(answer.body, other.body)
  return isEmptyList ? [] : [`${nameOf(op)}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`]
}

/** A study with another site and another group, where the people of these tests are. */
async function elsewhere() {
  const every = await everything()
  const { owner, trial, anna } = every
  const site = (await owner.do('createSite', trial, { name: 'South', id: 'S1' }))._id
  const group = (await owner.do('createGroup', trial, { name: 'Arm B' }))._id
  const { responseId, queryId, messageId } = every.params
  const named = { participant: anna, response: responseId!, query: queryId!, message: messageId! }
  return { ...every, elsewhere: { site, group }, named }
}

/** Whether the key is about the whole trial: on a site or group it shows the stages, the log of nobody, and the like. */
const reads = staffOnly.filter((op) => op.method === 'GET' && !isAbout(op) && !op.path.includes(':jobId'))

test.each(ofToday(['site', 'group'] as const))(
  `a person with any single permission on another %s learns nothing of a participant, and changes nothing (${part})`,
  async (kind) => {
    const every = await elsewhere()
    const { trial, staff, named } = every
    const before = stored(every)
    const wrong: string[] = []
    for (const key of ofToday(keys)) {
      for (const prefix of [kind, 'trial']) {
        const word = `${prefix}.${key}`
        if (prefix === 'trial' && key !== 'admin') continue // the same key: one of them is enough
        const person = staff(trial, [word], every.elsewhere[kind])
        for (const op of staffOnly.filter(isAbout)) {
          wrong.push(...(await shows(person, op, every, named)).map((each) => `${word}: ${each}`))
        }
        for (const op of reads) {
          const { url } = requestTo(op, every, named)
          const { status, body } = await person.call('GET', url)
          const text = status === 200 ? JSON.stringify(body) : ''
          if ([...Object.values(named), '"P-1"'].some((each) => text.includes(each)))
            wrong.push(`${word}: ${nameOf(op)} names them`)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(changed(before, stored(every))).toEqual([])
  },
  180_000,
)

/** The tables that differ. Accounts and permissions are those of the test itself. */
const changed = (before: ReturnType<typeof stored>, after: ReturnType<typeof stored>) =>
  Object.keys(after).filter(
    (table) => !/^(permissions|jobs|files)$/.test(table) && !Bun.deepEquals(before[table], after[table]),
  )

/** The keys with which a person of the whole trial may change these memberships. */
const mayJoin: Record<'site' | 'group', Key> = { site: 'writeSites', group: 'tagParticipants' }

test.each(ofToday(['site', 'group'] as const))(
  `a user who may change the members of one %s cannot add a participant from elsewhere, whatever other permissions they have (${part})`,
  async (kind) => {
    const every = await elsewhere()
    const { trial, staff, db, anna } = every
    const place = every.elsewhere[kind]
    const wrong: string[] = []
    for (const key of ofToday(keys)) {
      const person = staff(trial, [`${kind}.${mayJoin[kind]}`], place)
      db.insert(permissions)
        .values({ user: person._id, trial, scope: trial, keys: [`trial.${key}`] })
        .run()
      const body = { updates: [{ participant: anna, [`${kind}s`]: [place] }] }
      const requests: [string, string, unknown?][] = [
        ['PUT', `/${kind}s/${place}/memberships/${anna}`],
        ['PATCH', `/trials/${trial}/participants`, body],
      ]
      const isAllowed = keysOf([`trial.${key}`]).has(mayJoin[kind])
      for (const [method, url, body] of requests) {
        const { status } = await person.call(method, url, body)
        if ((status === 200) !== isAllowed) wrong.push(`trial.${key}: ${method} ${url} ${status}`)
        if (status !== 200 && status !== 403 && status !== 404) wrong.push(`trial.${key}: ${method} ${url} ${status}`)
        if (isAllowed) await every.owner.delete(`/${kind}s/${place}/memberships/${anna}`)
        await every.owner.put(`/${kind}s/${every[kind]}/memberships/${anna}`)
      }
    }
    expect(wrong).toEqual([])
  },
  180_000,
)

test('with a permission on the members of a site alone, a participant of another site is not found', async () => {
  const every = await elsewhere()
  const { trial, staff, anna, bert, owner, elsewhere: south } = every
  const local = staff(trial, ['site.writeSites'], south.site)
  for (const method of ['PUT', 'DELETE']) {
    expect((await local.call(method, `/sites/${south.site}/memberships/${anna}`)).status).toBe(404)
    expect((await local.call(method, `/sites/${south.site}/memberships/${bert}`)).status).toBe(404) // of no site
  }
  await owner.do('addSiteMember', south.site, anna)
  expect(await local.do('addSiteMember', south.site, anna)).toEqual({ sites: [every.site, south.site] })
  expect(await local.do('removeSiteMember', south.site, anna)).toEqual({ sites: [every.site] })
  const both = staff(trial, ['site.writeSites'], south.site)
  every.db
    .insert(permissions)
    .values({ user: both._id, trial, scope: every.site, keys: ['site.writeSites'] })
    .run()
  expect(await both.do('addSiteMember', south.site, anna)).toEqual({ sites: [every.site, south.site] })
})
