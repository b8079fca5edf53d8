/** Data of connected accounts is read again and again, without duplicates, and with patience. */
import { describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE, parseInstant } from '#kernel/time'
import { afterKill } from '../../harness'
import { present } from '../../present'
import { until } from '../../until'
import { dexcomServer, fitbitServer, garminServer } from './providers'
import { configured, wearableStudy } from './wearables.study'

const egv = (time: string, value: number, more = {}) => ({
  ...{ recordId: time, systemTime: `2026-03-${time}`, displayTime: `2026-03-${time}+00:00`, value, unit: 'mg/dL' },
  ...{ trend: 'flat', trendRate: 0.5, status: 'ok', ...more },
})

describe('Fitbit', () => {
  test('the days that have ended are read since the registration, sleeps and exercises with them', async () => {
    const fitbit = fitbitServer()
    Object.assign(fitbit.data.steps, { '2026-03-01': 1, '2026-03-02': 5000, '2026-03-08': 6000, '2026-03-09': 10 })
    fitbit.data.sleep.push({
      ...{
        logId: 42,
        dateOfSleep: '2026-03-08',
        startTime: '2026-03-07T23:00:00.000',
        endTime: '2026-03-08T07:00:00.000',
      },
      ...{ timeInBed: 480, minutesAsleep: 420, minutesAwake: 60, efficiency: 90, isMainSleep: true },
    })
    fitbit.data.activities.push({
      ...{ logId: 7, activityName: 'Walk with Eve', activityTypeId: 90013, startTime: '2026-03-08T10:00:00.000+01:00' },
      ...{ duration: 1_800_000, distance: 2, distanceUnit: 'Kilometer', calories: 100, steps: 2500 },
    })
    const s = await wearableStudy({ fitbit })
    await s.connect('fitbit')
    await s.synced('fitbit')
    expect((await s.records()).map(({ dataset, date, source, values }) => [dataset, date, source, values])).toEqual([
      [
        ...['activity', '2026-03-08', 'sync'],
        {
          ...{ start: '2026-03-08T10:00:00', end: '2026-03-08T10:30:00', utcOffset: 60, type: '90013', minutes: 30 },
          ...{ distance: 2000, energy: 100, steps: 2500 },
        },
      ],
      ['daily', '2026-03-02', 'sync', { steps: 5000, restingHeartRate: 60 }],
      ['daily', '2026-03-08', 'sync', { steps: 6000, restingHeartRate: 60 }],
      [
        ...['sleep', '2026-03-08', 'sync'],
        {
          ...{ start: '2026-03-07T23:00:00', end: '2026-03-08T07:00:00', minutesInBed: 480, minutesAsleep: 420 },
          ...{ minutesAwake: 60, efficiency: 90, isMain: true },
        },
      ],
      ['summary', '2026-03-02', 'sync', { cardioMinutes: 12 }],
      ['summary', '2026-03-08', 'sync', { cardioMinutes: 12 }],
    ])
    // Nothing but the data was asked for, and no address that an answer named.
    expect(new Set(fitbit.asked.map(({ path }) => path.replace(/\/date\/.*/, '')))).toEqual(
      new Set([
        '/oauth2/token',
        ...['heart', 'steps', 'distance', 'floors', 'calories', 'activityCalories', 'minutesSedentary'].map(
          (each) => `/1/user/-/activities/${each}`,
        ),
        ...['minutesLightlyActive', 'minutesFairlyActive', 'minutesVeryActive'].map(
          (each) => `/1/user/-/activities/${each}`,
        ),
        '/1.2/user/-/sleep',
        '/1/user/-/activities/list.json',
      ]),
    )
    const { entries } = await s.owner.do('readLogs', s.trial, { type: 'syncWearable', userType: 'system' })
    expect(entries).toMatchObject([{ participantId: 'P-1', event: { service: 'fitbit', added: 6, corrected: 0 } }])
  })

  test('repeated and overlapping readings store nothing twice; a late correction keeps the value before', async () => {
    const fitbit = fitbitServer(10 * 86_400)
    fitbit.data.steps['2026-03-08'] = 6000
    const s = await wearableStudy({ fitbit })
    await s.connect('fitbit')
    await s.synced('fitbit')
    const first = await s.records()
    s.clock(7 * HOUR)
    await s.synced('fitbit')
    expect(await s.records()).toEqual(first)
    fitbit.data.steps['2026-03-08'] = 6500
    s.clock(7 * HOUR)
    await s.synced('fitbit')
    const [day] = await s.records('daily')
    expect(day).toMatchObject({
      values: { steps: 6500 },
      replaced: [{ at: s.now(), source: 'sync', values: { steps: 6000, restingHeartRate: 60 } }],
    })
    const { entries } = await s.owner.do('readLogs', s.trial, { type: 'syncWearable', userType: 'system' })
    expect(entries.map(({ event }) => [event.added, event.corrected])).toEqual([
      [0, 1],
      [2, 0],
    ])
  })
})

test('Dexcom: readings of the last days are read in one window, and later ones are added to their day', async () => {
  const dexcom = dexcomServer(10 * 86_400)
  dexcom.data.records = [egv('08T10:00:00', 100), egv('09T11:00:00', 105), egv('09T11:05:00', 400, { status: 'high' })]
  const s = await wearableStudy({ dexcom })
  await s.connect('dexcom')
  await s.synced('dexcom')
  s.clock(4 * HOUR)
  dexcom.data.records.push(egv('09T13:00:00', 110))
  dexcom.data.records[1] = egv('09T11:00:00', 107)
  await s.synced('dexcom')
  const [eighth, ninth] = await s.records('egv')
  expect(present(eighth).readings).toEqual([
    { at: '2026-03-08T10:00:00', utcOffset: 0, mgPerDl: 100, trend: 'flat', rate: 0.5 },
  ])
  expect(present(ninth)).toMatchObject({
    readings: [
      { at: '2026-03-09T11:00:00', mgPerDl: 107 },
      { at: '2026-03-09T11:05:00', mgPerDl: 400, status: 'high' },
      { at: '2026-03-09T13:00:00', mgPerDl: 110 },
    ],
    replaced: [{ readings: [{ at: '2026-03-09T11:00:00', mgPerDl: 105 }] }],
  })
})

test('Garmin: what devices uploaded is read in windows of a day; a day that is sent again is corrected', async () => {
  const garmin = garminServer()
  const at = (text: string) => parseInstant(text)! / 1e6
  const day = (steps: number, uploadedAt: string) => ({
    ...{ summaryId: `d${steps}`, calendarDate: '2026-03-07', steps, distanceInMeters: 900.5, floorsClimbed: 3 },
    ...{ activeKilocalories: 300, bmrKilocalories: 1500, averageStressLevel: -1, maxHeartRateInBeatsPerMinute: 150 },
    uploadedAt: at(uploadedAt),
  })
  garmin.data.dailies.push(day(100, '2026-03-07T20:00:00Z'), day(180, '2026-03-08T20:00:00Z'))
  garmin.data.sleeps.push({
    ...{ summaryId: 's', calendarDate: '2026-03-08', startTimeInSeconds: at('2026-03-07T22:00:00Z') },
    ...{ startTimeOffsetInSeconds: 3600, durationInSeconds: 28_800, deepSleepDurationInSeconds: 3600 },
    ...{ lightSleepDurationInSeconds: 18_000, remSleepInSeconds: 5400, awakeDurationInSeconds: 1800 },
    uploadedAt: at('2026-03-08T20:00:00Z'),
  })
  const s = await wearableStudy({ garmin })
  await s.connectGarmin()
  await s.ticked(() => Number(s.row('garmin')!.cursor) === parseInstant(s.now()))
  expect(garmin.state.wrong).toEqual([])
  expect(await s.records('daily')).toMatchObject([
    {
      values: { steps: 180, distance: 900.5, floors: 3, energy: 1800, activeEnergy: 300 },
      replaced: [{ values: { steps: 100 } }],
    },
  ])
  expect((await s.records('summary')).map(({ values }) => values)).toEqual([{ maxHeartRate: 150 }])
  expect((await s.records('sleep')).map(({ values }) => values)).toEqual([
    {
      ...{ start: '2026-03-07T23:00:00', end: '2026-03-08T07:00:00', utcOffset: 60, minutesInBed: 480 },
      ...{ minutesAsleep: 450, minutesAwake: 30, deepMinutes: 60, lightMinutes: 300, remMinutes: 90, isMain: true },
    },
  ])
})

test('Garmin: an upload that is offered later than it came is read', async () => {
  const garmin = garminServer()
  const s = await wearableStudy({ garmin })
  await s.connectGarmin()
  await s.ticked(() => Number(s.row('garmin')!.cursor) === parseInstant(s.now()))
  const uploadedAt = parseInstant(s.now())! / 1e6 - 600
  garmin.data.dailies.push({ summaryId: 'd', calendarDate: '2026-03-09', steps: 7, uploadedAt })
  s.clock(7 * HOUR)
  await s.ticked(() => Number(s.row('garmin')!.cursor) === parseInstant(s.now()))
  expect((await s.records('daily')).map(({ values }) => values)).toEqual([{ steps: 7 }])
})

describe('impossible values do not stand in the way of the others', () => {
  test('of Fitbit', async () => {
    const fitbit = fitbitServer()
    const good = { logId: 1, startTime: '2026-03-08T10:00:00.000+01:00', duration: 60_000, steps: 5 }
    fitbit.data.activities.push(
      { ...good, startTime: '2026-99-99T99:99:99.000+01:00' },
      { ...good, logId: 2, duration: 1e300 },
      { ...good, logId: '\ud83d'.repeat(200), startTime: '2026-03-08T11:00:00.000+99:99' },
      good,
    )
    fitbit.data.sleep.push({
      logId: 3,
      dateOfSleep: '2026-03-08',
      startTime: '2026-03-07T23:00:00',
      isMainSleep: 'yes',
    })
    const s = await wearableStudy({ fitbit })
    await s.connect('fitbit')
    await s.synced('fitbit')
    expect((await s.connection('fitbit')).problem).toBeNull()
    expect((await s.records()).map(({ dataset, values }) => [dataset, values])).toEqual([
      ['activity', { start: '2026-03-08T10:00:00', utcOffset: 60, steps: 5 }],
      ['activity', { start: '2026-03-08T10:00:00', end: '2026-03-08T10:01:00', utcOffset: 60, minutes: 1, steps: 5 }],
      ['sleep', { start: '2026-03-07T23:00:00' }],
    ])
  })

  test('of Garmin', async () => {
    const garmin = garminServer()
    const s = await wearableStudy({ garmin })
    const seconds = parseInstant(s.now())! / 1e6
    const good = { activityId: 1, startTimeInSeconds: seconds - 7200, steps: 5, uploadedAt: seconds - 600 }
    garmin.data.activities.push({ ...good, activityId: 2, startTimeOffsetInSeconds: 1e300 }, good)
    await s.connectGarmin()
    await s.ticked(() => Number(s.row('garmin')!.cursor) === parseInstant(s.now()))
    expect([(await s.records()).map(({ values }) => values.steps), s.row('garmin')!.failures]).toEqual([[5], 0])
  })
})

describe('tokens', () => {
  test('that have expired are renewed once, and so are those that the provider no longer accepts', async () => {
    const fitbit = fitbitServer()
    const s = await wearableStudy({ fitbit })
    await s.connect('fitbit')
    await s.synced('fitbit')
    s.clock(9 * HOUR)
    await Promise.all([s.synced('fitbit'), s.service.services.tick(), s.service.services.tick()])
    expect([fitbit.state.refreshes, s.row('fitbit')!.problem]).toEqual([1, null])
    fitbit.state.valid = { ...present(fitbit.state.valid), access: 'ended early' }
    s.clock(7 * HOUR)
    await s.synced('fitbit')
    expect([fitbit.state.refreshes, s.row('fitbit')!.problem]).toEqual([2, null])
  })

  test('that were renewed when the server was killed are renewed from the same one, which the provider answers alike', async () => {
    const fitbit = fitbitServer()
    fitbit.data.steps['2026-03-08'] = 6000
    const s = await wearableStudy({ fitbit })
    await s.connect('fitbit')
    await s.synced('fitbit')
    s.clock(9 * HOUR)
    // The copy is from before the renewal; the provider repeats its answer to the same request for two minutes.
    const killed = afterKill(s, { wearables: configured({ fitbit }) })
    await s.synced('fitbit')
    expect(fitbit.state.refreshes).toBe(1)
    const before = present(fitbit.state.valid)
    fitbit.state.valid = { ...before, refresh: 'refresh-1' }
    await until(async () => {
      await killed.services.tick()
      const row = killed.services.db.$client
        .query<{ syncedAt: number; status: string }, []>('SELECT syncedAt, status FROM wearableConnections')
        .get()!
      return row.status === 'connected' && row.syncedAt === parseInstant(s.now())
    })
    expect(fitbit.state.refreshes).toBe(2)
  })

  test('that the participant has taken back end the connection, which everybody sees; connecting again goes on', async () => {
    const fitbit = fitbitServer()
    const s = await wearableStudy({ fitbit })
    await s.connect('fitbit')
    await s.synced('fitbit')
    fitbit.state.valid = undefined
    s.clock(7 * HOUR)
    await s.synced('fitbit')
    const revoked = { status: 'revoked', endedAt: s.now(), problem: 'It does not accept this sign-in any more.' }
    expect(await s.connection('fitbit')).toMatchObject(revoked)
    expect((await s.patient.do('readOwnParticipant')).connectedServices).toMatchObject([revoked])
    expect(s.row('fitbit')).toMatchObject({ tokens: null, dueAt: null })
    const { entries } = await s.owner.do('readLogs', s.trial, { type: 'wearableRevoked', userType: 'system' })
    expect(entries).toMatchObject([{ participantId: 'P-1', event: { service: 'fitbit' } }])
    expect((await s.connect('fitbit')).body).toMatchObject({ status: 'connected', endedAt: null, problem: null })
    await s.synced('fitbit')
    expect(s.row('fitbit')).toMatchObject({ failures: 0, status: 'connected' })
  })

  test('of a connection that ended while they were renewed are ended, too', async () => {
    const fitbit = fitbitServer()
    const s = await wearableStudy({ fitbit })
    await s.connect('fitbit')
    await s.synced('fitbit')
    s.clock(9 * HOUR)
    const { promise, resolve } = Promise.withResolvers<void>()
    fitbit.state.gate = promise
    const asked = fitbit.asked.length
    await s.service.services.tick()
    await until(() => fitbit.asked.length > asked)
    await s.patient.do('disconnectWearable', 'fitbit')
    fitbit.state.gate = undefined
    resolve()
    await s.ticked(() => s.row('fitbit')!.tokens === null)
    expect(fitbit.state.revoked).toEqual(['refresh-2', 'refresh-1'])
    expect(s.row('fitbit')).toMatchObject({ status: 'disconnected', dueAt: null })
  })
})

describe('a provider that fails', () => {
  test('is asked again after a pause that doubles; the connection says why; then it goes on where it was', async () => {
    const dexcom = dexcomServer(10 * 86_400)
    dexcom.data.records = [egv('08T10:00:00', 100)]
    const s = await wearableStudy({ dexcom })
    dexcom.instead.push(...[500, 502, 503].map((status) => new Response('', { status })))
    await s.connect('dexcom')
    const pauses = []
    for (let failures = 1; failures <= 3; failures++) {
      await s.synced('dexcom')
      const row = s.row('dexcom')!
      pauses.push((Number(row.dueAt) - parseInstant(s.now())!) / MINUTE)
      s.clock(Number(row.dueAt) - parseInstant(s.now())!)
    }
    expect(pauses).toEqual([1, 2, 4])
    expect((await s.connection('dexcom')).problem).toBe('It answered 503.')
    await s.synced('dexcom')
    expect([(await s.records('egv')).length, (await s.connection('dexcom')).problem]).toEqual([1, null])
  })

  test.each([
    ['Retry-After in seconds', { 'Retry-After': '1800' }, 30],
    ['Retry-After as a date', { 'Retry-After': 'Mon, 09 Mar 2026 12:45:00 GMT' }, 45],
    ['the end of the hour of Fitbit', { 'Fitbit-Rate-Limit-Reset': '2700' }, 45],
    ['nothing', {}, 1],
  ])('and limits requests is left alone as long as it asks: %s', async (_, headers, minutes) => {
    const fitbit = fitbitServer()
    const s = await wearableStudy({ fitbit })
    fitbit.instead.push(new Response('', { status: 429, headers: headers as Record<string, string> }))
    await s.connect('fitbit')
    await s.synced('fitbit')
    const row = s.row('fitbit')!
    expect((Number(row.dueAt) - parseInstant(s.now())!) / MINUTE).toBe(minutes)
    expect(row.problem).toBe('It allows no more requests for now.')
    const asked = fitbit.asked.length
    s.clock((minutes - 1) * MINUTE)
    await s.service.services.tick()
    expect(fitbit.asked.length).toBe(asked)
  })

  test.each([
    ['fitbit', fitbitServer],
    ['dexcom', dexcomServer],
  ] as const)('and asks for a pause of years is asked again after a day: %s', async (service, serverOf) => {
    const server = serverOf(10 * 86_400)
    const s = await wearableStudy({ [service]: server })
    server.instead.push(new Response('', { status: 429, headers: { 'Retry-After': '999999999' } }))
    await s.connect(service)
    await s.synced(service)
    expect(Number(s.row(service)!.dueAt) - parseInstant(s.now())!).toBe(DAY)
    s.clock(DAY)
    await s.synced(service)
    expect(s.row(service)).toMatchObject({ failures: 0, problem: null })
  })

  test('and sends more readings of a day than a sensor makes says so on the connection', async () => {
    const dexcom = dexcomServer()
    const time = (n: number) => new Date(Date.UTC(2026, 2, 8) + n * 20_000).toISOString().slice(8, 19)
    dexcom.data.records = Array.from({ length: 3001 }, (_, n) => egv(time(n), 100))
    const s = await wearableStudy({ dexcom })
    await s.connect('dexcom')
    await s.synced('dexcom')
    expect((await s.connection('dexcom')).problem).toBe(
      'The day 2026-03-08 would have more than 3000 glucose readings.',
    )
    expect(s.row('dexcom')).toMatchObject({ failures: 1, status: 'connected' })
  })

  test('and limits the requests of all accounts is asked for none of them', async () => {
    const dexcom = dexcomServer()
    const s = await wearableStudy({ dexcom })
    const bert = await s.signIn('P-2')
    dexcom.instead.push(new Response('', { status: 429, headers: { 'Retry-After': '600' } }))
    await s.connect('dexcom')
    await s.synced('dexcom')
    const asked = dexcom.asked.length
    await s.connect('dexcom', bert)
    await s.service.services.tick()
    await Bun.sleep(20)
    expect(dexcom.asked.slice(asked).map(({ path }) => path)).toEqual(['/v2/oauth2/token'])
  })

  test.each<[string, () => Response | Promise<Response>, string]>([
    ['is silent', () => new Promise<Response>(() => {}), 'It did not answer in time.'],
    ['sends without end', () => new Response('x'.repeat(2 << 20)), 'It sent more than 1 MB.'],
    ['sends no JSON', () => new Response('<html>'), 'It sent something that is not JSON.'],
    [
      'redirects',
      () => new Response('', { status: 302, headers: { Location: 'http://127.0.0.1:1/evil' } }),
      'It answered 302.',
    ],
  ])('as it %s: other requests are answered meanwhile, and nothing is stored', async (_, answer, problem) => {
    const fitbit = fitbitServer()
    // A short limit where it is met; where it is not, a long one for a busy machine.
    const s = await wearableStudy(
      { fitbit },
      { timeLimit: problem.includes('in time') ? 300 : 30_000, sizeLimit: 1 << 20 },
    )
    fitbit.instead.push(async () => answer())
    await s.connect('fitbit')
    await s.service.services.tick()
    expect((await s.owner.do('readTrial', s.trial))._id).toBe(s.trial)
    await s.ticked(() => s.row('fitbit')!.failures === 1)
    expect([(await s.connection('fitbit')).problem, await s.records()]).toEqual([problem, []])
  })
})

describe('nothing is read', () => {
  const cases: [string, (s: Awaited<ReturnType<typeof wearableStudy>>) => Promise<unknown>][] = [
    ['the database is locked', (s) => lock(s, true)],
    ['the participant has withdrawn', (s) => s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })],
    ['the participant is archived', (s) => s.owner.do('updateParticipant', s.trial, s.anna, { isArchived: true })],
    ['the trial does not use the service', (s) => s.owner.do('updateTrial', s.trial, { fitbitEnabled: false })],
    ['the team has no wearables', (s) => s.owner.do('updateTeam', s.team, { features: { wearables: false } })],
  ]
  const lock = async (s: Awaited<ReturnType<typeof wearableStudy>>, isDatabaseLocked: boolean) => {
    s.db.$client.query('UPDATE trials SET isDatabaseLocked = ? WHERE _id = ?').run(Number(isDatabaseLocked), s.trial)
  }
  test.each(cases)('while %s', async (_, change) => {
    const fitbit = fitbitServer()
    fitbit.data.steps['2026-03-08'] = 6000
    const s = await wearableStudy({ fitbit })
    await s.connect('fitbit')
    await change(s)
    const asked = fitbit.asked.length
    await s.ticked(() => Number(s.row('fitbit')!.dueAt) > parseInstant(s.now())!)
    expect([fitbit.asked.length, s.db.$client.query('SELECT count(*) AS n FROM hardwareRecords').get()]).toEqual([
      asked,
      { n: 0 },
    ])
  })

  test('of a lock; what came meanwhile is read after it', async () => {
    const fitbit = fitbitServer(10 * 86_400)
    fitbit.data.steps['2026-03-08'] = 6000
    const s = await wearableStudy({ fitbit })
    await s.connect('fitbit')
    await lock(s, true)
    await s.ticked(() => Number(s.row('fitbit')!.dueAt) > parseInstant(s.now())!)
    s.clock(DAY)
    await lock(s, false)
    await s.synced('fitbit')
    expect((await s.records('daily')).map(({ date }) => date)).toEqual(['2026-03-08'])
  })
})
