/** The form that follows a consent, before the first sign-in and after it. */
import { describe, expect, test } from 'bun:test'
import { verifyResponses } from '#conduct/responses/verify'
import { verifyCounts } from '#db/counts'
import { DAY } from '#kernel/time'
import { present } from '../../present'
import { consentWorld } from '../consents/consents.study'

async function screeningStudy() {
  const w = await consentWorld()
  const { owner, trialId: trial, nobody } = w
  const pulse = (await owner.do('createDataType', trial, { name: 'Pulse', code: 'pulse', format: 'integer' }))._id
  const components = [{ id: 'a', dataType: pulse, title: 'Your pulse', isRequired: true }]
  const stage = (await owner.do('createStage', trial, { name: 'Screening', components, postSubmissionText: 'Bye' }))._id
  await owner.do('updateConsentForm', trial, w.documentId, { postConsentStage: stage })
  await owner.do('updateTrial', trial, { restrictRegistration: false })
  const consent = await w.consented('Ann Lee', 'ann@example.org')
  const session = await nobody.do('readConsentSession', consent.token)
  const url = present(present(present(session.consent).postConsentStage).url)
  const at = `/screening-links/${present(/\/app\/stage\/screening-([\w-]{43})$/.exec(url)?.[1])}` as const
  const signIn = (participantId: string) =>
    nobody.call('POST', '/participants/sessions', {
      ...{ trialCode: 'sleep', participantId, password: 'a good password' },
      ...{ eConsentEmail: 'ann@example.org', eConsentCode: consent.signInCode },
    })
  return {
    ...{ ...w, trial, stage, consent, at, signIn },
    send: (value: unknown, more = {}) => nobody.call('POST', `${at}/responses`, { [pulse]: { value } }, more),
    shown: async (by = owner) => (await by.do('readConsent', trial, consent._id)).screeningResponses,
    /** The owner and the answer of each response. */
    stored: () =>
      w.db.$client
        .query<{ participant: string | null; values: string; stageRecurrence: number }, []>(
          'SELECT participant, "values", stageRecurrence FROM responses',
        )
        .all(),
  }
}

describe('the form after a consent', () => {
  test('is answered before the first sign-in, is of the consent, and becomes the participant’s once', async () => {
    const s = await screeningStudy()
    expect(await s.nobody.get<'openScreening'>(s.at)).toMatchObject({
      name: 'Screening',
      enabled: true,
      completed: false,
      answered: [],
    })
    const key = { headers: { 'Idempotency-Key': 'of-this-device' } }
    const sent = await Promise.all([s.send(70, key), s.send(70, key), s.send(70)])
    expect(sent.map(({ status, body }) => [status, body])).toEqual(
      Array(3).fill([200, { postSubmissionText: 'Bye', onScreenMessages: [] }]),
    )
    expect(s.stored()).toMatchObject([{ participant: null, values: '[70]' }])
    expect(await s.shown()).toHaveLength(1)
    // Answered again, the new answers replace those before.
    expect((await s.send(72)).status).toBe(200)
    expect(s.stored()).toMatchObject([{ participant: null, values: '[72]' }])
    expect(await s.nobody.get<'openScreening'>(s.at)).toMatchObject({ completed: true, answered: [] })
    const trail = `SELECT DISTINCT address, device FROM auditEntries WHERE type = 'submitResponse'`
    expect(s.db.$client.query(trail).all()).toEqual([{ address: null, device: null }])
    // Nor does the answer that is kept for a device that asks again.
    expect(s.db.$client.query("SELECT caller FROM idempotencyKeys WHERE key = 'of-this-device'").all()).toEqual([
      { caller: 'nobody' },
    ])

    const [first, second] = await Promise.all([s.signIn('P-7'), s.signIn('P-7')])
    expect([first.status, second.status]).toContain(200)
    const [response] = s.stored()
    expect([s.stored().length, present(response).participant, present(response).stageRecurrence]).toEqual([
      1,
      expect.any(String),
      0,
    ])
    expect(await s.shown()).toHaveLength(1)
    // What waited on a device without a connection is the participant's.
    expect((await s.send(75)).status).toBe(200)
    expect(s.stored()).toMatchObject([{ participant: expect.any(String), values: '[75]' }])
    expect(verifyResponses(s.db.$client)).toContain('response')
  })

  test('does not replace what the participant has answered', async () => {
    const s = await screeningStudy()
    await s.send(70)
    const anna = (
      await s.owner.do('registerParticipants', s.trial, { participantId: 'P-7', password: 'a good password' })
    )._id
    const { components = [] } = await s.owner.do('readStage', s.stage)
    const pulse = present(present(components[0]).dataType)
    await s.owner.do('enterResponse', s.trial, anna, s.stage, {
      response: { [pulse]: { value: 60 } },
    })
    expect((await s.signIn('P-7')).status).toBe(200)
    expect(
      s
        .stored()
        .map(({ participant, values }) => [participant, values])
        .toSorted(),
    ).toEqual(
      [
        [anna, '[60]'],
        [null, '[70]'],
      ].toSorted(),
    )
    expect(await s.shown()).toHaveLength(2)
  })

  test('is closed after a week, for a withdrawn consent, while it is disabled or locked; and bad answers are refused', async () => {
    const s = await screeningStudy()
    expect((await s.send('fast')).status).toBe(422)
    expect((await s.nobody.call('POST', `${s.at}/responses`, {})).status).toBe(400)
    await s.owner.do('updateStage', s.stage, { enabled: false })
    expect(await s.send(70)).toMatchObject({ status: 403, body: { details: { code: 'closed' } } })
    await s.owner.do('updateStage', s.stage, { enabled: true })
    expect((await s.nobody.call('GET', `/screening-links/${'x'.repeat(43)}`)).status).toBe(404)
    s.clock(7 * DAY)
    expect(await s.send(70)).toMatchObject({ status: 404, body: { details: { code: 'expired' } } })
    expect(s.stored()).toEqual([])
  })

  test('takes files, which become those of the response and then of the participant', async () => {
    const s = await screeningStudy()
    const { owner, trial, nobody, at } = s
    const form = { name: 'Rash', code: 'rash', format: 'image' }
    const rash = (await owner.do('createDataType', trial, form))._id
    const { components = [] } = await owner.do('readStage', s.stage)
    await owner.do('updateStage', s.stage, {
      components: [...components, { id: 'b', dataType: rash, title: 'A photo' }],
    })
    const pulse = present(present(components[0]).dataType)
    const file = { dataType: rash, name: 'rash.png', size: 4, type: 'image/png' }
    const upload = async (name: string) => {
      const { signedRequestURL, fileName } = await nobody.post<'requestScreeningUpload'>(`${at}/uploads`, {
        ...file,
        name,
      })
      const headers = { 'Content-Type': 'image/png' }
      expect((await s.fetch(signedRequestURL, { method: 'PUT', body: 'rash', headers })).status).toBe(200)
      return { fileName, name }
    }
    const send = (photo: unknown) =>
      nobody.call('POST', `${at}/responses`, { [pulse]: { value: 70 }, [rash]: { value: photo } })
    const first = await upload('rash.png')
    // That of another consent is refused.
    const other = await s.consented('Bo Li', 'bo@example.org')
    const session = await nobody.do('readConsentSession', other.token)
    const elsewhere = present(present(present(session.consent).postConsentStage).url).replace(/.*screening-/, '')
    const stolen = { [pulse]: { value: 70 }, [rash]: { value: first } }
    expect((await nobody.call('POST', `/screening-links/${elsewhere}/responses`, stolen)).status).toBe(400)
    expect((await send(first)).status).toBe(200)
    // The same again, also under another name, and another one in its place.
    expect((await send({ ...first, name: 'arm.png' })).status).toBe(200)
    expect((await send(await upload('later.png'))).status).toBe(200)
    const [waiting, unsent] = [await upload('waiting.png'), await upload('unsent.png')]

    const owners = () =>
      s.db.$client
        .query<{ name: string; forType: string; forId: string }, []>(
          "SELECT name, forType, forId FROM files WHERE createdBy = 'screening' ORDER BY name",
        )
        .all()
    const response = s.db.$client.query<{ _id: string }, []>('SELECT _id FROM responses').get()?._id
    const ofConsent = { forType: 'trial', forId: s.consent._id }
    const ofResponse = { forType: 'participant', forId: response }
    expect(owners()).toMatchObject([ofResponse, ofResponse, ofConsent, ofConsent])
    // Nobody reads in the log by which name a file could be opened elsewhere; and nobody of whom address or device is known.
    const { csv: log } = await owner.do('readLogs', trial, { format: 'csv', userType: 'system', type: 'finishUpload' })
    expect(log).toContain('finishUpload')
    for (const { fileName } of [first, waiting]) expect(log).not.toContain(fileName)
    const trail = `SELECT DISTINCT address, device, personal FROM auditEntries WHERE type = 'requestUpload'`
    expect(s.db.$client.query(trail).all()).toEqual([{ address: null, device: null, personal: null }])
    const begun = { ...file, name: 'begun.png' }
    const { fileName } = await nobody.post<'requestScreeningUpload'>(`${at}/uploads`, begun)
    const tooMuch = await nobody.call('POST', `${at}/uploads`, { ...file, size: 30 * 1024 ** 2 })
    expect(tooMuch.status).toBe(200)
    s.db.$client.query('UPDATE files SET size = 1073741824 WHERE storedName = ?').run(tooMuch.body.fileName)
    expect(await nobody.call('POST', `${at}/uploads`, file)).toMatchObject({
      status: 400,
      body: { details: { size: 4 } },
    })
    // One that has begun has its room.
    expect((await nobody.call('POST', `${at}/uploads`, { ...begun, fileName })).status).toBe(200)

    expect((await s.signIn('P-7')).status).toBe(200)
    const participant = s.db.$client
      .query<{ _id: string }, []>("SELECT _id FROM participants WHERE id = 'P-7'")
      .get()?._id
    expect(new Set(owners().map(({ forType, forId }) => `${forType} ${forId}`))).toEqual(
      new Set([`participant ${participant}`]),
    )
    // What waited on the device goes on.
    expect((await send(waiting)).status).toBe(200)
    const { responses } = await owner.do('readParticipantResponses', trial, participant)
    const [{ response: answers }] = responses as unknown as [
      { response: Record<string, { value: unknown; url: string }> },
    ]
    expect(present(answers[rash]).value).toEqual(waiting)
    expect(await (await s.fetch(present(answers[rash]).url)).text()).toBe('rash')
    s.clock(2 * DAY)
    for (let n = 0; n < 3; n++) await s.service.services.tick()
    expect(owners().map(({ name }) => name)).not.toContain(unsent.name)
    expect(owners().map(({ name }) => name)).toContain(waiting.name)
    expect(verifyCounts(s.db.$client)).toBeTruthy()
  })

  test('of a withdrawn consent takes nothing, and what came stays', async () => {
    const s = await screeningStudy()
    await s.send(70)
    await s.owner.do('withdrawConsent', s.trial, s.consent._id, { reason: 'They moved.' })
    expect((await s.send(71)).status).toBe(404)
    expect(s.stored()).toMatchObject([{ participant: null, values: '[70]' }])
    const reader = s.staff(s.trial, ['trial.readTrialConsents', 'trial.readParticipants'])
    expect(await s.shown(reader)).toEqual([])
  })
})
