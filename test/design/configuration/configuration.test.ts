import { expect, test } from 'bun:test'
import { anchors, dataTypes, stages, trials } from '#db/tables/index'
import { configuration } from '#design/configuration/configuration'
import { trialById } from '#design/trials/store'
import type { Format } from '#kernel/formats'
import { type Id, newId } from '#kernel/id'
import { world } from '../../harness'

/** A trial with these data types and stages, inserted directly into the database, and its current configuration. */
function configured() {
  const { db, trial: makeTrial } = world()
  const trial = makeTrial()
  const row = () => trialById(db, trial)!
  const field = (code: string, settings: Record<string, unknown> = {}, format: Format = 'integer'): Id => {
    const _id = newId(0)
    db.insert(dataTypes).values({ _id, createdAt: 0, trial, name: code, code, format, settings }).run()
    return _id
  }
  const stage = (index: number, components: Record<string, unknown>[], settings: Record<string, unknown> = {}): Id => {
    const _id = newId(0)
    db.insert(stages)
      .values({ _id, createdAt: 0, trial, index, name: `Stage ${index}`, components, settings })
      .run()
    return _id
  }
  return { db, trial, row, field, stage, makeTrial, now: () => configuration(db, row()) }
}

test('rows are flat, complete, and in order', () => {
  const { field, stage, now, trial } = configured()
  const pulse = field('pulse', { min: 30, max: 220 })
  const second = stage(1, [], { isRecurring: true, recurringFrequency: 7, recurringDuration: 28 })
  const first = stage(0, [
    { id: 'a', type: 'title', title: 'Vital signs' },
    { id: 'b', title: 'Pulse', dataType: pulse, isRequired: true },
  ])
  const { dataTypes, stageOrder, stages, timeline, fieldsOf, form } = now()
  expect(dataTypes.get(pulse)).toEqual({
    _id: pulse,
    createdAt: 0,
    trial,
    name: 'pulse',
    code: 'pulse',
    description: null,
    format: 'integer',
    unit: null,
    isRestricted: false,
    isPii: false,
    min: 30,
    max: 220,
  })
  expect(stageOrder.map(({ _id }) => _id)).toEqual([first, second])
  expect(stages.get(second)).toMatchObject({
    enabled: true,
    adHoc: false,
    reminders: [],
    enableAfter: null,
    isRecurring: true,
    recurringFrequency: 7,
  })
  expect(timeline.byId.get(second)!.occurrences).toHaveLength(4)
  expect([fieldsOf(first), fieldsOf(second)]).toEqual([[pulse], []])
  expect(form(first).fields.map(({ dataType, isRequired }) => ({ dataType, isRequired }))).toEqual([
    { dataType: pulse, isRequired: true },
  ])
})

test('the compiled configuration is cached until something changes', () => {
  const { db, field, stage, now, trial } = configured()
  const pulse = field('pulse')
  const visit = stage(0, [{ id: 'a', title: 'Pulse', dataType: pulse }])
  const before = now()
  expect(now()).toBe(before)
  expect(now().timeline).toBe(before.timeline)
  expect(now().form(visit)).toBe(before.form(visit))
  db.insert(anchors)
    .values({ _id: newId(0), createdAt: 0, trial, name: 'Surgery', assignmentRule: { type: 'manual' } })
    .run()
  expect(now()).not.toBe(before)
  expect(now().anchors.map(({ name }) => name)).toEqual(['Surgery'])
})

test('the configuration of a transaction that is rolled back is not cached', () => {
  const { db, row, stage, now } = configured()
  stage(0, [])
  const before = now()
  const old = row()
  expect(() =>
    db.transaction(() => {
      stage(1, [])
      expect(now().stageOrder).toHaveLength(2)
      throw new Error('undone')
    }),
  ).toThrow('undone')
  expect(row().revision).toBe(old.revision)
  expect(now().stageOrder).toEqual(before.stageOrder)
})

test('rows of a newer revision are not cached under the old one', () => {
  const { db, row, stage, now } = configured()
  const old = row()
  expect(() =>
    db.transaction(() => {
      stage(0, [])
      expect(configuration(db, old).stageOrder).toHaveLength(1)
      throw new Error('undone')
    }),
  ).toThrow('undone')
  expect(now().stageOrder).toEqual([])
})

test('each of many trials gets its own configuration', () => {
  const { db, makeTrial } = configured()
  const ids = Array.from({ length: 100 }, () => makeTrial())
  for (const trial of ids) {
    db.insert(stages)
      .values({ _id: newId(0), createdAt: 0, trial, index: 0, name: `Of ${trial}` })
      .run()
  }
  const rows = db.select().from(trials).all()
  for (const round of [rows, rows.toReversed(), rows]) {
    for (const trial of round) {
      if (!ids.includes(trial._id)) continue
      expect(configuration(db, trial).stageOrder.map(({ name }) => name)).toEqual([`Of ${trial._id}`])
    }
  }
})
