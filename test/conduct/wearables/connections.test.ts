/** Participants connect accounts and end connections. */
import { describe, expect, test } from 'bun:test'
import { HOUR } from '#kernel/time'
import { importing } from './imports/files'
import { dexcomServer, fitbitServer, garminServer } from './providers'
import { wearableStudy } from './wearables.study'

test('without a configured provider everything is there, and connecting says what to do instead', async () => {
  const s = await importing()
  await s.owner.do('updateTrial', s.trial, { fitbitEnabled: true })
  const patient = await s.signIn()
  expect((await patient.do('listOwnConnections')).connections).toMatchObject([
    { service: 'fitbit', status: 'none', isAvailable: true, canConnect: false },
  ])
  for (const [url, body] of [
    ['/participants/connections/fitbit/sign-in', {}],
    ['/participants/connections/fitbit', { code: 'x' }],
  ] as const) {
    const refused = await patient.call('POST', url, body)
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'This server is not configured to connect accounts of Fitbit. A file that was downloaded there can be imported.',
    ])
  }
  expect((await patient.call('DELETE', '/participants/connections/fitbit')).status).toBe(404)
  expect((await patient.call('POST', '/participants/connections/polar/sign-in', {})).status).toBe(404)
})

describe('a sign-in', () => {
  test('by OAuth 2.0 has a challenge and a state, and its tokens are sealed and shown to nobody', async () => {
    const fitbit = fitbitServer()
    const s = await wearableStudy({ fitbit })
    const { url, state } = await s.patient.do('beginWearableSignIn', 'fitbit', {})
    const page = new URL(url)
    expect(page.href.startsWith(`${fitbit.url}/oauth2/authorize?`)).toBe(true)
    expect(Object.fromEntries(page.searchParams)).toEqual({
      ...{ response_type: 'code', client_id: 'the-client', scope: 'activity heartrate sleep', state },
      ...{ redirect_uri: 'http://localhost/join/connections/fitbit', code_challenge_method: 'S256' },
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    })
    const { code } = fitbit.allow(url)
    const { status, body } = await s.patient.call('POST', '/participants/connections/fitbit', { code, state })
    expect([status, body]).toEqual([
      200,
      {
        ...{ service: 'fitbit', status: 'connected', connectedAt: s.now(), endedAt: null, scope: 'activity sleep' },
        ...{ lastSyncAt: null, problem: null },
      },
    ])
    expect((await s.patient.do('readOwnParticipant')).connectedServices).toEqual([body])
    expect(await s.connection('fitbit')).toEqual(body)
    const everything = s.db.$client
      .query<{ name: string }, []>(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
      .all()
      .map(({ name }) => JSON.stringify(s.db.$client.query(`SELECT * FROM "${name}"`).all()))
      .join('')
    expect(everything).not.toMatch(/access-1|refresh-1|code-1|the-client-secret/)
    const { entries } = await s.owner.do('readLogs', s.trial, { type: 'connectWearable', userType: 'participant' })
    expect(entries).toMatchObject([{ participantId: 'P-1', event: { service: 'fitbit', scope: 'activity sleep' } }])
  })

  test('by OAuth 1.0a is signed, and takes the token that it began with and the verifier', async () => {
    const garmin = garminServer()
    const s = await wearableStudy({ garmin })
    const { url, state } = await s.patient.do('beginWearableSignIn', 'garmin', {})
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      oauth_token: 'request',
      oauth_callback: 'http://localhost/join/connections/garmin',
    })
    const send = (body: object) => s.patient.call('POST', '/participants/connections/garmin', body)
    expect((await send({ code: 'another', verifier: 'the-verifier' })).status).toBe(400)
    expect((await send({ code: state })).body.message).toContain('verifier: Missing data for required field.')
    expect((await send({ code: state, verifier: 'wrong' })).body.message).toBe(
      'Garmin did not accept the sign-in. Begin it again.',
    )
    expect((await send({ code: state, verifier: 'the-verifier' })).body.status).toBe('connected')
    expect(garmin.state.wrong).toEqual([])
  })

  test('of another participant, another state, an old one and a used code are refused', async () => {
    const fitbit = fitbitServer()
    const s = await wearableStudy({ fitbit })
    const bert = await s.signIn('P-2')
    const begin = async () => fitbit.allow((await s.patient.do('beginWearableSignIn', 'fitbit', {})).url)
    const send = (body: object, by = s.patient) => by.call('POST', '/participants/connections/fitbit', body)
    const signed = await begin()
    expect((await send(signed, bert)).body.message).toBe(
      'There is no sign-in at Fitbit that was begun within the last hour. Begin it again.',
    )
    expect((await send({ ...signed, state: 'x' })).body.message).toBe(
      'The answer belongs to another sign-in. Begin it again.',
    )
    await bert.do('beginWearableSignIn', 'fitbit', {})
    // What another person's sign-in answered: its page may have been put before them.
    expect((await send(signed, bert)).body.message).toBe('The answer belongs to another sign-in. Begin it again.')
    for (const by of [bert, s.patient])
      expect((await send({ code: signed.code, scope: 'activity' }, by)).body.message).toBe(
        'Send `state`, as the provider sent it back: without it, the server cannot find the sign-in.',
      )
    expect(fitbit.asked.filter(({ path }) => path === '/oauth2/token')).toEqual([])
    // None of them ended the sign-in. It works once.
    expect((await send(signed)).status).toBe(200)
    expect((await send(signed)).status).toBe(400)
    await s.patient.do('disconnectWearable', 'fitbit')
    const again = await begin()
    s.clock(HOUR)
    expect((await send(again)).status).toBe(400)
    expect(s.row('fitbit')?.status).toBe('disconnected')
  })

  test('that is sent twice at once reaches the provider once; with one Idempotency-Key both succeed', async () => {
    const fitbit = fitbitServer()
    const s = await wearableStudy({ fitbit })
    const signed = fitbit.allow((await s.patient.do('beginWearableSignIn', 'fitbit', {})).url)
    const send = (headers: Record<string, string>) =>
      s.patient.call('POST', '/participants/connections/fitbit', signed, { headers })
    const both = await Promise.all([send({ 'Idempotency-Key': 'k' }), send({ 'Idempotency-Key': 'k' })])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(fitbit.asked.filter(({ path }) => path === '/oauth2/token')).toHaveLength(1)
    expect((await send({})).status).toBe(400)
  })
})

describe('is refused', () => {
  test('where the trial does not use the service, for other groups, without the feature, and after a withdrawal', async () => {
    const s = await wearableStudy({ fitbit: fitbitServer() })
    const send = async () => (await s.patient.call('POST', '/participants/connections/fitbit/sign-in', {})).status
    const group = (await s.owner.do('createGroup', s.trial, { name: 'Arm A' }))._id
    await s.owner.do('updateTrial', s.trial, { fitbitGroups: [group] })
    expect(await send()).toBe(403)
    await s.owner.do('addGroupMember', group, s.anna)
    expect(await send()).toBe(200)
    await s.owner.do('updateTrial', s.trial, { fitbitEnabled: false })
    expect(await send()).toBe(403)
    await s.owner.do('updateTrial', s.trial, { fitbitEnabled: true })
    await s.owner.do('updateTeam', s.team, { features: { wearables: false } })
    expect(await send()).toBe(403)
    expect((await s.owner.call('GET', `${s.about}/hardwareResponses`)).status).toBe(403)
    await s.owner.do('updateTeam', s.team, { features: { wearables: true } })
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
    expect(await send()).toBe(403)
  })

  test('after ten a minute, so that nobody uses up what the provider allows to all', async () => {
    const fitbit = fitbitServer()
    const s = await wearableStudy({ fitbit })
    for (const [url, body] of [
      ['/participants/connections/fitbit/sign-in', {}],
      ['/participants/connections/fitbit', { code: 'x' }],
    ] as const) {
      const answers: number[] = []
      for (let n = 0; n < 11; n++) answers.push((await s.patient.call('POST', url, body)).status)
      expect([answers.slice(0, 10).includes(429), answers[10]]).toEqual([false, 429])
    }
  })

  test('while the provider fails, with a sentence that says so, and can be tried again', async () => {
    const dexcom = dexcomServer()
    const s = await wearableStudy({ dexcom })
    dexcom.state.refuses = 'temporarily_unavailable'
    const failed = await s.connect('dexcom')
    expect([failed.status, failed.body.message]).toEqual([
      503,
      'Dexcom cannot be used at the moment. It gives no tokens (temporarily_unavailable). Try again later.',
    ])
    dexcom.state.refuses = undefined
    expect((await s.connect('dexcom')).status).toBe(200)
    dexcom.stop()
  })
})

describe('the end of a connection', () => {
  test('nothing more is read, the provider is told, and the tokens are gone', async () => {
    const fitbit = fitbitServer()
    const s = await wearableStudy({ fitbit })
    await s.connect('fitbit')
    await s.synced('fitbit')
    expect(await s.patient.do('disconnectWearable', 'fitbit')).toEqual({})
    expect((await s.patient.do('readOwnParticipant')).connectedServices).toEqual([])
    expect(await s.connection('fitbit')).toMatchObject({ status: 'disconnected', endedAt: s.now() })
    await s.ticked(() => s.row('fitbit')!.tokens === null)
    expect(fitbit.state.revoked).toEqual(['refresh-1'])
    expect((await s.patient.call('DELETE', '/participants/connections/fitbit')).status).toBe(404)
  })

  test('works while the provider cannot be reached, which is told later', async () => {
    const garmin = garminServer()
    const s = await wearableStudy({ garmin })
    await s.connectGarmin()
    await s.synced('garmin')
    garmin.instead.push(new Response('', { status: 503 }))
    await s.patient.do('disconnectWearable', 'garmin')
    await s.ticked(() => s.row('garmin')!.failures === 1)
    expect([garmin.state.ended, s.row('garmin')!.tokens === null]).toEqual([0, false])
    s.clock(HOUR)
    await s.ticked(() => s.row('garmin')!.tokens === null)
    expect(garmin.state.ended).toBe(1)
  })

  test('comes with an erasure: the data stays, the provider is told, and the report on the person has no token', async () => {
    const fitbit = fitbitServer()
    fitbit.data.steps['2026-03-08'] = 6000
    const s = await wearableStudy({ fitbit })
    await s.connect('fitbit')
    await s.synced('fitbit')
    await s.patient.do('beginWearableSignIn', 'fitbit', {})
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
    await s.owner.do('erasePersonalInformation', s.trial, s.anna, { reason: 'asked us by letter' })
    expect(await s.connection('fitbit')).toMatchObject({ status: 'disconnected' })
    expect((await s.records('daily')).map(({ values }) => values)).toEqual([{ steps: 6000, restingHeartRate: 60 }])
    await s.ticked(() => s.row('fitbit')!.tokens === null)
    expect(fitbit.state.revoked).toEqual(['refresh-1'])
    expect(s.db.$client.query('SELECT count(*) AS n FROM wearableSignIns').get()).toEqual({ n: 0 })
  })
})
