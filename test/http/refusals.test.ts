/** Refusals say what to do, for all operations. */
import { describe, expect, test } from 'bun:test'
import type { AnyOperation } from '#http/operation'
import { reason } from '#kernel/refusals/reason'
import { operations } from '#start/app'
import { bodyOf, callersIn, nameOf, pathOf, stored, wrongResponses } from '../every-operation.shared'
import { everything } from '../everything'
import { form } from '../form'
import { type Person, world } from '../harness'
import { study } from '../study'

const DAY = 86_400_000_000

describe('the Content-Type of a body', () => {
  const json = 'The body must be JSON with the header "Content-Type: application/json"'
  const wrong = [
    ['text/json', `${json}; it came as "text/json".`],
    ['text/plain;charset=UTF-8', `${json}; it came as "text/plain".`],
    ['application/x-www-form-urlencoded', `${json}; it came as "application/x-www-form-urlencoded".`],
    ['application/json; charset=latin1', `${json}, in UTF-8; it came as charset=latin1.`],
    ['application/json-patch', `${json}; it came as "application/json-patch".`],
    ['', `${json}; it came without a Content-Type.`],
  ] as const

  test.each(wrong)('%s is refused by every operation that takes one', async (type, problem) => {
    const every = await everything()
    const { as } = await callersIn(every)
    const before = stored(every)
    const taking = operations.filter((op) => op.body)
    const send = (op: AnyOperation) =>
      as(op).call(op.method, pathOf(op, every), undefined, {
        raw: JSON.stringify(bodyOf(op, every)),
        headers: { 'Content-Type': type },
      })
    expect(await wrongResponses(taking, 422, send)).toEqual([])
    every.clock(60_000_000)
    const { body } = await send(operations.find((op) => nameOf(op) === 'POST /trials/:trialId/groups')!)
    expect(body.validations).toEqual({ json: { _schema: [problem] } })
    expect(body.message).toBe(`The request is not valid: ${problem}`)
    expect(stored(every)).toEqual(before)
  })

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/merge-patch+json',
  ])('%s is JSON', async (type) => {
    const { owner, trial } = world()
    const headers = { 'Content-Type': type }
    const { status } = await owner.call('POST', `/trials/${trial()}/groups`, undefined, {
      raw: '{"name":"Arm A"}',
      headers,
    })
    expect(status).toBe(200)
  })

  test('does not matter without a body', async () => {
    const { owner, trial } = world()
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const url = `/trials/${trial()}/configuration-versions`
    expect((await owner.call('POST', url, undefined, { raw: '', headers })).status).toBe(200)
  })
})

test('a wrong method is 404, and names the methods that the path takes', async () => {
  const every = await everything()
  const byPath = Map.groupBy(operations, ({ path }) => path)
  for (const [path, list] of byPath) {
    const at = pathOf(list[0]!, every).split('?')[0]!
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const taking = operations.filter(
        (op) => op.method === method && new RegExp(`^${op.path.replace(/:\w+/g, '[^/]+')}$`).test(at),
      )
      if (taking.length) continue
      const { status, body, headers } = await every.owner.call(method, at)
      const allowed = (headers.get('allow') ?? '').split(', ')
      expect([path, status, list.every((op) => allowed.includes(op.method))]).toEqual([path, 404, true])
      const message = path.includes('/fhir/') ? body.issue[0].diagnostics : body.message
      expect(message).toBe(reason('unknownMethod', { method, methods: allowed }).text)
    }
  }
  const nothing = await every.owner.call('GET', '/trails')
  expect([nothing.status, nothing.headers.get('allow')]).toEqual([404, null])
  expect(nothing.body.message).toBe(
    'No operation has this path. The operations are listed at /docs, and for programs at /openapi.json.',
  )
})

test('the refusal of a wrong credential names the kind that is needed', async () => {
  const every = await everything()
  const { participant, session } = await callersIn(every)
  const key = every.owner
  const ended = every.person({ Authorization: `Bearer tbk_${'x'.repeat(43)}` })
  const token = every.person({ Authorization: `Bearer ${'x'.repeat(43)}` })
  const basic = every.person({ Authorization: 'Basic eDp5' })
  const cookie = every.person({ Cookie: 'trialbox_session=nothing' })
  const staff = 'This needs an API key of staff (Authorization: Bearer tbk_…) or a session of the web app.'
  const own = 'This needs a participant token (Authorization: Bearer …), which a sign-in of the participant gives.'
  const web = 'This needs a session of the web app.'
  const none = 'neither an Authorization header nor a session cookie'
  for (const [person, url, text] of [
    [participant, '/teams', `${staff} The request has a participant token.`],
    [every.nobody, '/teams', `${staff} The request has ${none}.`],
    [key, '/participants/me', `${own} The request has an API key.`],
    [session, '/participants/me', `${own} The request has a session of the web app.`],
    [every.nobody, '/participants/me', `${own} The request has ${none}.`],
    [participant, '/users/me/api-keys', `${web} The request has a participant token.`],
    [ended, '/teams', 'This API key is not valid: it was deleted, has expired, or its account is disabled.'],
    [token, '/participants/me', 'This participant token is not valid, or has ended. (An API key begins with tbk_.)'],
    [cookie, '/teams', 'The session has ended. Sign in again.'],
    [basic, '/teams', 'The Authorization header must be "Bearer", a space, and an API key or participant token.'],
  ] as const) {
    const { status, body } = await person.call('GET', url)
    expect([status, body.message]).toEqual([401, text])
  }
  expect((await key.call('GET', '/users/me/api-keys')).status).toBe(403)
})

test('the scheme of a credential may have any case', async () => {
  const { owner, person } = world()
  const lower = person({ Authorization: owner.credentials.Authorization!.replace('Bearer', 'bearer') })
  expect((await lower.call('GET', '/teams')).status).toBe(200)
})

describe('a form that is not open', () => {
  test('says when it opens and when it ended, in the participant’s zone', async () => {
    const { owner, me, mine, trial, stage, ownUrl, sent, clock } = await form(
      [{ code: 'pulse', format: 'integer' }],
      { availabilityWindowHours: 24 },
      'Asia/Tokyo',
    )
    await owner.do('moveStageOpening', trial, mine, {
      stage,
      enableAt: '2026-03-08T23:30:00Z',
    })
    const early = await me.call('POST', ownUrl, sent({ pulse: 60 }))
    expect([early.status, early.body]).toEqual([
      403,
      {
        message: 'This form is not open yet: it opens on 9 March 2026 at 08:30 (Asia/Tokyo).',
        details: {
          code: 'notOpenYet',
          params: { from: { code: 'moment', params: { at: '2026-03-08T23:30:00.000000Z', zone: 'Asia/Tokyo' } } },
          enableAt: '2026-03-08T23:30:00.000000Z',
          expiresAt: '2026-03-09T23:30:00.000000Z',
        },
      },
    ])
    clock(20 * DAY)
    const late = await me.call('POST', ownUrl, sent({ pulse: 60 }))
    expect([late.status, late.body.message]).toEqual([
      403,
      'The time in which this form could be filled in has passed: it ended on 10 March 2026 at 08:30 (Asia/Tokyo).',
    ])
  })

  test('says that the date is not known yet', async () => {
    const { owner, me, trial, stage, ownUrl, sent } = await form([{ code: 'pulse', format: 'integer' }])
    const { _id } = await owner.do('createAnchor', trial, {
      name: 'Surgery',
      assignmentRule: { type: 'manual' },
    })
    await owner.do('updateStage', stage, { enableAfter: { type: 'anchor', anchor: _id, delay: 0 } })
    const { status, body } = await me.call('POST', ownUrl, sent({ pulse: 60 }))
    expect([status, body.message]).toEqual([403, 'This form is not open yet: when it opens is not known yet.'])
  })
})

test('a problem is reported at its place', async () => {
  const { owner, trial, url, ids, signIn, stage } = await study()
  const refused = async (method: string, path: string, body: object, by: Person = owner) => {
    const answer = await by.call(method, path, body)
    expect(answer.status).toBe(422)
    return answer.body.details.fields
  }
  const [value, keyed, keyedBody] = [reason('notAnswer').text, reason('notAnswers').text, reason('notAnswersBody').text]
  expect(await refused('PUT', url(), { response: { [ids.pulse!]: 6 } })).toEqual({ [`response.${ids.pulse}`]: value })
  expect(await refused('PUT', url(), { response: 6 })).toEqual({ response: keyed })
  const own = `/participants/trials/${trial}/stages/${stage}/responses`
  expect(await refused('POST', own, [6], await signIn())).toEqual({ _schema: keyedBody })
  // A value of the wrong type, as of one that does not fit (400): by data type.
  expect(Object.keys(await refused('PUT', url(), { response: { [ids.pulse!]: { value: 'x' } } }))).toEqual([ids.pulse!])
  expect(await refused('PUT', `/trials/${trial}`, { fitbitGroups: ['x'], code: 5 })).toEqual({
    'fitbitGroups.0': 'Must be an _id of 24 hexadecimal characters.',
    code: 'Must be 2 to 100 characters, without space around them.',
  })
  expect(
    await refused('PUT', `/stages/${stage}`, { anchorSchedule: [{ dayOffset: 1 }, 5], pollSettings: { x: 1 } }),
  ).toEqual({
    'anchorSchedule.0.anchor': 'Missing data for required field.',
    'anchorSchedule.1': 'Must be an object with the fields anchor, dayOffset.',
    'pollSettings.x': 'Unknown field.',
  })
  expect(await refused('PUT', `/data-types/${ids.pulse}`, { min: [] })).toEqual({
    min: 'Must be a number or text.',
  })
  expect(await refused('GET', `/trials/${trial}/participants?page=0`, {})).toEqual({ page: 'Must be at least 1.' })
})
