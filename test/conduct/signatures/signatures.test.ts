import { describe, expect, test } from 'bun:test'
import { sha256 } from '#kernel/id'
import { HOUR } from '#kernel/time'
import { firstOf, present } from '../../present'
import { entriesOf } from '../responses/answers'
import { casebook, signatureStudy } from './signatures.study'

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

describe('a signature', () => {
  test('says who signed what, when and with which meaning, and is shown wherever the response is', async () => {
    const s = await signatureStudy()
    const { app, anna, trial, first, second, owner, now } = s
    const signed = await app.do('signResponses', trial, { participant: anna, meaning: 'Reviewed' })
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
    const all = await owner.do('readParticipantResponses', trial, anna)
    expect(all.signatures).toEqual([signed])
    const one = await owner.do('readResponse', trial, second)
    expect(one.signatures).toEqual([{ ...signed, responses: signed.responses.slice(1) }])
    const { type, event } = entriesOf(s, trial).at(-1)!
    expect(type).toBe('signResponses')
    expect(JSON.parse(event)).toMatchObject({ signature: signed._id, hash: signed.hash, meaning: 'Reviewed' })
    const { events } = await owner.do('readResponseHistory', trial, first)
    expect(events).toMatchObject([{ type: 'signed', signature: signed._id, meaning: 'Reviewed', createdBy: owner._id }])
  })

  test('ends when a response it covers is amended, even if the value is restored; others stay valid', async () => {
    const s = await signatureStudy()
    const { app, anna, first, second, enter, owner, trial, stage, clock } = s
    await app.do('signResponses', trial, { participant: anna, meaning: 'Reviewed' })
    clock(HOUR)
    const amend = (pulse: number) => enter({ pulse }, {}, owner, s.responseUrl(anna, `${stage}::0`))
    await amend(70)
    const ended = firstOf(await s.signatures())
    expect(ended.valid).toBe(false)
    expect(ended.responses.map(({ response, valid }) => [response, valid])).toEqual([
      [first, false],
      [second, true],
    ])
    await amend(60)
    expect(firstOf(await s.signatures()).valid).toBe(false)
    const one = await owner.do('readResponse', trial, second)
    expect(one.signatures[0]).toMatchObject({ valid: false, responses: [{ response: second, valid: true }] })
    const { events } = await owner.do('readResponseHistory', trial, first)
    expect(events.map(({ type }) => type)).toEqual(['signed', 'cleared'])
    expect(events[1]).toMatchObject({ marks: [], signatures: [ended._id] })
    expect((await s.casebooks())[0]).toEqual(casebook(anna, 'P-1', 2, 1))
  })

  test.each([
    ['a status', (at: string) => ['PUT', `${at}/status`, { status: 'successful' }]],
    ['deletion', (at: string) => ['DELETE', at, { reason: 'A test.' }]],
  ] as const)('ends with %s', async (_, call) => {
    const s = await signatureStudy()
    await s.app.do('signResponses', s.trial, { participant: s.anna, meaning: 'Reviewed' })
    const [method, url, body] = call(`/trials/${s.trial}/responses/${s.first}`) as [string, string, unknown]
    expect((await s.owner.call(method, url, body)).status).toBe(200)
    const signature = firstOf(await s.signatures())
    expect(signature.valid).toBe(false)
    expect(signature.responses.map(({ valid }) => valid)).toEqual([false, true])
  })

  test('stays valid after marks, drafts or a submission without changes', async () => {
    const s = await signatureStudy()
    await s.app.do('signResponses', s.trial, { participant: s.anna, meaning: 'Reviewed' })
    await s.owner.do('verifyResponse', s.trial, s.first)
    await s.enter({ pulse: 60 }, {}, s.owner, s.responseUrl(s.anna, `${s.stage}::0`))
    await s.enter({ pulse: 99 }, {}, s.owner, `${s.responseUrl(s.anna, `${s.stage}::0`)}?draft=true`)
    expect(firstOf(await s.signatures()).valid).toBe(true)
  })

  test('may cover some responses only', async () => {
    const s = await signatureStudy()
    const signed = await s.app.do('signResponses', s.trial, {
      participant: s.anna,
      responses: [s.second, s.second],
      meaning: 'Read',
    })
    expect(signed).toMatchObject({ isCasebook: false, responses: [{ response: s.second, valid: true }] })
    expect((await s.casebooks())[0]).toEqual(casebook(s.anna, 'P-1', 2, 1))
    await s.app.do('signResponses', s.trial, { participant: s.anna, responses: [s.second], meaning: 'Again' })
    expect(firstOf(await s.casebooks()).signedCount).toBe(1)
  })

  test('has a hash that every reader of all answers can compute as the manual says', async () => {
    const s = await signatureStudy()
    const at = s.responseUrl(s.anna, `${s.stage}::0`)
    await s.enter({ pulse: null, smoker: ['Yes'], glucose: 5.4 }, {}, s.owner, at)
    // A field that was added later, and is still blank, is not part of the signed content.
    const later = await s.owner.do('createDataType', s.trial, { name: 'Later', format: 'text' })
    const components = [...s.components, { id: 'later', dataType: later._id, title: 'Later' }]
    await s.owner.do('updateStage', s.stage, { components })
    await s.enter({ mood: { q1: 2, q2: null } }, {}, s.owner, at)
    const signed = await s.app.do('signResponses', s.trial, { participant: s.anna, meaning: 'Reviewed' })
    expect(signed.responses).toHaveLength(2)
    for (const { response, hash } of signed.responses) {
      const { history } = await s.owner.do('readResponseHistory', s.trial, response)
      const { responses } = await s.owner.do('readResponse', s.trial, response)
      expect([response, sha256(sorted(contentFrom(history, firstOf(responses))))]).toEqual([response, present(hash)])
    }
    const { _id, trial, participant, isCasebook, meaning, signer, signedAt, responses } = signed
    const hashes = Object.fromEntries(responses.map(({ response, hash }) => [response, hash]))
    const whole = { _id, trial, participant, isCasebook, meaning, signer, signedAt, responses: hashes }
    expect(sha256(sorted(whole))).toBe(present(signed.hash))
  })

  test('shows its hashes only to people who see everything signed, since a short answer could be guessed', async () => {
    const s = await signatureStudy()
    await s.app.do('signResponses', s.trial, { participant: s.anna, meaning: 'Reviewed' })
    const reader = s.staff(s.trial, ['trial.read', 'trial.readLogs', 'trial.exportData'])
    const all = `/trials/${s.trial}` as const
    const reads = [`${all}/participants/${s.anna}/signatures`, `${all}/participants/${s.anna}/responses`] as const
    const alone = [
      `${all}/responses/${s.first}`,
      `${all}/responses/${s.second}`,
      `${all}/stages/${s.stage}/responses`,
    ] as const
    const hashesIn = async (url: (typeof reads | typeof alone)[number]) => {
      const { hash, responses } = firstOf((await reader.get<'readSignatures'>(url as (typeof reads)[0])).signatures)
      return [hash, ...responses.map((each) => each.hash)].map(Boolean)
    }
    for (const url of reads) expect([url, await hashesIn(url)]).toEqual([url, [true, true, true]])
    await s.owner.do('updateDataType', s.ids.smoker, { isRestricted: true })
    for (const url of [...reads, ...alone]) expect([url, (await hashesIn(url)).includes(true)]).toEqual([url, false])
    expect(firstOf(await s.signatures()).hash).toHaveLength(64)
    const { entries } = await reader.do('readLogs', s.trial, { type: 'signResponses' })
    expect(firstOf(entries).event.responses).toEqual([s.first, s.second])
    expect(JSON.stringify(entries)).not.toMatch(/[0-9a-f]{64}/)
  })

  test('cannot be changed or deleted, even in the database', async () => {
    const s = await signatureStudy()
    await s.app.do('signResponses', s.trial, { participant: s.anna, meaning: 'Reviewed' })
    for (const sql of [
      "UPDATE signatures SET meaning = 'x'",
      'DELETE FROM signatures',
      'DELETE FROM signedResponses',
      "UPDATE signedResponses SET hash = 'x'",
    ]) {
      expect(() => s.db.$client.run(sql)).toThrow(/signatures are/)
    }
    await s.owner.do('deleteParticipant', s.trial, s.anna, { reason: 'asked to be forgotten' })
    expect(s.db.$client.query('SELECT _id FROM signatures').all()).toEqual([])
    expect(s.db.$client.query('SELECT * FROM signedResponses').all()).toEqual([])
  })
})
