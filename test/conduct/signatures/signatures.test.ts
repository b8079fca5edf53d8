import { describe, expect, test } from 'bun:test'
import { sha256 } from '#kernel/id'
import { HOUR, MINUTE } from '#kernel/time'
import { PASSWORD, world } from '../../harness'
import { study } from '../../study'
import { entriesOf } from '../responses/answers'

const REASON = 'All data are in.'

/** A study with signatures and two responses of Anna's, and its owner in the web app with a fresh confirmation. */
async function signing(trial: Record<string, unknown> = {}, options: Parameters<typeof study>[0] = {}) {
  const w = world()
  const s = await study({
    world: w,
    trial: { responseSigningEnabled: true, ...trial },
    stage: { adHoc: true },
    ...options,
  })
  const first = (await s.enter({ pulse: 60, smoker: ['No'] })).body._id as string
  const second = (await s.enter({ pulse: 61 })).body._id as string
  const confirmed = async (who: { _id: string; email: string }) => {
    const app = await w.signIn(who)
    await app.post('/sessions/confirmations', { password: PASSWORD })
    return app
  }
  const app = await confirmed(s.owner)
  const url = `/trials/${s.trial}/signatures`
  const casebooks = async (by = s.owner) => (await by.get(`${url}/casebooks`)).casebooks
  const signatures = async (of = s.anna) =>
    (await s.owner.get(`/trials/${s.trial}/participants/${of}/signatures`)).signatures
  return { ...s, responseUrl: s.url, first, second, app, url, confirmed, casebooks, signatures }
}

/** JSON with the keys of every object in order. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    each && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(
          Object.keys(each)
            .sort()
            .map((key) => [key, each[key]]),
        )
      : each,
  )

type History = { submission: number; changes: { dataType: string; value: unknown }[] }[]

/** The signed content of a response, from its history and itself. */
function contentFrom(history: History, response: Record<string, unknown>) {
  const fields: Record<string, unknown> = {}
  for (const { submission, changes } of history)
    for (const { dataType, value } of changes) fields[dataType] = { value, submission }
  const {
    _id,
    trial,
    stage,
    stageRecurrence,
    participant,
    createdAt,
    score = null,
    status,
    partialSubmission,
  } = response
  return { _id, trial, stage, stageRecurrence, participant, createdAt, score, status, partialSubmission, fields }
}

const casebook = (participant: string, participantId: string, responseCount: number, signedCount: number) => ({
  participant,
  participantId,
  responseCount,
  signedCount,
  isComplete: responseCount > 0 && signedCount === responseCount,
})

describe('a signature', () => {
  test('says who signed what, when and meaning what, and stands in all reads', async () => {
    const s = await signing()
    const { app, url, anna, trial, first, second, owner, now } = s
    const signed = await app.post(url, { participant: anna, meaning: 'Reviewed' })
    expect(signed).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      trial,
      participant: anna,
      isCasebook: true,
      meaning: 'Reviewed',
      signer: { _id: owner._id, name: 'Olga Owner' },
      signedAt: now(),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      valid: true,
      responses: [first, second].map((response) => ({
        response,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        valid: true,
      })),
    })
    expect(await s.signatures()).toEqual([signed])
    const all = await owner.get(`/trials/${trial}/participants/${anna}/responses`)
    expect(all.signatures).toEqual([signed])
    const one = await owner.get(`/trials/${trial}/responses/${second}`)
    expect(one.signatures).toEqual([{ ...signed, responses: [signed.responses[1]] }])
    const { type, event } = entriesOf(s, trial).at(-1)!
    expect(type).toBe('signResponses')
    expect(JSON.parse(event)).toMatchObject({ signature: signed._id, hash: signed.hash, meaning: 'Reviewed' })
    const { events } = await owner.get(`/trials/${trial}/responses/${first}/history`)
    expect(events).toMatchObject([{ type: 'signed', signature: signed._id, meaning: 'Reviewed', createdBy: owner._id }])
  })

  test('ends when what it covers is amended, even if the value is put back; the others stand', async () => {
    const s = await signing()
    const { app, url, anna, first, second, enter, owner, trial, stage, clock } = s
    await app.post(url, { participant: anna, meaning: 'Reviewed' })
    clock(HOUR)
    const amend = (pulse: number) => enter({ pulse }, {}, owner, s.responseUrl(anna, `${stage}::0`))
    await amend(70)
    const [ended] = await s.signatures()
    expect(ended.valid).toBe(false)
    expect(
      ended.responses.map(({ response, valid }: { response: string; valid: boolean }) => [response, valid]),
    ).toEqual([
      [first, false],
      [second, true],
    ])
    await amend(60)
    expect((await s.signatures())[0].valid).toBe(false)
    const one = await owner.get(`/trials/${trial}/responses/${second}`)
    expect(one.signatures[0]).toMatchObject({ valid: false, responses: [{ response: second, valid: true }] })
    const { events } = await owner.get(`/trials/${trial}/responses/${first}/history`)
    expect(events.map(({ type }: { type: string }) => type)).toEqual(['signed', 'cleared'])
    expect(events[1]).toMatchObject({ marks: [], signatures: [ended._id] })
    expect((await s.casebooks())[0]).toEqual(casebook(anna, 'P-1', 2, 1))
  })

  test.each([
    ['a status', (at: string) => ['PUT', `${at}/status`, { status: 'successful' }]],
    ['deletion', (at: string) => ['DELETE', at, { reason: 'A test.' }]],
  ] as const)('ends with %s', async (_, call) => {
    const s = await signing()
    await s.app.post(s.url, { participant: s.anna, meaning: 'Reviewed' })
    const [method, url, body] = call(`/trials/${s.trial}/responses/${s.first}`) as [string, string, unknown]
    expect((await s.owner.call(method, url, body)).status).toBe(200)
    const [signature] = await s.signatures()
    expect(signature.valid).toBe(false)
    expect(signature.responses.map(({ valid }: { valid: boolean }) => valid)).toEqual([false, true])
  })

  test('stays when marks, drafts or a submission without change come after it', async () => {
    const s = await signing()
    await s.app.post(s.url, { participant: s.anna, meaning: 'Reviewed' })
    await s.owner.post(`/trials/${s.trial}/responses/${s.first}/validations`)
    await s.enter({ pulse: 60 }, {}, s.owner, s.responseUrl(s.anna, `${s.stage}::0`))
    await s.enter({ pulse: 99 }, {}, s.owner, `${s.responseUrl(s.anna, `${s.stage}::0`)}?draft=true`)
    expect((await s.signatures())[0].valid).toBe(true)
  })

  test('may cover some responses only', async () => {
    const s = await signing()
    const signed = await s.app.post(s.url, { participant: s.anna, responses: [s.second, s.second], meaning: 'Read' })
    expect(signed).toMatchObject({ isCasebook: false, responses: [{ response: s.second, valid: true }] })
    expect((await s.casebooks())[0]).toEqual(casebook(s.anna, 'P-1', 2, 1))
    await s.app.post(s.url, { participant: s.anna, responses: [s.second], meaning: 'Again' })
    expect((await s.casebooks())[0].signedCount).toBe(1)
  })

  test('can be made again by anyone who reads all of it, from what the manual says', async () => {
    const s = await signing()
    const at = s.responseUrl(s.anna, `${s.stage}::0`)
    await s.enter({ pulse: null, smoker: ['Yes'], glucose: 5.4 }, {}, s.owner, at)
    // A field that was added later, and is still blank, is not part of the signed content.
    const later = await s.owner.post(`/trials/${s.trial}/data-types`, { name: 'Later', format: 'text' })
    const components = [...s.components, { id: 'later', dataType: later._id, title: 'Later' }]
    await s.owner.put(`/stages/${s.stage}`, { components })
    await s.enter({ mood: { q1: 2, q2: null } }, {}, s.owner, at)
    const signed = await s.app.post(s.url, { participant: s.anna, meaning: 'Reviewed' })
    expect(signed.responses).toHaveLength(2)
    for (const { response, hash } of signed.responses) {
      const { history } = await s.owner.get(`/trials/${s.trial}/responses/${response}/history`)
      const { responses } = await s.owner.get(`/trials/${s.trial}/responses/${response}`)
      expect([response, sha256(sorted(contentFrom(history, responses[0])))]).toEqual([response, hash])
    }
    const { _id, trial, participant, isCasebook, meaning, signer, signedAt, responses } = signed
    const hashes = Object.fromEntries(
      responses.map(({ response, hash }: { response: string; hash: string }) => [response, hash]),
    )
    const whole = { _id, trial, participant, isCasebook, meaning, signer, signedAt, responses: hashes }
    expect(sha256(sorted(whole))).toBe(signed.hash)
  })

  test('tells its hashes to those who see all that was signed: of the others’ a short answer could be guessed', async () => {
    const s = await signing()
    await s.app.post(s.url, { participant: s.anna, meaning: 'Reviewed' })
    const reader = s.staff(s.trial, ['trial.read', 'trial.readLogs', 'trial.exportData'])
    const all = `/trials/${s.trial}`
    const reads = [`${all}/participants/${s.anna}/signatures`, `${all}/participants/${s.anna}/responses`]
    const alone = [`${all}/responses/${s.first}`, `${all}/responses/${s.second}`, `${all}/stages/${s.stage}/responses`]
    const hashesIn = async (url: string) => {
      const [{ hash, responses }] = (await reader.get(url)).signatures
      return [hash, ...responses.map((each: { hash?: string }) => each.hash)].map(Boolean)
    }
    for (const url of reads) expect([url, await hashesIn(url)]).toEqual([url, [true, true, true]])
    await s.owner.put(`/data-types/${s.ids.smoker}`, { isRestricted: true })
    for (const url of [...reads, ...alone]) expect([url, (await hashesIn(url)).includes(true)]).toEqual([url, false])
    expect((await s.signatures())[0].hash).toHaveLength(64)
    const { entries } = await reader.get(`${all}/logs?type=signResponses`)
    expect(entries[0].event.responses).toEqual([s.first, s.second])
    expect(JSON.stringify(entries)).not.toMatch(/[0-9a-f]{64}/)
  })

  test('cannot be changed or deleted, even in the database', async () => {
    const s = await signing()
    await s.app.post(s.url, { participant: s.anna, meaning: 'Reviewed' })
    for (const sql of [
      "UPDATE signatures SET meaning = 'x'",
      'DELETE FROM signatures',
      'DELETE FROM signedResponses',
      "UPDATE signedResponses SET hash = 'x'",
    ]) {
      expect(() => s.db.$client.run(sql)).toThrow(/signatures are/)
    }
    await s.owner.delete(`/trials/${s.trial}/participants/${s.anna}`, { reason: 'asked to be forgotten' })
    expect(s.db.$client.query('SELECT _id FROM signatures').all()).toEqual([])
    expect(s.db.$client.query('SELECT * FROM signedResponses').all()).toEqual([])
  })
})

describe('refusals of a signature', () => {
  test('an API key and a stale session: 403 reauth', async () => {
    const s = await signing()
    const body = { participant: s.anna, meaning: 'Reviewed' }
    const refused = async (who: typeof s.app | typeof s.owner) => {
      const answer = await who.call('POST', s.url, body)
      return [answer.status, answer.body.details?.code]
    }
    expect(await refused(s.owner)).toEqual([403, 'reauth'])
    s.clock(5 * MINUTE)
    expect(await refused(s.app)).toEqual([403, 'reauth'])
    expect(await s.signatures()).toEqual([])
  })

  test('a meaning that is not among the trial’s; signing that is off; nothing to sign: 400', async () => {
    const s = await signing({ signatureMeanings: ['Reviewed', 'Approved'] })
    const status = async (body: object) => (await s.app.call('POST', s.url, { participant: s.anna, ...body })).status
    expect(await status({ meaning: 'Seen' })).toBe(400)
    expect(await status({ meaning: 'Approved' })).toBe(200)
    expect(await status({ meaning: 'Approved', participant: s.bert })).toBe(400)
    expect(await status({})).toBe(422)
    expect(await status({ meaning: 'Approved', responses: [] })).toBe(422)
    await s.owner.put(`/trials/${s.trial}`, { responseSigningEnabled: false })
    expect(await status({ meaning: 'Approved' })).toBe(400)
  })

  test('somebody else’s response, an unknown participant, another team: 404', async () => {
    const s = await signing()
    const meaning = 'Reviewed'
    const status = async (body: object) => (await s.app.call('POST', s.url, { meaning, ...body })).status
    expect(await status({ participant: s.bert, responses: [s.first] })).toBe(404)
    expect(await status({ participant: '0'.repeat(24) })).toBe(404)
    const stranger = s.neighbours().owner
    expect((await stranger.call('POST', s.url, { meaning, participant: s.anna })).status).toBe(404)
    expect((await stranger.call('GET', `${s.url}/casebooks`)).status).toBe(404)
  })

  test('a reader, and a writer who does not see all of what is signed: 403', async () => {
    const s = await signing()
    const body = { participant: s.anna, meaning: 'Reviewed' }
    const reader = await s.confirmed(s.staff(s.trial, ['trial.read']))
    const writer = await s.confirmed(s.staff(s.trial, ['trial.write']))
    expect((await reader.call('POST', s.url, body)).body.details.needs).toEqual(['trial.writeParticipantStudyData'])
    await s.owner.put(`/data-types/${s.ids.smoker}`, { isRestricted: true })
    expect((await writer.call('POST', s.url, body)).status).toBe(403)
    expect((await writer.call('POST', s.url, { ...body, responses: [s.second] })).status).toBe(200)
  })
})

describe('casebooks', () => {
  test('are counted as responses and signatures come and go', async () => {
    const s = await signing()
    const { anna, bert, carl, app, url } = s
    const [b, c] = [casebook(bert, 'P-2', 0, 0), casebook(carl, 'P-10', 0, 0)]
    expect(await s.casebooks()).toEqual([casebook(anna, 'P-1', 2, 0), b, c])
    await app.post(url, { participant: anna, meaning: 'Reviewed' })
    expect(await s.casebooks()).toEqual([casebook(anna, 'P-1', 2, 2), b, c])
    await s.enter({ pulse: 64 })
    expect(await s.casebooks()).toEqual([casebook(anna, 'P-1', 3, 2), b, c])
    expect((await s.signatures())[0].valid).toBe(true)
    await s.owner.delete(`/trials/${s.trial}/responses/${s.first}`, { reason: 'A test.' })
    expect(await s.casebooks()).toEqual([casebook(anna, 'P-1', 2, 1), b, c])
  })

  test('of archived participants are hidden, and no lock waits for them', async () => {
    const s = await signing({ signaturesRequiredForLock: true })
    await s.owner.put(`/trials/${s.trial}/participants/${s.anna}`, { isArchived: true })
    expect((await s.casebooks()).map(({ participantId }: { participantId: string }) => participantId)).toEqual([
      'P-2',
      'P-10',
    ])
    await s.app.put(`/trials/${s.trial}`, { isDatabaseLocked: true, databaseLockJustification: REASON })
  })

  test('come in pages, and only those of one’s own site', async () => {
    const s = await signing()
    const page = await s.owner.get(`${s.url}/casebooks?page=2&perPage=2`)
    expect(page).toEqual({ casebooks: [casebook(s.carl, 'P-10', 0, 0)], nextPageAvailable: false })
    expect((await s.owner.get(`${s.url}/casebooks?perPage=2`)).nextPageAvailable).toBe(true)
    const site = (await s.owner.post(`/trials/${s.trial}/sites`, { name: 'North', id: 'N1' }))._id
    await s.owner.put(`/sites/${site}/memberships/${s.bert}`)
    const local = s.staff(s.trial, ['site.read'], site)
    expect(await s.casebooks(local as never)).toEqual([casebook(s.bert, 'P-2', 0, 0)])
    const other = s.staff(s.trial, ['trial.readFiles'])
    expect((await other.call('GET', `${s.url}/casebooks`)).status).toBe(403)
  })
})

describe('locking a database that must be signed', () => {
  const lock = { isDatabaseLocked: true, databaseLockJustification: REASON }

  test('waits for all casebooks, however much of it one tries at once', async () => {
    const s = await signing({ signaturesRequiredForLock: true })
    await s.enter({ pulse: 64 }, {}, s.owner, s.responseUrl(s.bert))
    const at = `/trials/${s.trial}`
    const refused = await s.app.call('PUT', at, lock)
    expect([refused.status, refused.body.details]).toEqual([400, { unsigned: 2 }])
    expect(refused.body.message).toContain('2 casebooks')
    await s.app.post(s.url, { participant: s.anna, meaning: 'Reviewed' })
    expect((await s.app.call('PUT', at, { ...lock, signaturesRequiredForLock: false })).body.details).toEqual({
      unsigned: 1,
    })
    await s.app.post(s.url, { participant: s.bert, meaning: 'Reviewed' })
    expect((await s.app.put(at, lock)).isDatabaseLocked).toBe(true)
    // Signing is possible while the database is locked.
    await s.app.post(s.url, { participant: s.anna, meaning: 'Approved' })
  })

  test('does not wait where the study does not ask for it', async () => {
    const s = await signing()
    const asking = await s.app.call('PUT', `/trials/${s.trial}`, { ...lock, signaturesRequiredForLock: true })
    expect([asking.status, asking.body.details]).toEqual([400, { unsigned: 1 }])
    expect((await s.app.put(`/trials/${s.trial}`, lock)).isDatabaseLocked).toBe(true)
  })
})
