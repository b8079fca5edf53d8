/** Entries that say that somebody looked: each of a key, and one in 15 minutes of the web app. */
import { expect, test } from 'bun:test'
import { verifyChains } from '#audit/verify'
import { MINUTE } from '#kernel/time'
import { type Study, study } from '../study'

const typesIn = ({ db, trial }: Study, type: string): number =>
  db.$client
    .query<{ n: number }, [string, string]>('SELECT count(*) AS n FROM auditEntries WHERE chain = ? AND type = ?')
    .get(trial, type)!.n

const SEEN = ['trial.readParticipants', 'trial.readTrialConsents', 'trial.readParticipantPersonalInformation']

/** A nurse with a key, and the same person in the web app. */
async function nurses(s: Study) {
  const nurse = s.staff(s.trial, SEEN)
  return { nurse, atScreen: await s.signInStaff(nurse) }
}

const looks: readonly [type: string, url: (s: Study) => string, other: (s: Study) => string][] = [
  [
    'viewParticipant',
    (s) => `/trials/${s.trial}/participants/${s.anna}`,
    (s) => `/trials/${s.trial}/participants/${s.bert}`,
  ],
  ['listConsents', (s) => `/trials/${s.trial}/consents?query=ann`, (s) => `/trials/${s.trial}/consents?query=ben`],
  ['accessRefused', (s) => `/trials/${s.trial}/logs`, (s) => `/trials/${s.trial}/participants/${s.anna}/notes`],
]

test.each(looks)('%s: each request of a key, and one in 15 minutes of the web app', async (type, url, other) => {
  const s = await study()
  const { nurse, atScreen } = await nurses(s)
  const looked = async (by: typeof nurse | typeof atScreen, where = url) => {
    const before = typesIn(s, type)
    const { status } = await by.call('GET', where(s))
    expect([where(s), status]).toEqual([where(s), type === 'accessRefused' ? 403 : 200])
    return typesIn(s, type) - before
  }
  for (let n = 0; n < 3; n++) expect(await looked(nurse)).toBe(1)
  expect(await looked(atScreen)).toBe(1)
  for (let n = 0; n < 3; n++) expect(await looked(atScreen)).toBe(0)
  expect(await looked(atScreen, other)).toBe(1)
  const colleague = await s.signInStaff(s.staff(s.trial, SEEN))
  expect(await looked(colleague)).toBe(1)
  s.clock(14 * MINUTE)
  expect(await looked(atScreen)).toBe(0)
  s.clock(MINUTE)
  expect(await looked(atScreen)).toBe(1)
  expect(verifyChains(s.db.$client).find(({ fault }) => fault)).toBeUndefined()
})

test('of the same page asked for twice at once there is one entry', async () => {
  const s = await study()
  const { atScreen } = await nurses(s)
  const url = `/trials/${s.trial}/participants/${s.anna}`
  await Promise.all([1, 2, 3].map(() => atScreen.call('GET', url)))
  expect(typesIn(s, 'viewParticipant')).toBe(1)
})

test('refused writes and exports are recorded each time, from the web app too', async () => {
  const s = await study()
  const { atScreen } = await nurses(s)
  for (let n = 0; n < 2; n++) {
    expect((await atScreen.call('POST', `/trials/${s.trial}/groups`, { name: 'Arm' })).status).toBe(403)
    expect((await atScreen.call('GET', `/trials/${s.trial}/participants?format=csv`)).status).toBe(200)
  }
  expect([typesIn(s, 'accessRefused'), typesIn(s, 'exportParticipants')]).toEqual([2, 2])
})

test('an entry that could not be written is written with the next look', async () => {
  const s = await study()
  const { atScreen } = await nurses(s)
  s.db.$client.run(`CREATE TEMP TRIGGER fullDisk BEFORE INSERT ON auditEntries WHEN NEW.type = 'viewParticipant'
    BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`)
  const url = `/trials/${s.trial}/participants/${s.anna}`
  expect((await atScreen.call('GET', url)).status).toBe(500)
  s.takeFaults()
  s.db.$client.run('DROP TRIGGER fullDisk')
  expect((await atScreen.call('GET', url)).status).toBe(200)
  expect(typesIn(s, 'viewParticipant')).toBe(1)
})
