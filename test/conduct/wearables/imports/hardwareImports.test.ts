/** Imports of the files that providers of wearables export. */
import { describe, expect, test } from 'bun:test'
import { problemsIn } from '#cli/checks'
import { MINUTE } from '#kernel/time'
import { world } from '../../../harness'
import { proof } from '../../../proof'
import { clarity, healthDatabase, importing, zipOf } from './files'

const stored = {
  service: 'dexcom' as const,
  dataset: 'egv' as const,
  source: 'import' as const,
  values: {},
  replaced: [],
}

describe('Dexcom Clarity', () => {
  test('glucose readings are stored by day; the name in the file is not', async () => {
    const s = await importing()
    const file = clarity([
      ['2026-02-01T23:58:10', '120'],
      ['2026-02-02T00:03:10', 'High'],
      ['2026-02-02 0:08:10', '399'],
    ])
    const { status, body } = await s.bring('dexcom', file, 'clarity.csv')
    expect([status, body]).toEqual([
      200,
      {
        ...{ added: 2, extended: 0, corrected: 0, unchanged: 0, from: '2026-02-01', to: '2026-02-02' },
        unread: ['1 events that are no glucose readings, such as insulin and alerts.'],
      },
    ])
    expect(await s.records()).toEqual([
      { ...stored, date: '2026-02-01', readings: [{ at: '2026-02-01T23:58:10', mgPerDl: 120 }] },
      {
        ...stored,
        date: '2026-02-02',
        readings: [
          { at: '2026-02-02T00:03:10', status: 'high' },
          { at: '2026-02-02T00:08:10', mgPerDl: 399 },
        ],
      },
    ])
    const rows = JSON.stringify(s.db.$client.query('SELECT * FROM hardwareRecords').all())
    expect(rows).not.toMatch(/Sesame|Secret/)
  })

  test('the same file twice changes nothing, a longer one adds, and a corrected value keeps the one before', async () => {
    const s = await importing()
    const first: [string, string][] = [['2026-02-01T10:00:00', '100']]
    await s.bring('dexcom', clarity(first), 'a.csv')
    s.clock(MINUTE)
    expect((await s.bring('dexcom', clarity(first), 'a.csv')).body).toMatchObject({ added: 0, unchanged: 1 })
    const more: [string, string][] = [...first, ['2026-02-01T10:05:00', '105']]
    expect((await s.bring('dexcom', clarity(more), 'a.csv')).body).toMatchObject({ extended: 1, corrected: 0 })
    expect((await s.records())[0]).toMatchObject({ replaced: [], readings: [{ mgPerDl: 100 }, { mgPerDl: 105 }] })
    const corrected = await s.bring('dexcom', clarity([['2026-02-01T10:00:00', '140']]), 'a.csv')
    expect(corrected.body).toMatchObject({ extended: 0, corrected: 1 })
    const [day] = await s.records()
    expect(day).toMatchObject({
      readings: [
        { at: '2026-02-01T10:00:00', mgPerDl: 140 },
        { at: '2026-02-01T10:05:00', mgPerDl: 105 },
      ],
      replaced: [
        { at: s.now(), source: 'import', values: {}, readings: [{ at: '2026-02-01T10:00:00', mgPerDl: 100 }] },
      ],
    })
  })

  test('mmol/l stays mmol/l', async () => {
    const s = await importing()
    await s.bring('dexcom', clarity([['2026-02-01T10:00:00', '5.6']], 'mmol/L'), 'a.csv')
    expect((await s.records())[0]!.readings).toEqual([{ at: '2026-02-01T10:00:00', mmolPerL: 5.6 }])
  })
})

const list = (...rows: object[]) => JSON.stringify(rows)

test('Fitbit: minutes are summed by the days of the wearer, sleeps and exercises have their stages and units', async () => {
  const s = await importing()
  await s.owner.do('updateTrial', s.trial, { timezone: 'Europe/Berlin' })
  const folder = 'Takeout/Fitbit/Global Export Data'
  const { body } = await s.bring(
    'fitbit',
    zipOf({
      // 23:30 UTC is half past midnight in Berlin.
      [`${folder}/steps-2026-02-01.json`]: list(
        { dateTime: '02/01/26 10:00:00', value: '40' },
        { dateTime: '02/01/26 23:30:00', value: '7' },
      ),
      [`${folder}/distance-2026-02-01.json`]: list({ dateTime: '02/01/26 10:00:00', value: '2550' }),
      [`${folder}/sedentary_minutes-2026-02-01.json`]: list({ dateTime: '02/01/26 00:00:00', value: '600' }),
      [`${folder}/resting_heart_rate-2026-02-01.json`]: list({
        dateTime: '02/01/26 00:00:00',
        value: { date: '02/01/26', value: 61.5, error: 6 },
      }),
      [`${folder}/heart_rate-2026-02-01.json`]: 'not read',
      [`${folder}/sleep-2026-02-01.json`]: list({
        logId: 42,
        dateOfSleep: '2026-02-01',
        startTime: '2026-01-31T23:10:30.000',
        endTime: '2026-02-01T07:10:30.000',
        timeInBed: 480,
        minutesAsleep: 430,
        minutesAwake: 50,
        efficiency: 93,
        mainSleep: true,
        levels: { summary: { deep: { minutes: 80 }, light: { minutes: 250 }, rem: { minutes: 100 } } },
      }),
      [`${folder}/exercise-0.json`]: list({
        ...{ logId: 7, activityName: 'Run with Anna', activityTypeId: 90009, startTime: '02/01/26 08:00:00' },
        ...{
          duration: 1_800_000,
          distance: 3,
          distanceUnit: 'Mile',
          calories: 300,
          averageHeartRate: 140,
          steps: 4000,
        },
      }),
    }),
  )
  expect(body).toMatchObject({ added: 4, unread: ['1 file with the heart rate of every few seconds.'] })
  const of = { service: 'fitbit' as const, source: 'import' as const, replaced: [] }
  expect(await s.records()).toEqual([
    {
      ...{ ...of, dataset: 'activity', date: '2026-02-01' },
      values: {
        ...{ start: '2026-02-01T09:00:00', end: '2026-02-01T09:30:00', utcOffset: 60, type: '90009', minutes: 30 },
        ...{ distance: 4828.032, energy: 300, steps: 4000, averageHeartRate: 140 },
      },
    },
    {
      ...{ ...of, dataset: 'daily', date: '2026-02-01' },
      values: { steps: 40, distance: 25.5, sedentaryMinutes: 600, restingHeartRate: 61.5 },
    },
    { ...{ ...of, dataset: 'daily', date: '2026-02-02' }, values: { steps: 7 } },
    {
      ...{ ...of, dataset: 'sleep', date: '2026-02-01' },
      values: {
        ...{ start: '2026-01-31T23:10:30', end: '2026-02-01T07:10:30', minutesInBed: 480, minutesAsleep: 430 },
        ...{ minutesAwake: 50, deepMinutes: 80, lightMinutes: 250, remMinutes: 100, efficiency: 93, isMain: true },
      },
    },
  ])
  expect(JSON.stringify(s.db.$client.query('SELECT * FROM hardwareRecords').all())).not.toContain('Anna')
})

test('Fitbit: the csv of its pages', async () => {
  const s = await importing()
  const csv = [
    'Activities',
    'Date,Calories Burned,Steps,Distance,Floors,Minutes Sedentary,Minutes Lightly Active,Minutes Fairly Active,Minutes Very Active,Activity Calories',
    '"2026-02-01","2,310","11,204","8.1","9","650","220","18","40","1,050"',
    '',
    'Sleep',
    'Start Time,End Time,Minutes Asleep',
    '"2026-02-01 11:12PM","2026-02-02 7:11AM","420"',
  ].join('\n')
  const { body } = await s.bring('fitbit', csv, 'fitbit_export.csv')
  expect(body.unread).toEqual(['The distances, whose unit the file does not say.', 'The table “Sleep”.'])
  expect((await s.records('daily')).map(({ values }) => values)).toEqual([
    {
      ...{ steps: 11204, floors: 9, energy: 2310, activeEnergy: 1050, sedentaryMinutes: 650, lightMinutes: 220 },
      ...{ moderateMinutes: 18, vigorousMinutes: 40 },
    },
  ])
})

test('Garmin: days, sleeps and exercises of the archive; recordings of devices are named as not read', async () => {
  const s = await importing()
  await s.owner.do('updateTrial', s.trial, { timezone: 'Europe/Berlin' })
  const { body } = await s.bring(
    'garmin',
    zipOf({
      'DI_CONNECT/DI-Connect-Aggregator/UDSFile_2026-02-01_2026-05-12.json': list({
        ...{
          calendarDate: { date: '2026-02-01' },
          totalSteps: 9000,
          totalDistanceMeters: 7100,
          totalKilocalories: 2200,
        },
        ...{ restingHeartRate: 52, minHeartRate: 45, maxHeartRate: 160, moderateIntensityMinutes: 20 },
        allDayStress: { aggregatorList: [{ type: 'TOTAL', averageStressLevel: 30, maxStressLevel: 88 }] },
      }),
      'DI_CONNECT/DI-Connect-Wellness/2026-02-01_2026-05-12_1_sleepData.json': list(
        {
          ...{ calendarDate: '2026-02-02', sleepStartTimestampGMT: '2026-02-01T22:00:00.0' },
          ...{ sleepEndTimestampGMT: '2026-02-02T06:00:00.0', deepSleepSeconds: 3600, lightSleepSeconds: 18_000 },
          ...{ remSleepSeconds: 6000, awakeSleepSeconds: 1200 },
        },
        { calendarDate: '2026-02-03' },
      ),
      'DI_CONNECT/DI-Connect-Fitness/a_0_summarizedActivities.json': list({
        summarizedActivitiesExport: [
          {
            ...{ activityId: 111, name: 'Home', activityType: 'running', beginTimestamp: 1_770_022_800_000 },
            ...{ startTimeLocal: 1_770_026_400_000, duration: 1_800_000, distance: 500_000, avgHr: 140, calories: 900 },
          },
        ],
      }),
      'DI_CONNECT/DI-Connect-Uploaded-Files/UploadedFiles_0-_Part1.zip': 'x',
    }),
  )
  expect(body).toMatchObject({ added: 4, unread: ['1 file with recordings of devices.'] })
  expect((await s.records()).map(({ dataset, date, values }) => ({ dataset, date, values }))).toEqual([
    {
      ...{ dataset: 'activity', date: '2026-02-02' },
      values: {
        ...{ start: '2026-02-02T10:00:00', end: '2026-02-02T10:30:00', utcOffset: 60, type: 'running', minutes: 30 },
        ...{ distance: 5000, averageHeartRate: 140 },
      },
    },
    {
      ...{ dataset: 'daily', date: '2026-02-01' },
      values: { steps: 9000, distance: 7100, energy: 2200, moderateMinutes: 20, restingHeartRate: 52 },
    },
    {
      ...{ dataset: 'sleep', date: '2026-02-02' },
      values: {
        ...{ start: '2026-02-01T23:00:00', end: '2026-02-02T07:00:00', utcOffset: 60, minutesInBed: 480 },
        ...{ minutesAsleep: 460, minutesAwake: 20, deepMinutes: 60, lightMinutes: 300, remMinutes: 100, isMain: true },
      },
    },
    {
      ...{ dataset: 'summary', date: '2026-02-01' },
      values: { minHeartRate: 45, maxHeartRate: 160, averageStress: 30, maxStress: 88 },
    },
  ])
})

const record = (type: string, source: string, from: string, to: string, value: string, unit = 'count') =>
  ` <Record type="${type}" sourceName="${source}" unit="${unit}" creationDate="${to}" startDate="${from}" endDate="${to}" value="${value}"/>\n`
const steps = (source: string, time: string, value: number) =>
  record(
    'HKQuantityTypeIdentifierStepCount',
    source,
    `2026-02-01 ${time} +0100`,
    `2026-02-01 ${time} +0100`,
    `${value}`,
  )
const sleep = (source: string, from: string, to: string, value: string) =>
  record('HKCategoryTypeIdentifierSleepAnalysis', source, from, to, `HKCategoryValueSleepAnalysis${value}`)
const apple = (...elements: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE HealthData [\n<!ELEMENT HealthData (Record)>\n]>\n<HealthData locale="de_DE">\n <Me HKCharacteristicTypeIdentifierDateOfBirth="1977-07-17"/>\n${elements.join('')}</HealthData>\n`

describe('Apple Health', () => {
  test('a day has the steps of the source that counted most, and a night the sleep of the one that saw most', async () => {
    const s = await importing()
    const file = apple(
      steps('Anna’s iPhone', '08:00:00', 100),
      steps('Anna’s iPhone', '09:00:00', 60),
      steps('Watch &amp; co', '08:00:00', 150),
      steps('Watch &amp; co', '09:00:00', 70),
      sleep('iPhone', '2026-01-31 22:00:00 +0100', '2026-02-01 06:00:00 +0100', 'InBed'),
      sleep('Watch', '2026-01-31 23:00:00 +0100', '2026-02-01 01:00:00 +0100', 'AsleepCore'),
      sleep('Watch', '2026-02-01 01:00:00 +0100', '2026-02-01 02:00:00 +0100', 'AsleepDeep'),
      sleep('Watch', '2026-02-01 02:00:00 +0100', '2026-02-01 02:10:00 +0100', 'Awake'),
      sleep('Watch', '2026-02-01 02:10:00 +0100', '2026-02-01 05:10:00 +0100', 'AsleepREM'),
      record(
        'HKQuantityTypeIdentifierHeartRate',
        'Watch',
        '2026-02-01 05:10:00 +0100',
        '2026-02-01 05:10:00 +0100',
        '60',
      ),
      record(
        'HKQuantityTypeIdentifierBloodGlucose',
        'CGM',
        '2026-02-01 05:10:00 +0100',
        '2026-02-01 05:10:00 +0100',
        '5.5',
        'mmol&lt;180.1558800000541&gt;/L',
      ),
      ` <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="0.5" durationUnit="hr" sourceName="Watch" startDate="2026-02-01 10:00:00 +0100" endDate="2026-02-01 10:30:00 +0100">\n  <MetadataEntry key="x" value="y"/>\n </Workout>\n`,
    )
    const { body } = await s.bring('appleHealth', zipOf({ 'apple_health_export/export.xml': file, 'a/cda.xml': 'x' }))
    expect(body).toMatchObject({
      added: 4,
      unread: ['1 entries of other kinds, such as single heart rates.', '1 file with other content.'],
    })
    expect((await s.records()).map(({ dataset, values, readings }) => [dataset, readings ?? values])).toEqual([
      [
        'activity',
        { start: '2026-02-01T10:00:00', end: '2026-02-01T10:30:00', utcOffset: 60, type: 'Running', minutes: 30 },
      ],
      ['daily', { steps: 220 }],
      ['egv', [{ at: '2026-02-01T05:10:00', utcOffset: 60, mmolPerL: 5.5 }]],
      [
        'sleep',
        {
          ...{ start: '2026-01-31T23:00:00', end: '2026-02-01T05:10:00', utcOffset: 60, minutesInBed: 370 },
          ...{ minutesAsleep: 360, minutesAwake: 10, deepMinutes: 60, lightMinutes: 120, remMinutes: 180 },
        },
      ],
    ])
  })

  test('the file alone, without an archive, is read too, wherever its pieces end', async () => {
    const s = await importing()
    const many = Array.from({ length: 4000 }, (_, n) => steps(`Source ${n % 7}`.padEnd(100, '.'), '08:00:00', 1))
    const { body } = await s.bring('appleHealth', apple(...many), 'export.xml')
    expect([body.added, (await s.records())[0]!.values]).toEqual([1, { steps: Math.ceil(4000 / 7) }])
  })
})

test('Health Connect: of several apps a day has the steps of the one with the most; sleeps have their stages', async () => {
  const s = await importing()
  const at = (text: string) => Date.parse(text)
  const db = healthDatabase(
    `INSERT INTO steps_record_table (app_info_id, start_time, end_time, start_zone_offset, count) VALUES
       (1, ${at('2026-01-31T23:30:00Z')}, 0, 3600, 50), (1, ${at('2026-02-01T09:00:00Z')}, 0, 3600, 60), (2, ${at('2026-02-01T09:00:00Z')}, 0, 3600, 70)`,
    `INSERT INTO sleep_session_record_table VALUES (5, 1, ${at('2026-01-31T22:00:00Z')}, ${at('2026-02-01T05:00:00Z')}, 3600, 3600, 'private', 'private')`,
    `INSERT INTO sleep_stages_table VALUES (5, ${at('2026-01-31T22:00:00Z')}, ${at('2026-02-01T04:00:00Z')}, 4), (5, ${at('2026-02-01T04:00:00Z')}, ${at('2026-02-01T05:00:00Z')}, 1)`,
    `INSERT INTO exercise_session_record_table VALUES (1, 1, ${at('2026-02-01T09:00:00Z')}, ${at('2026-02-01T09:45:00Z')}, 3600, 53)`,
    'CREATE VIEW distance_record_table AS SELECT 1 AS start_time, 0 AS start_zone_offset, 1 AS distance, 1 AS app_info_id',
  )
  const { body } = await s.bring('healthConnect', zipOf({ 'health_connect_export.db': db }))
  expect(body).toMatchObject({
    added: 3,
    unread: ['1 tables of other kinds, such as single heart rates and weights.'],
  })
  expect((await s.records()).map(({ dataset, values }) => [dataset, values])).toEqual([
    ['activity', { start: '2026-02-01T10:00:00', end: '2026-02-01T10:45:00', utcOffset: 60, type: '53', minutes: 45 }],
    ['daily', { steps: 110 }],
    [
      'sleep',
      {
        ...{ start: '2026-01-31T23:00:00', end: '2026-02-01T06:00:00', utcOffset: 60, minutesInBed: 420 },
        ...{ minutesAsleep: 360, minutesAwake: 60, deepMinutes: 0, lightMinutes: 360, remMinutes: 0 },
      },
    ],
  ])
})

test('an archive that is sent in parts is stored as if it had been sent at once', async () => {
  const s = await importing()
  const part = (kind: string, value: string) =>
    zipOf({ [`${kind}-2026-02-01.json`]: list({ dateTime: '02/01/26 10:00:00', value }) })
  await s.bring('fitbit', part('steps', '40'))
  expect((await s.bring('fitbit', part('calories', '12'))).body).toMatchObject({ added: 0, corrected: 1 })
  await s.bring('fitbit', part('steps', '50'))
  const [day] = await s.records()
  expect(day).toMatchObject({
    values: { steps: 50, energy: 12 },
    replaced: [{ values: { steps: 40 } }, { values: { steps: 40, energy: 12 } }],
  })
})

describe('an entry with an impossible time or value is counted and not stored; all others are', () => {
  const good = { logId: 1, startTime: '02/01/26 08:00:00', duration: 60_000, steps: 5 }
  const at = (text: string) => Date.parse(text)
  const glucose = (time: string, value: string) =>
    record('HKQuantityTypeIdentifierBloodGlucose', 'x', time, time, value, 'mg/dL')
  const walk = (time: string, more = '') =>
    ` <Workout workoutActivityType="HKWorkoutActivityTypeWalking" duration="30" durationUnit="min"${more} startDate="${time}" endDate="${time}"/>\n`
  test.each<[string, string | Uint8Array, string, number, string]>([
    [
      'fitbit',
      zipOf({
        'exercise-0.json': list(
          good,
          { ...good, logId: 2, startTime: '13/45/26 08:00:00' },
          { ...good, logId: '\ud83d'.repeat(200), duration: 1e300 },
          { ...good, logId: 3, duration: -5 },
        ),
        'steps-2026-02-01.json': list({ dateTime: '02/01/26 10:00:00', value: '1,5' }),
      }),
      'a.zip',
      3,
      '2 entries without a possible time or value.',
    ],
    [
      'garmin',
      zipOf({
        'x_summarizedActivities.json': list({
          summarizedActivitiesExport: [
            { activityId: 1, beginTimestamp: 1_770_022_800_000, duration: 1e300, steps: 1 },
            { activityId: 2, beginTimestamp: 1_770_022_800_000, startTimeLocal: 1, steps: 1 },
          ],
        }),
      }),
      'a.zip',
      1,
      '1 entry without a possible time or value.',
    ],
    [
      'dexcom',
      clarity(
        [
          ['2026-02-01T10:00:00', '5.6'],
          ['2026-02-01T10:05:00', '5,6'],
          ['2026-02-01T10:10:00', '"5,6"'],
          ['2026-02-31T10:00:00', '5.6'],
        ],
        'mmol/L',
      ),
      'a.csv',
      1,
      '3 readings without a time or a value.',
    ],
    [
      'appleHealth',
      apple(
        record('HKQuantityTypeIdentifierStepCount', 'x', 'not a day, not a time', '', '5'),
        glucose('2026-02-01 05:10:00 +9900', '90'),
        glucose('2026-02-01 05:10:00 +0100', '90'),
        walk(`2026-02-01 05:10:00.${'0'.repeat(5000)} +0100`),
        walk('2026-02-01 05:10:00 +0100'),
        sleep('x', '2026-02-01 05:10:00 +0100', '2026-02-01 04:10:00 +0100', 'AsleepCore'),
      ),
      'export.xml',
      2,
      '4 entries without a possible time or value.',
    ],
    [
      'healthConnect',
      zipOf({
        'x.db': healthDatabase(
          `INSERT INTO exercise_session_record_table VALUES (1, '${'x'.repeat(5000)}', ${at('2026-02-01T09:00:00Z')}, ${at('2026-02-01T09:45:00Z')}, 3600, 53)`,
          `INSERT INTO exercise_session_record_table VALUES (2, 1, ${at('2026-02-01T09:00:00Z')}, ${at('2026-02-01T09:45:00Z')}, 9e15, 53)`,
          `INSERT INTO steps_record_table (app_info_id, start_time, start_zone_offset, count) VALUES (1, 9e30, 3600, 50)`,
        ),
      }),
      'a.zip',
      1,
      '2 entries without a possible time or value.',
    ],
  ])('%s', async (service, content, name, added, unread) => {
    const s = await importing()
    const { status, body } = await s.bring(service, content, name)
    expect([status, body.added]).toEqual([200, added])
    expect(body.unread).toContain(unread)
    const rows = s.db.$client.query<{ key: string; day: string }, []>('SELECT key, day FROM hardwareRecords').all()
    expect(rows.filter(({ key, day }) => key.length > 100 || !day.startsWith('2026-02-0'))).toEqual([])
    expect(await s.records()).toHaveLength(added)
  })
})

test('a day with more glucose readings than a sensor makes is refused as a whole', async () => {
  const s = await importing()
  const time = (n: number) => new Date(Date.UTC(2026, 1, 1) + n * 20_000).toISOString().slice(0, 19)
  const readings = Array.from({ length: 3001 }, (_, n) => [time(n), '100'] as const)
  const refused = await s.bring('dexcom', clarity(readings), 'a.csv')
  const message = 'The day 2026-02-01 would have more than 3000 glucose readings.'
  expect([refused.status, refused.body.message, await s.records()]).toEqual([400, message, []])
  expect((await s.bring('dexcom', clarity(readings.slice(0, 2000)), 'a.csv')).body.added).toBe(1)
  expect((await s.bring('dexcom', clarity(readings.slice(1500)), 'a.csv')).body.message).toBe(message)
})

test('a participant can import ten files a minute', async () => {
  const s = await importing()
  const patient = await s.signIn()
  const send = async () =>
    (await patient.call('POST', '/participants/hardwareImports', { service: 'dexcom', storedName: 'x' })).status
  const answers: number[] = []
  for (let n = 0; n < 11; n++) answers.push(await send())
  expect(answers).toEqual([...Array(10).fill(400), 429])
})

describe('what cannot be read is refused, and nothing is stored', () => {
  test.each([
    [
      'fitbit',
      'no archive',
      'export.zip',
      'This is no export of Fitbit: it has no files such as steps-2026-03-01.json.',
    ],
    [
      'garmin',
      zipOf({ 'a.txt': 'x' }),
      'a.zip',
      'This is no export of Garmin: it has no files such as UDSFile_….json.',
    ],
    ['dexcom', 'a,b\n1,2\n', 'a.csv', 'This is not a csv of Dexcom Clarity: it lacks its columns.'],
    ['dexcom', clarity([]), 'a.csv', 'The file has nothing that the study keeps.'],
    ['dexcom', Buffer.from([0x61, 0xed, 0xa0, 0x80]), 'a.csv', 'a.csv is not well-formed Unicode.'],
    ['appleHealth', '<a/>', 'export.xml', 'This is no export of Apple Health: it has no HealthData.'],
    [
      'healthConnect',
      zipOf({ 'x.db': 'not a database' }),
      'x.zip',
      'The database in the export of Health Connect is damaged.',
    ],
    ['fitbit', zipOf({ 'steps-2026-02-01.json': '{' }), 'a.zip', 'steps-2026-02-01.json is not JSON.'],
    ['fitbit', zipOf({ 'steps-2026-02-01.json': '{}' }), 'a.zip', 'steps-2026-02-01.json is not a list.'],
    [
      'fitbit',
      zipOf({ 'steps-2026-02-01.json': '[]' }).fill(7, 40, 60),
      'a.zip',
      'The zip archive is damaged: save or download the file again.',
    ],
  ])('%s, case %#', async (service, content, name, message) => {
    const s = await importing()
    const { status, body } = await s.bring(service, content, name)
    expect([status, body.message]).toEqual([400, message])
    expect(await s.records()).toEqual([])
    expect(
      s.db.$client.query(`SELECT count(*) AS n FROM auditEntries WHERE type = 'importHardwareData'`).get(),
    ).toEqual({ n: 0 })
  })
})

const FILE = clarity([['2026-02-01T10:00:00', '100']])

test('a participant imports their own file only, and none after they have withdrawn', async () => {
  const s = await importing()
  const patient = await s.signIn()
  const own = await s.upload(FILE, 'a.csv', patient)
  const url = '/participants/hardwareImports'
  expect(await patient.do('importOwnHardwareData', { service: 'dexcom', storedName: own })).toMatchObject({ added: 1 })
  const berts = await s.upload(FILE, 'a.csv', s.owner, s.bert)
  const refused = await patient.call('POST', url, { service: 'dexcom', storedName: berts })
  expect([refused.status, refused.body.message]).toEqual([400, 'The file is no finished upload for this participant.'])
  await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
  expect((await patient.call('POST', url, { service: 'dexcom', storedName: own })).status).toBe(403)
  const { entries } = await s.owner.do('readLogs', s.trial, { type: 'importHardwareData', userType: 'participant' })
  expect(entries).toMatchObject([{ participantId: 'P-1', event: { service: 'dexcom', added: 1, from: '2026-02-01' } }])
})

test('with one Idempotency-Key, two requests at once import once and both succeed', async () => {
  const s = await importing()
  const storedName = await s.upload(FILE, 'a.csv')
  const ask = () =>
    s.owner.call(
      'POST',
      `${s.about}/hardwareImports`,
      { service: 'dexcom', storedName },
      { headers: { 'Idempotency-Key': 'k' } },
    )
  const [a, b] = await Promise.all([ask(), ask()])
  expect([a.status, b.status, a.body.added, b.body]).toEqual([200, 200, 1, a.body])
})

test('an export has its own limit, is for participants only, and is no answer to a question', async () => {
  const s = await importing()
  const url = (size: number, forType = 'participant', forId = s.anna) =>
    `/uploads/hardware/request?name=e.zip&size=${size}&type=application/zip&forType=${forType}&forId=${forId}`
  expect((await s.owner.call('GET', url(1024 ** 3))).status).toBe(200)
  const large = await s.owner.call('GET', url(1024 ** 3 + 1))
  expect([large.status, large.body.message]).toEqual([
    400,
    'A file that a provider of wearables exported may have at most 1024 MB; this one has 1073741825 bytes.',
  ])
  expect((await s.owner.call('GET', url(5, 'trial', s.trial))).status).toBe(400)
  const fileName = await s.upload('%PDF', 'a.pdf')
  s.db.$client
    .query('UPDATE files SET size = ?, type = ? WHERE storedName = ?')
    .run(31 << 20, 'application/pdf', fileName)
  const answer = await s.enter({ letter: { fileName, name: 'a.pdf' } })
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining('must be at most 30 MB')])
})

proof('a large export of Apple Health is read with little memory', async () => {
  const s = await importing({ world: world({ readingLimits: { seconds: 20, megabytes: 300 } }) })
  const day = (n: number) => `2025-${`${1 + (n % 12)}`.padStart(2, '0')}-${`${1 + (n % 28)}`.padStart(2, '0')}`
  const ofDay = (n: number) => steps('Watch', '08:00:00', 1).replaceAll('2026-02-01', day(n)).repeat(1500)
  const file = apple(...Array.from({ length: 150 }, (_, n) => ofDay(n)))
  expect(file.length).toBeGreaterThan(40 << 20)
  const { status, body } = await s.bring('appleHealth', zipOf({ 'export.xml': file }))
  expect([status, body.added]).toEqual([200, new Set(Array.from({ length: 150 }, (_, n) => day(n))).size])
})

test('a trial with an imported file is deleted, and verify finds nothing missing', async () => {
  const s = await importing()
  expect((await s.bring('dexcom', FILE, 'a.csv')).status).toBe(200)
  await s.owner.do('deleteTrial', s.trial)
  await s.service.services.tick()
  expect(problemsIn(s.db.$client)).toEqual([])
})
