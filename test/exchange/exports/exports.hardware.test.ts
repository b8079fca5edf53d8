/** Exports of what wearables measured. */
import { expect, test } from 'bun:test'
import { clarity, importing, zipOf } from '../../conduct/wearables/imports/files'
import { until } from '../../until'
import { manifestIn, partsOf } from '../studyRecord/archive'
import { rowsOf } from './exports.study'

const list = (...rows: object[]) => JSON.stringify(rows)
const GARMIN = zipOf({
  'UDSFile_1.json': list({ calendarDate: '2026-02-01', totalSteps: 9000, restingHeartRate: 52, maxHeartRate: 150 }),
  '1_sleepData.json': list({
    ...{ calendarDate: '2026-02-02', sleepStartTimestampGMT: '2026-02-01T22:00:00.0', deepSleepSeconds: 3600 },
    sleepEndTimestampGMT: '2026-02-02T06:00:00.0',
  }),
  'a_summarizedActivities.json': list({
    summarizedActivitiesExport: [
      { activityId: 1, activityType: '=1+1', beginTimestamp: 1_770_022_800_000, duration: 60_000 },
    ],
  }),
})

/** Records of two participants, the second at a site. */
async function measured() {
  const s = await importing()
  const url = `/trials/${s.trial}/responses` as const
  await s.bring('garmin', GARMIN)
  await s.bring(
    'dexcom',
    clarity([
      ['2026-02-01T10:00:00', '100'],
      ['2026-02-01T10:05:00', 'Low'],
    ]),
    'a.csv',
  )
  await s.bring('dexcom', clarity([['2026-02-01T10:00:00', '101']]), 'a.csv')
  const site = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'N1' }))._id
  await s.owner.do('addSiteMember', site, s.bert)
  const storedName = await s.upload(GARMIN, 'a.zip', s.owner, s.bert)
  await s.owner.do('importHardwareData', s.trial, s.bert, { service: 'garmin', storedName })
  const csv = async (dataset: 'hardwareDaily' | 'hardwareEgv' | 'hardwareActivity' | 'hardwareSleep', by = s.owner) =>
    rowsOf((await by.do('exportResponses', s.trial, { type: 'csv', dataset })).csv)
  return { ...s, url, csv, site }
}

test('csv has a row for each record, and of glucose for each reading', async () => {
  const s = await measured()
  const daily = await s.csv('hardwareDaily')
  expect(daily.map(({ participantId, siteIds }) => [participantId, siteIds])).toEqual([
    ['P-1', ''],
    ['P-2', 'N1'],
  ])
  expect(daily[0]).toMatchObject({
    ...{ service: 'garmin', date: '2026-02-01', source: 'import', createdAt: s.now(), corrections: '0' },
    ...{ steps: '9000', restingHeartRate: '52', floors: '' },
  })
  expect(Object.keys((await s.csv('hardwareSleep'))[0]!)).toEqual([
    ...['participantId', 'siteIds', 'groups', 'service', 'date', 'source', 'createdAt', 'updatedAt', 'corrections'],
    ...['start', 'end', 'utcOffset', 'minutesInBed', 'minutesAsleep', 'minutesAwake', 'deepMinutes', 'lightMinutes'],
    ...['remMinutes', 'efficiency', 'isMain'],
  ])
  // No spreadsheet computes what a provider calls an exercise.
  expect((await s.csv('hardwareActivity')).map(({ type }) => type)).toEqual(["'=1+1", "'=1+1"])
  expect(
    (await s.csv('hardwareEgv')).map(({ at, mgPerDl, status, corrections }) => [at, mgPerDl, status, corrections]),
  ).toEqual([
    ['2026-02-01T10:00:00', '101', '', '1'],
    ['2026-02-01T10:05:00', '', 'low', '1'],
  ])
  const { entries } = await s.owner.do('readLogs', s.trial, { type: 'exportResponse' })
  expect(entries.map(({ event }) => [event.format, event.dataset, event.rows])).toEqual([
    ['csv', 'hardwareEgv', 1],
    ['csv', 'hardwareActivity', 2],
    ['csv', 'hardwareSleep', 2],
    ['csv', 'hardwareDaily', 2],
  ])
})

test('raw is a job whose result is a zip of the records as they are stored', async () => {
  const s = await measured()
  const started = await s.owner.do('exportResponses', s.trial, { type: 'raw', dataset: 'hardware' })
  if (!('jobId' in started)) throw new Error('It is no job.')
  const job = () => s.owner.do('readJob', started.jobId)
  await until(async () => (await job()).status !== 'pending')
  const { result } = await job()
  expect(result).toMatchObject({
    fileName: 'breath-study wearables 2026-03-02.zip',
    counts: { activity: 2, daily: 2, egv: 1, sleep: 2, summary: 2 },
  })
  const { request } = result as { request: string }
  const parts = partsOf(new Uint8Array(await (await s.fetch(request)).arrayBuffer()))
  const manifest = manifestIn(parts)
  expect(manifest.said).toEqual(manifest.true)
  const egv = JSON.parse(`${parts.get('egv.json')}`).hardwareResponses
  const { hardwareResponses } = await s.owner.do('readHardwareResponses', s.trial, s.anna, { dataset: 'egv' })
  expect(egv).toEqual(
    hardwareResponses.map((each) => ({ participant: s.anna, participantId: 'P-1', key: each.date, ...each })),
  )
})

test('needs the permission to export, is limited to the sites of the reader, and leaves out the archived', async () => {
  const s = await measured()
  const reader = s.staff(s.trial, ['trial.readParticipantStudyData'])
  for (const query of ['?type=csv&dataset=hardwareDaily', '?type=raw&dataset=hardware'])
    expect((await reader.call('GET', `${s.url}${query}`)).status).toBe(403)
  const local = s.staff(s.trial, ['site.readParticipantStudyData', 'site.exportData'], s.site)
  expect((await s.csv('hardwareDaily', local)).map(({ participantId }) => participantId)).toEqual(['P-2'])
  await s.owner.do('updateParticipant', s.trial, s.bert, { isArchived: true })
  expect(await s.csv('hardwareDaily', local)).toEqual([])
  expect((await s.csv('hardwareDaily')).map(({ participantId }) => participantId)).toEqual(['P-1'])
})

test.each([
  ['?dataset=hardware', 'dataset: This dataset is exported as raw, without columns: set type too.'],
  ['?dataset=hardwareDaily', 'dataset: This dataset is exported as csv, without columns: set type too.'],
  ['?type=excel&dataset=hardwareDaily', 'dataset: This dataset is exported as csv, without columns: set type too.'],
  ['?type=csv&dataset=hardware', 'dataset: This dataset is exported as raw, without columns: set type too.'],
  [
    '?type=csv&dataset=hardwareDaily&columns=expanded',
    'dataset: This dataset is exported as csv, without columns: set type too.',
  ],
])('%s is refused with what to do', async (query, message) => {
  const s = await importing()
  const { status, body } = await s.owner.call('GET', `/trials/${s.trial}/responses${query}`)
  expect([status, body.message]).toEqual([422, `The request is not valid: ${message}`])
})

test('a study record has the tables that have records', async () => {
  const s = await measured()
  const { jobId } = await s.owner.do('exportStudyRecord', s.trial)
  const job = () => s.owner.do('readJob', jobId)
  await until(async () => (await job()).status !== 'pending')
  const { request, counts } = (await job()).result as { request: string; counts: Record<string, number> }
  expect(counts.hardwareRecords).toBe(9)
  const parts = partsOf(new Uint8Array(await (await s.fetch(request)).arrayBuffer()))
  expect([...parts.keys()].filter((name) => name.startsWith('wearables/')).sort()).toEqual(
    ['activity', 'daily', 'egv', 'sleep', 'summary'].map((dataset) => `wearables/${dataset}.csv`),
  )
})
