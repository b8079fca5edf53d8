/**
 * Thousands of random operations, allowed or not: afterwards all stored data is still consistent.
 * TRIALBOX_RANDOM_SEED repeats a series, TRIALBOX_RANDOM_LENGTH makes it longer.
 */
import { expect, test } from 'bun:test'
import { checks } from '#cli/verify'
import { verifyProgress } from '#conduct/timeline/verify'
import { randomFrom } from '#kernel/random'
import { HOUR, MINUTE, parseInstant } from '#kernel/time'
import { PASSWORD, world } from './harness'
import { study } from './study'

const SEED = Number(process.env.TRIALBOX_RANDOM_SEED ?? Math.floor(Math.random() * 2 ** 31))
const LENGTH = Number(process.env.TRIALBOX_RANDOM_LENGTH ?? 2_000)

const WHY = 'The study was to be tried at random.'

/** Random choices from a seed. */
function dice(seed: number) {
  const { chance, pick, unit } = randomFrom(seed)
  return {
    below: (count: number) => Math.floor(unit() * count),
    chance,
    one: pick,
    some: <T>(list: readonly T[], of = 0.5): T[] => list.filter(() => chance(of)),
  }
}

test(`a random series of operations leaves nothing that does not follow (seed ${SEED})`, async () => {
  const { below, chance, one, some } = dice(SEED)
  const w = world()
  const s = await study({ world: w, trial: { responseSigningEnabled: true } })
  const { owner, trial, db, ids, service } = s
  const { $client: sqlite } = db
  let app = await w.signIn(owner)
  const base = `/trials/${trial}`
  const nurse = s.staff(trial, ['trial.write'])

  const stored = (sql: string): string[] =>
    sqlite
      .query<{ _id: string }, []>(sql)
      .all()
      .map(({ _id }) => _id)
  const all = (table: string) => stored(`SELECT _id FROM ${table} ORDER BY _id`)
  const nothing = 'f'.repeat(24)
  /** An existing one, and sometimes one that does not exist. */
  const any = (table: string): string => (chance(0.03) ? nothing : (one(all(table)) ?? nothing))
  const moment = () => new Date(parseInstant(w.now())! / 1000 + (below(40) - 20) * 86_400_000).toISOString()
  const maybe = <T>(value: T): T | null => (chance(0.2) ? null : value)
  const answers = () =>
    s.sent({
      ...(chance(0.8) ? { pulse: maybe(30 + below(220)) } : {}),
      ...(chance(0.4) ? { symptom: maybe(one(['cough', 'rash', 'x'])) } : {}),
      ...(chance(0.4) ? { smoker: maybe([one(['Yes', 'No'])]) } : {}),
      ...(chance(0.3) ? { mood: maybe({ q1: below(5), q2: null }) } : {}),
      ...(chance(0.3) ? { drugs: maybe([{ name: 'Aspirin', dose: below(3) }]) } : {}),
      ...(chance(0.2) ? { body: maybe({ height: 180, weight: 81, bmi: 25 }) } : {}),
      ...(chance(0.2) ? { glucose: maybe(below(400) / 10) } : {}),
    })
  const components = () =>
    some(s.components, 0.7).map((component) => {
      const fields = { ...component, isRequired: chance(0.1) }
      if (component.id === 'glucose' && chance(0.5)) {
        return { ...fields, condition: { dataType: ids.pulse, operator: 'more', value: 60 + below(60) } }
      }
      if (component.id !== 'pulse' || chance(0.5)) return fields
      return { ...fields, scoringRules: [{ id: 'high', points: below(5), operator: 'more', value: 80 }] }
    })
  const stageChange = () => ({
    ...(chance(0.5) ? { components: components() } : {}),
    ...(chance(0.2) ? { enabled: chance(0.8) } : {}),
    ...(chance(0.2) ? { adHoc: chance(0.3) } : {}),
    ...(chance(0.1) ? { isPoll: chance(0.3) } : {}),
    ...(chance(0.3) ? { isRecurring: true, recurringFrequency: 1 + below(3), recurringDuration: 1 + below(9) } : {}),
    ...(chance(0.1) ? { isRecurring: false } : {}),
    ...(chance(0.2) ? { allowIncompleteSubmission: chance(0.5) } : {}),
    ...(chance(0.2) ? { availableToSites: maybe(some(all('sites'))) } : {}),
    ...(chance(0.2) ? { availableToGroups: maybe(some(all('groups'))) } : {}),
    ...(chance(0.2) ? { enableAtTime: maybe(`0${below(10)}:30:00`) } : {}),
    ...(chance(0.2) ? { behindCutoffTime: maybe(`2${below(4)}:00:00`) } : {}),
    ...(chance(0.1) ? { exemptFromBehindStatus: chance(0.3) } : {}),
    ...(chance(0.2) ? { availabilityWindowHours: maybe(1 + below(72)) } : {}),
    ...(chance(0.2) ? { reminders: [{ hour: below(30), title: 'Diary', body: 'Please.', sendVia: ['email'] }] } : {}),
    ...(chance(0.1) ? { index: below(4) } : {}),
    ...(chance(0.2)
      ? {
          onSubmitRules: [
            {
              id: 'tell',
              conditions: [{ id: 'any', operator: 'more', scoreThreshold: below(3) }],
              actions: [{ id: 'team', type: 'notifyTeam' }],
            },
          ],
        }
      : {}),
    ...(chance(0.1)
      ? {
          enableAfter: maybe({ type: 'stage', stage: any('stages'), stageRecurrence: below(2), delay: below(90) - 20 }),
        }
      : {}),
    ...(chance(0.1) ? { isAnchored: true, anchorSchedule: [{ anchor: any('anchors'), dayOffset: below(9) - 3 }] } : {}),
    ...(chance(0.05) ? { isAnchored: false, enableAfter: null } : {}),
  })
  const person = () => `${base}/participants/${any('participants')}`
  type Row = Record<'participant' | 'stage' | 'stageRecurrence' | 'anchor', string>
  /** The path of something that a participant has, by its row. */
  const of = (table: string, path: (row: Row) => string) => {
    const row = one(sqlite.query<Row, []>(`SELECT * FROM ${table}`).all())
    return row ? `${base}/participants/${row.participant}/${path(row)}` : person()
  }
  const response = () => `${base}/responses/${any('responses')}`
  const at = () => `${any('stages')}${chance(0.5) ? '' : `::${below(4)}`}`
  /** The owner in the web app, with an identity just confirmed; sessions end after a while. */
  const confirmed = async () => {
    const confirm = () => app.call('POST', '/sessions/confirmations', { password: PASSWORD })
    if ((await confirm()).status === 401) {
      app = await w.signIn(owner)
      await confirm()
    }
    return app
  }
  const session = async (body: unknown) => (await confirmed()).call('PUT', base, body)
  const staff = () => (chance(0.8) ? owner : nurse)
  let count = 0

  type Act = () => Promise<{ status: number; body: unknown }>
  /** What may happen, with its relative frequency. */
  const acts: readonly (readonly [number, Act])[] = [
    [30, () => staff().call('PUT', `${person()}/responses/${at()}`, { response: answers() })],
    [4, () => staff().call('PUT', `${person()}/responses/${at()}?draft=true`, { response: answers() })],
    [
      3,
      () =>
        owner.call(
          'DELETE',
          of('drafts', ({ stage, stageRecurrence }) => `draftResponses/${stage}::${stageRecurrence}`),
        ),
    ],
    [6, () => owner.call('DELETE', response(), { reason: 'at random' })],
    [4, () => owner.call('PUT', `${response()}/status`, { status: one(['successful', 'unsuccessful', null]) })],
    [5, () => owner.call('POST', `${response()}/validations`)],
    [2, () => owner.call('DELETE', `${response()}/validations`)],
    [2, () => owner.call('POST', `${response()}/dataTypes/${ids.pulse}/validations`)],
    [2, () => owner.call('DELETE', `${response()}/dataTypes/${ids.pulse}/validations`)],
    [4, () => owner.call('POST', `${response()}/allocations?participant=${any('participants')}`)],
    [2, () => owner.call('DELETE', `${response()}/allocations`)],
    [
      3,
      () =>
        staff().call('POST', `${base}/queries`, {
          response: any('responses'),
          dataType: maybe(ids.pulse),
          text: 'Why?',
        }),
    ],
    [3, () => staff().call('POST', `/queries/${any('queries')}/messages`, { text: 'Because.' })],
    [2, () => owner.call('PUT', `/queries/${any('queries')}`, { status: one(['open', 'answered', 'closed']) })],
    [
      3,
      async () =>
        (await confirmed()).call('POST', `${base}/signatures`, {
          participant: any('participants'),
          meaning: 'Reviewed',
        }),
    ],
    [
      6,
      () =>
        staff().call('POST', `${base}/participants`, {
          participants: Array.from({ length: 1 + below(3) }, () => ({
            participantId: `R-${chance(0.9) ? ++count : 1}`,
          })),
        }),
    ],
    [
      4,
      () =>
        staff().call('POST', `${base}/tasks`, {
          title: `Task ${++count}`,
          ...(chance(0.5) ? { taskLane: any('taskLanes') } : {}),
          ...(chance(0.5) ? { index: below(5) } : {}),
          ...(chance(0.3) ? { status: one(['pending', 'completed']) } : {}),
          ...(chance(0.3) ? { assignees: some([owner._id, nurse._id]) } : {}),
        }),
    ],
    [
      5,
      () =>
        staff().call('PUT', `/tasks/${any('tasks')}`, {
          ...(chance(0.5) ? { taskLane: any('taskLanes') } : {}),
          ...(chance(0.5) ? { index: below(5) } : {}),
          ...(chance(0.3) ? { status: one(['pending', 'completed']) } : {}),
        }),
    ],
    [2, () => staff().call('DELETE', `/tasks/${any('tasks')}`)],
    [1, () => staff().call('POST', `${base}/task-lanes`, { name: `Lane ${++count}`, isCompleteLane: chance(0.3) })],
    [
      2,
      () =>
        staff().call('PUT', `/task-lanes/${any('taskLanes')}`, {
          ...(chance(0.5) ? { index: below(4) } : {}),
          ...(chance(0.5) ? { isCompleteLane: chance(0.5) } : {}),
        }),
    ],
    [2, () => staff().call('DELETE', `/task-lanes/${any('taskLanes')}`)],
    [2, () => owner.call('DELETE', person(), { reason: 'at random' })],
    [
      8,
      () =>
        staff().call('PUT', person(), {
          ...(chance(0.3) ? { isArchived: chance(0.4) } : {}),
          ...(chance(0.3) ? { isWithdrawn: chance(0.4) } : {}),
          ...(chance(0.3) ? { isUnallocated: chance(0.5) } : {}),
          ...(chance(0.3) ? { timezone: one(['Europe/Berlin', 'Pacific/Auckland', 'America/New_York', null]) } : {}),
          ...(chance(0.1) ? { name: 'Anna', email: 'anna@example.org' } : {}),
        }),
    ],
    [
      2,
      () =>
        owner.call('PATCH', `${base}/participants`, {
          updates: [{ participant: any('participants'), isArchived: chance(0.3) }],
        }),
    ],
    [5, () => owner.call(one(['PUT', 'PUT', 'DELETE']), `/groups/${any('groups')}/memberships/${any('participants')}`)],
    [5, () => owner.call(one(['PUT', 'PUT', 'DELETE']), `/sites/${any('sites')}/memberships/${any('participants')}`)],
    [2, () => owner.call('POST', `${base}/groups`, { name: `Arm ${++count}` })],
    [2, () => owner.call('POST', `${base}/sites`, { name: `Site ${++count}`, id: `S${count}` })],
    [1, () => owner.call('DELETE', `/groups/${any('groups')}`)],
    [1, () => owner.call('DELETE', `/sites/${any('sites')}`)],
    [
      2,
      () =>
        staff().call('POST', `${base}/anchors`, {
          name: `Anchor ${++count}`,
          assignmentRule: one([
            { type: 'manual' },
            { type: 'participant_login' },
            { type: 'stage_completion', stageId: any('stages') },
          ]),
        }),
    ],
    [1, () => owner.call('DELETE', `/anchors/${any('anchors')}`)],
    [4, () => staff().call('PUT', `${person()}/anchors/${any('anchors')}`, { datetime: moment() })],
    [
      1,
      () =>
        staff().call(
          'DELETE',
          of('participantAnchors', ({ anchor }) => `anchors/${anchor}`),
        ),
    ],
    [
      4,
      () =>
        staff().call('POST', `${person()}/stageOverrides`, {
          stage: any('stages'),
          stageRecurrence: below(3),
          enableAt: moment(),
          applyToAllRecurrences: chance(0.3),
        }),
    ],
    [
      2,
      () => {
        const query = ({ stage, stageRecurrence }: Row) =>
          `stageOverrides?stage=${stage}&stageRecurrence=${stageRecurrence}&applyToAllRecurrences=${chance(0.3)}`
        return staff().call('DELETE', of('stageOverrides', query))
      },
    ],
    [
      3,
      () =>
        staff().call('POST', `${base}/stages`, {
          name: `Stage ${++count}`,
          components: components(),
          ...stageChange(),
        }),
    ],
    [6, () => staff().call('PUT', `/stages/${any('stages')}`, stageChange())],
    [1, () => owner.call('DELETE', `/stages/${any('stages')}`)],
    [1, () => owner.call('PUT', `/data-types/${ids.pulse}`, { min: 20 + below(20), isRestricted: chance(0.3) })],
    [1, () => owner.call('PUT', `/data-types/${ids.double}`, { expression: `pulse * ${1 + below(4)}` })],
    [1, () => owner.call('PUT', base, { timezone: one(['Europe/Berlin', 'UTC', null]) })],
    [1, () => owner.call('PUT', base, { behindScheduleNotices: one([[], ['sms'], ['push', 'email']]) })],
    [1, () => session({ isDatabaseLocked: chance(0.5), databaseLockJustification: WHY })],
    [1, () => session({ isLocked: chance(0.5), lockJustification: WHY })],
    [1, () => owner.call('PUT', base, { isArchived: chance(0.5) })],
    [
      3,
      async () => {
        const signedIn = await s.signIn(one(['P-1', 'P-2', 'P-10'])).catch(() => undefined)
        if (!signedIn) return owner.call('GET', base)
        return signedIn.call('POST', `/participants/trials/${trial}/stages/${at()}/responses`, answers())
      },
    ],
    [3, () => owner.call('GET', `${person()}/responses`)],
    [1, () => owner.call('GET', `${base}/responses`)],
  ]
  const bag = acts.flatMap(([often, act], index) => Array.from({ length: often }, () => ({ act, index })))

  /** A board whose positions have gaps, or whose complete lanes hold tasks that are not. */
  const board = {
    name: 'tasks',
    run: () => {
      const wrong = sqlite
        .query(
          `SELECT _id FROM (SELECT _id, "index", row_number() OVER (PARTITION BY taskLane ORDER BY "index") AS n FROM tasks)
             WHERE "index" <> n - 1
           UNION SELECT _id FROM (SELECT _id, "index", row_number() OVER (PARTITION BY trial ORDER BY "index") AS n FROM taskLanes)
             WHERE "index" <> n - 1
           UNION SELECT t._id FROM tasks t JOIN taskLanes l ON l._id = t.taskLane
             WHERE (l.isCompleteLane AND t.status <> 'completed') OR (t.status = 'completed') <> (t.completedAt IS NOT NULL)`,
        )
        .all()
      if (wrong.length) throw new Error(JSON.stringify(wrong))
    },
  }
  /** The inconsistencies, by the check that found them; empty if there are none. */
  const faults = () =>
    [
      ...checks,
      board,
      { name: 'timelines by the clock', run: () => verifyProgress(sqlite, parseInstant(w.now())!) },
    ].flatMap(({ name, run }) => {
      try {
        run(sqlite)
        return []
      } catch (error) {
        return [`${name}: ${(error as Error).message}`]
      }
    })

  const done = new Map<number, number>()
  for (let step = 1; step <= LENGTH; step++) {
    w.clock(chance(0.02) ? below(30) * HOUR : below(3) * MINUTE + 1)
    if (chance(0.02)) await service.services.tick()
    // Undoes locks and archiving, so that later operations are not all refused.
    if (step % 50 === 0) {
      for (const lock of [
        { isLocked: false, lockJustification: WHY },
        { isDatabaseLocked: false, databaseLockJustification: WHY },
      ])
        await session(lock)
      await owner.call('PUT', base, { isArchived: false })
    }
    const { act, index } = one(bag)
    const { status, body } = await act()
    if (status === 200) done.set(index, (done.get(index) ?? 0) + 1)
    else if (![400, 403, 404, 422].includes(status)) throw new Error(`Step ${step}: ${status} ${JSON.stringify(body)}`)
    if (step % 500 === 0) expect([step, ...faults()]).toEqual([step])
  }
  await service.services.tick()
  expect(faults()).toEqual([])
  expect(verifyProgress(sqlite, parseInstant(w.now())!)).not.toContain('wait')
  expect(s.faults).toEqual([])
  // A series in which most operations are refused would prove nothing.
  if (LENGTH >= 2_000) expect(done.size).toBeGreaterThan(0.8 * acts.length)
}, 120_000)
