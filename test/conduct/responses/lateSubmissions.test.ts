/** Answers of a device that was offline: each entry is stored once, and what was answered in time is taken after the window. */
import { describe, expect, test } from 'bun:test'
import { verifyResponses } from '#conduct/responses/verify'
import { DAY, HOUR, instantText, parseInstant } from '#kernel/time'
import { rowsOf } from '../../exchange/exports/exports.study'
import { type Study, study } from '../../study'
import { entriesOf } from './answers'

const keyed = (key: string) => ({ headers: { 'Idempotency-Key': key } })
const after = (from: string, time: number) => instantText(parseInstant(from)! + time)

/** A diary that is open for a day, opened by the participant, and how they send it. */
async function diary(options: Parameters<typeof study>[0] = { stage: { availabilityWindowHours: 24 } }) {
  const s = await study(options)
  const me = await s.signIn()
  const at = `/participants/trials/${s.trial}/stages/${s.stage}` as const
  const { opened, version, zone } = await me.do('openStage', s.trial, s.stage)
  const start = s.now()
  const answers = (value: number, createdAt?: string) => ({ [s.ids.pulse!]: { value, createdAt } })
  const send = (body: unknown, key = 'e-1', query: Record<string, string> = { opened, version }) =>
    me.call('POST', `${at}/responses?${new URLSearchParams(query)}`, body, keyed(key))
  return { ...s, me, at, opened, version, zone, start, answers, send }
}

const submissionsIn = ({ db }: Pick<Study, 'db'>) =>
  (db.$client.query('SELECT count(*) AS n FROM storedSubmissions').get() as { n: number }).n

describe('an answer that was given in the window and sent after it', () => {
  test('is taken, marked as sent late, and keeps both times', async () => {
    const s = await diary()
    s.clock(3 * DAY)
    const given = after(s.start, HOUR)
    const { status, body } = await s.send(s.answers(60, given))
    expect(status).toBe(200)
    expect(body).toMatchObject({ sentLate: true, createdAt: s.now() })
    expect(body.response[s.ids.pulse!]).toMatchObject({ sentLate: true, enteredAt: given, createdAt: s.now() })
    const read = await s.owner.do('readResponse', s.trial, body._id)
    expect(read.responses).toMatchObject([{ sentLate: true }])
    const { history } = await s.owner.do('readResponseHistory', s.trial, body._id)
    expect(history).toMatchObject([{ sentLate: true, changes: [{ enteredAt: given }, { value: 120 }] }])
    const { event } = entriesOf(s, s.trial).findLast(({ type }) => type === 'submitResponse')!
    expect(JSON.parse(event)).toMatchObject({ sentLate: true, entryId: 'e-1', answeredAt: parseInstant(given) })
    expect(verifyResponses(s.db.$client)).toStartWith('1 responses')
  })

  test('is refused as before without the proof, or with times that do not fit, and nothing is stored', async () => {
    const s = await diary()
    const bert = await (await s.signIn('P-2')).do('openStage', s.trial, s.stage)
    s.clock(3 * DAY)
    const late = (await s.me.do('openStage', s.trial, s.stage)).opened
    const given = after(s.start, HOUR)
    const cases = [
      [s.answers(60, given), {}, 'notOpened'],
      [s.answers(60, given), { opened: bert.opened }, 'notOpened'],
      [s.answers(60, given), { opened: `${s.opened}x` }, 'notOpened'],
      [s.answers(60, given), { opened: late }, 'openedLate'],
      [s.answers(60), { opened: s.opened }, 'noTime'],
      [{ ...s.answers(60, given), [s.ids.symptom!]: { value: 'cough' } }, { opened: s.opened }, 'noTime'],
      [s.answers(60, after(s.start, DAY)), { opened: s.opened }, 'outsideWindow'],
      [s.answers(60, after(s.start, -1 * HOUR)), { opened: s.opened }, 'outsideWindow'],
    ] as const
    for (const [body, query, why] of cases) {
      const refused = await s.send(body, `e-${why}-${JSON.stringify(query)}`, query as Record<string, string>)
      expect([refused.status, refused.body.details]).toEqual([
        403,
        expect.objectContaining({ code: 'closed', late: why }),
      ])
    }
    expect(submissionsIn(s)).toBe(0)
  })

  test('is checked as of the time when it was given', async () => {
    const s = await diary()
    const takenAt = s.ids.takenat!
    await s.owner.do('updateDataType', takenAt, { allowFuture: false })
    await s.owner.do('updateDataType', s.ids.visitday!, { allowPast: false })
    s.clock(3 * DAY)
    const [given, today] = [after(s.start, HOUR), `${s.start.slice(0, 10)}T00:00:00.000000Z`]
    const sent = (value: string) => ({
      [takenAt]: { value, createdAt: given },
      [s.ids.visitday!]: { value: today, createdAt: given },
    })
    // Yesterday's “today” is not in the past, and what was the future then still is none.
    expect((await s.send(sent(after(given, HOUR)), 'future')).body.message).toContain('must not be in the future')
    expect((await s.send(sent(given), 'then')).status).toBe(200)
  })

  test('does not replace a newer answer, but one that is older', async () => {
    const s = await diary()
    s.clock(2 * HOUR)
    expect((await s.send(s.answers(70, s.now()), 'online', {})).status).toBe(200)
    s.clock(3 * DAY)
    const older = await s.send(s.answers(60, after(s.start, HOUR)), 'older')
    expect(older.body.details).toMatchObject({ late: 'newerAnswers' })
    const newer = await s.send(s.answers(80, after(s.start, 3 * HOUR)), 'newer')
    expect([newer.status, s.values(newer.body).pulse]).toEqual([200, 80])
    // The queue of one device comes in order, each later than the one before.
    expect((await s.send(s.answers(81, after(s.start, 4 * HOUR)), 'newest')).status).toBe(200)
  })

  test('is refused while the database is locked, and taken after that', async () => {
    const s = await diary()
    s.clock(3 * DAY)
    const send = () => s.send(s.answers(60, after(s.start, HOUR)))
    s.db.$client.run('UPDATE trials SET isDatabaseLocked = 1 WHERE _id = ?', [s.trial])
    expect((await send()).status).toBe(403)
    s.db.$client.run('UPDATE trials SET isDatabaseLocked = 0 WHERE _id = ?', [s.trial])
    expect((await send()).status).toBe(200)
  })

  test('is refused after withdrawal, with the reason as a code', async () => {
    const s = await diary()
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
    s.clock(3 * DAY)
    expect((await s.send(s.answers(60, after(s.start, HOUR)))).body.details).toMatchObject({ code: 'withdrawn' })
  })

  test('counts by the participant’s days, also where the clocks change', async () => {
    const s = await study({ stage: { availabilityWindowHours: 4 } })
    const me = await s.signIn()
    await me.do('updateOwnParticipant', { timezone: 'Europe/Berlin' })
    // The clocks go forward at 01:00 UTC, within the window.
    const opening = { stage: s.stage, stageRecurrence: 0, enableAt: '2026-03-28T23:00:00Z' }
    await s.owner.do('moveStageOpening', s.trial, s.anna, opening)
    const at = `/participants/trials/${s.trial}/stages/${s.stage}` as const
    s.clock('2026-03-28T23:30:00Z')
    const detail = await me.do('openStage', s.trial, s.stage)
    expect(detail.zone).toBe('Europe/Berlin')
    const [opens, ends] = [parseInstant(detail.enableAt!)!, parseInstant(detail.expiresAt!)!]
    expect(ends - opens).toBe(4 * HOUR)
    s.clock(3 * DAY)
    const send = (time: number, key: string) =>
      me.call(
        'POST',
        `${at}/responses?opened=${detail.opened}`,
        { [s.ids.pulse!]: { value: 60, createdAt: instantText(time) } },
        keyed(key),
      )
    expect((await send(opens - 1, 'a')).status).toBe(403)
    expect((await send(ends, 'b')).status).toBe(403)
    expect((await send(ends - 1, 'c')).status).toBe(200)
  })
})

describe('exports', () => {
  test('say of each answer and of each change whether it was sent late', async () => {
    const s = await diary()
    await s.enter({ symptom: 'cough' })
    s.clock(3 * DAY)
    const url = `/trials/${s.trial}/responses?type=csv` as const
    // The entry of staff is older than that of the device, and so is not replaced by it.
    const given = after(s.start, HOUR)
    expect((await s.send(s.answers(60, given))).status).toBe(200)
    const lateOf = async (shape: 'shape=long' | 'dataset=history') =>
      rowsOf((await s.owner.get(`${url}&${shape}` as `${typeof url}&shape=long`)).csv)
        .map(({ field, sentLate }) => [field, sentLate])
        .toSorted()
    const expected = [
      ['double', 'true'],
      ['pulse', 'true'],
      ['symptom', 'false'],
    ]
    expect(await lateOf('shape=long')).toEqual(expected)
    expect(await lateOf('dataset=history')).toEqual(expected)
  })
})

describe('a refusal', () => {
  test('has a code and parameters for each answer, beside the sentence', async () => {
    const s = await diary({ stage: { required: ['symptom'] } })
    const { status, body } = await s.send(s.answers(500))
    expect([status, body.details]).toEqual([
      400,
      {
        code: 'answersNotTaken',
        params: { problem: { code: 'required', params: { title: 'Symptom' } }, more: 1 },
        fields: { [s.ids.pulse!]: '“Pulse” must be from 30 to 220.', [s.ids.symptom!]: '“Symptom” is required.' },
        problems: {
          [s.ids.pulse!]: {
            code: 'between',
            params: { title: 'Pulse', min: 30, max: 220 },
            text: '“Pulse” must be from 30 to 220.',
          },
          [s.ids.symptom!]: { code: 'required', params: { title: 'Symptom' }, text: '“Symptom” is required.' },
        },
      },
    ])
    const wrong = await s.send({ [s.ids.pulse!]: { value: 'x' } }, 'e-2')
    expect([wrong.status, wrong.body.details]).toEqual([
      422,
      {
        code: 'invalid',
        fields: { [s.ids.pulse!]: '“Pulse” must be a number.' },
        problems: {
          [s.ids.pulse!]: { code: 'notNumber', params: { title: 'Pulse' }, text: '“Pulse” must be a number.' },
        },
      },
    ])
    const ahead = await s.send({ ...s.sent({ symptom: 'cough' }), ...s.answers(60, after(s.now(), 2 * DAY)) }, 'e-3')
    expect(ahead.body.details?.problems).toMatchObject({ [s.ids.pulse!]: { code: 'answeredInFuture' } })
  })
})

describe('a submission in time', () => {
  test('is what it was, whatever proof and version it carries', async () => {
    const s = await diary()
    const { status, body } = await s.send(s.answers(60, s.now()), 'e', { opened: 'nonsense', version: s.version })
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('sentLate')
    expect(body.response[s.ids.pulse!]).not.toHaveProperty('sentLate')
  })
})

describe('an entry', () => {
  test('is stored once: the same again, eight days later, gives the first answer', async () => {
    const s = await diary({ stage: { adHoc: true } })
    const first = await s.send(s.answers(60))
    s.clock(8 * DAY)
    expect((await s.send(s.answers(60))).body).toEqual(first.body)
    const other = await s.send(s.answers(61))
    expect([other.status, other.body.message]).toEqual([400, 'This Idempotency-Key was used for another request.'])
    expect(submissionsIn(s)).toBe(1)
  })

  test('is stored once if its first answer is lost, and of two at once', async () => {
    const s = await diary({ stage: { adHoc: true } })
    const both = await Promise.all([s.send(s.answers(60)), s.send(s.answers(60))])
    expect(both[1].body).toEqual(both[0].body)
    // As an erasure of personal information deletes it.
    s.db.$client.run('DELETE FROM idempotencyKeys')
    for (const value of [60, 61]) {
      const { status, body } = await s.send(s.answers(value))
      expect([status, body.details]).toEqual([400, { code: 'repeatedEntry' }])
    }
    expect(submissionsIn(s)).toBe(1)
    expect(verifyResponses(s.db.$client)).toStartWith('1 responses')
  })

  test('of two participants may have the same id', async () => {
    const s = await diary({ stage: { adHoc: true } })
    const bert = await s.signIn('P-2')
    expect((await s.send(s.answers(60))).status).toBe(200)
    expect((await bert.call('POST', `${s.at}/responses`, s.answers(60), keyed('e-1'))).status).toBe(200)
    expect(submissionsIn(s)).toBe(2)
  })

  test('keeps its id: the database refuses to change it', async () => {
    const s = await diary()
    await s.send(s.answers(60))
    const row = s.db.$client.query('SELECT entry, sentLate FROM submissions').get()
    expect(row).toEqual({ entry: 'e-1', sentLate: 0 })
    for (const change of ["entry = 'x'", 'sentLate = 1'])
      expect(() => s.db.$client.run(`UPDATE storedSubmissions SET ${change}`)).toThrow('append-only')
  })
})

describe('the detail of a stage', () => {
  test('names the answered fields, but none that are restricted, PII or hidden, and none to the holder of a link', async () => {
    const s = await diary()
    expect((await s.me.do('openStage', s.trial, s.stage)).answered).toEqual([])
    await s.enter({ pulse: 60, symptom: 'cough', sleep: 3 })
    await s.owner.do('updateDataType', s.ids.sleep!, { isRestricted: true })
    const { answered } = await s.me.do('openStage', s.trial, s.stage)
    expect(answered.toSorted()).toEqual([s.ids.pulse!, s.ids.symptom!, s.ids.double!].toSorted())
    const { token } = await s.owner.do('createStageToken', s.trial, s.anna, s.stage)
    expect((await s.nobody.do('openStageToken', token)).answered).toEqual([])
  })

  test('has a version that changes with the form only, and a refusal says if it has changed', async () => {
    const s = await diary()
    expect(s.zone).toBe('UTC')
    await s.send(s.answers(60))
    s.clock(HOUR)
    expect((await s.me.do('openStage', s.trial, s.stage)).version).toBe(s.version)
    const bad = () => s.send(s.answers(500), 'bad')
    expect((await bad()).body.details).not.toHaveProperty('formChanged')
    await s.owner.do('updateDataType', s.ids.pulse!, { max: 200 })
    const { version } = await s.me.do('openStage', s.trial, s.stage)
    expect(version).not.toBe(s.version)
    const { status, body } = await bad()
    expect([status, body.details]).toEqual([400, expect.objectContaining({ formChanged: true, version })])
    expect(body.message).toEndWith('The form has changed since it was opened.')
    expect((await s.send(s.answers(190), 'good')).status).toBe(200)
  })
})
