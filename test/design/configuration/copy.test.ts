import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import {
  anchors,
  auditEntries,
  dataTypes,
  files,
  groups,
  participants,
  roles,
  sites,
  stageGroups,
  stages,
  trials,
} from '#db/tables/index'
import { codeFrom, replaceIds } from '#design/trials/rules'
import { isId, newId } from '#kernel/id'
import { newStoredName, uploadPath } from '#storage/names'
import { type World, world } from '../../harness'

const at = 1_772_452_800_000_000

/** A trial with something of everything that is configured, each thing naming others. */
function configured(w: World) {
  const trial = w.trial({
    name: 'Source',
    description: 'As it was',
    passwordHash: 'hash',
    timezone: 'Europe/Berlin',
    behindScheduleNotices: ['whatsapp'],
    isArchived: true,
    isLocked: true,
    restrictRegistration: false,
  })
  const [site, group, anchor, weight, visit, later] = Array.from({ length: 6 }, () => newId(at)) as string[]
  const own = { createdAt: at, trial }
  const video = newStoredName('how.mp4', at)
  const picture = newStoredName('site.png', at)
  const unused = newStoredName('unused.png', at)
  for (const [storedName, forType, forId] of [
    [video, 'trial', trial],
    [picture, 'site', site],
    [unused, 'trial', trial],
  ] as const) {
    const path = uploadPath(join(w.directory, 'files'), storedName)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `bytes of ${storedName}`)
    w.db
      .insert(files)
      .values({
        storedName,
        createdAt: at,
        kind: 'upload',
        trial,
        forType,
        forId: forId!,
        createdBy: w.owner._id,
        name: 'a',
        type: 'a/b',
        finishedAt: at,
      })
      .run()
  }
  const settings = {
    sponsor: 'S',
    fitbitGroups: [group],
    smartAutomaticQueryAssignees: [w.owner._id],
    lockJustification: 'Because it is so.',
  }
  w.db.update(trials).set({ settings }).where(eq(trials._id, trial)).run()
  w.db
    .insert(sites)
    .values({ ...own, _id: site!, name: 'North', id: '01', image: picture, approvalStatus: 'selected' })
    .run()
  w.db
    .insert(groups)
    .values({ ...own, _id: group!, name: 'Arm', colour: 'red' })
    .run()
  w.db
    .insert(anchors)
    .values({
      ...own,
      _id: anchor!,
      name: 'Surgery',
      assignmentRule: { type: 'stage_completion', stageId: visit!, stageRecurrence: 0 },
    })
    .run()
  w.db
    .insert(dataTypes)
    .values({ ...own, _id: weight!, name: 'Weight', code: 'weight', format: 'float', settings: { min: 1 } })
    .run()
  w.db
    .insert(stages)
    .values([
      {
        ...own,
        _id: visit!,
        index: 0,
        name: 'Visit',
        settings: {
          availableToSites: [site],
          availableToGroups: [group],
          isAnchored: true,
          anchorSchedule: [{ anchor, dayOffset: 3 }],
        },
        components: [
          {
            id: 'a',
            dataType: weight,
            title: 'Weight',
            condition: { dataType: weight, operator: 'exists' },
            video: { name: 'How', fileName: video },
          },
        ],
      },
      {
        ...own,
        _id: later!,
        index: 1,
        name: 'Later',
        settings: { enableAfter: { type: 'stage', stage: visit, stageRecurrence: 0, delay: 7 } },
      },
    ])
    .run()
  w.db
    .insert(stageGroups)
    .values({
      ...own,
      _id: newId(at),
      index: 0,
      name: 'All',
      stages: [
        { stage: visit!, recurrence: null },
        { stage: later!, recurrence: 1 },
      ],
    })
    .run()
  w.db
    .insert(roles)
    .values({
      ...own,
      _id: newId(at),
      name: 'Nurse',
      permissions: { [trial]: ['trial.readTasks'], [site!]: ['site.read'], [group!]: ['group.read'] },
    })
    .run()
  w.db
    .insert(participants)
    .values({ ...own, _id: newId(at), id: 'P1', idSort: 'p1' })
    .run()
  return { trial, site: site!, video, picture, unused }
}

const tables = { sites, groups, anchors, dataTypes, stages, stageGroups, roles }
const configurationOf = (w: World, trial: string) =>
  Object.fromEntries(
    Object.entries(tables).map(([name, table]) => [
      name,
      w.db.select().from(table).where(eq(table.trial, trial)).orderBy(table._id).all(),
    ]),
  )

/** The configuration with every id replaced by its place in the order of appearance: equal for equal configurations. */
function form(value: unknown): unknown {
  const seen = new Map<string, string>()
  const place = (text: string) => {
    if (!isId(text) && !/^[0-9a-f]{24}-/.test(text)) return text
    if (!seen.has(text)) seen.set(text, `#${seen.size}`)
    return seen.get(text)!
  }
  const any = (one: unknown): unknown => {
    if (typeof one === 'string') return place(one)
    if (Array.isArray(one)) return one.map(any)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([key, each]) => [place(key), any(each)]))
  }
  return any(value)
}

test('a copy has the whole configuration, every reference within itself, and nothing else', async () => {
  const w = world()
  const source = configured(w)
  const before = configurationOf(w, source.trial)
  const copy = await w.owner.post(`/teams/${w.team}/trials`, { name: 'Copy', copyFrom: source.trial })
  const made = configurationOf(w, copy._id)
  const withoutState = (all: typeof made) => ({
    ...all,
    sites: all.sites!.map((site) => ({ ...site, approvalStatus: null, createdAt: 0 })),
  })
  const plain = (all: typeof made) =>
    JSON.parse(JSON.stringify(withoutState(all), (key, value) => (key === 'createdAt' ? 0 : value)))
  expect(form(plain(made))).toEqual(form(plain(before)))
  expect(configurationOf(w, source.trial)).toEqual(before)

  const old = [
    source.trial,
    source.video,
    source.picture,
    ...Object.values(before)
      .flat()
      .map(({ _id }) => _id),
  ]
  const content = JSON.stringify([made, copy])
  for (const id of old) expect(content).not.toContain(id)

  expect(copy).toMatchObject({
    code: 'copy',
    description: 'As it was',
    sponsor: 'S',
    timezone: 'Europe/Berlin',
    behindScheduleNotices: ['whatsapp'],
    fitbitGroups: [made.groups![0]!._id],
    smartAutomaticQueryAssignees: [],
    lockJustification: null,
    restrictRegistration: true,
    isArchived: false,
    isLocked: false,
    passwordSet: false,
    dataTypeCount: 1,
    stageCount: 2,
    participantCount: 0,
  })
  const [entry] = w.db.select().from(auditEntries).where(eq(auditEntries.chain, copy._id)).all()
  expect(entry!.event).toMatchObject({ copyFrom: source.trial, copied: { stages: 2, dataTypes: 1, roles: 1 } })
})

test('files that the configuration names come along under names of their own', async () => {
  const w = world()
  const source = configured(w)
  const copy = await w.owner.post(`/teams/${w.team}/trials`, { name: 'Copy', copyFrom: source.trial })
  const [site] = w.db.select().from(sites).where(eq(sites.trial, copy._id)).all()
  const rows = w.db.select().from(files).where(eq(files.trial, copy._id)).all()
  expect(rows.map(({ forType, forId }) => [forType, forId]).sort()).toEqual(
    [
      ['site', site!._id],
      ['trial', copy._id],
    ].sort(),
  )
  const place = join(w.directory, 'files')
  expect(rows.map(({ storedName }) => readFileSync(uploadPath(place, storedName), 'utf8')).sort()).toEqual(
    [`bytes of ${source.video}`, `bytes of ${source.picture}`].sort(),
  )
  await w.owner.delete(`/trials/${copy._id}`)
  for (const name of rows.map(({ storedName }) => uploadPath(place, storedName))) {
    for (let tries = 0; existsSync(name) && tries < 200; tries++) await Bun.sleep(5)
    expect(existsSync(name)).toBe(false)
  }
  for (const name of [source.video, source.picture, source.unused])
    expect(existsSync(uploadPath(place, name))).toBe(true)
})

test('only a trial that can be read is copied', async () => {
  const w = world()
  const source = configured(w)
  const creator = w.invite(['trials.create'])
  const copy = async (from: string) =>
    (await creator.call('POST', `/teams/${w.team}/trials`, { name: 'Copy', copyFrom: from })).status
  expect(await copy(source.trial)).toBe(404)
  expect(await copy('f'.repeat(24))).toBe(404)
  const grant = (scope: string, keys: string) =>
    w.db.$client.run(
      `INSERT OR REPLACE INTO permissions VALUES ('${creator._id}', '${source.trial}', '${scope}', '["${keys}"]')`,
    )
  grant(source.site, 'site.read')
  expect(await copy(source.trial)).toBe(403)
  expect(w.db.select().from(trials).all()).toHaveLength(1)
  grant(source.trial, 'trial.read')
  expect(await copy(source.trial)).toBe(200)
})

const hex = fc.stringMatching(/^[0-9a-f]{24}$/)
const configuration = (ids: string[]) =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(...ids),
      fc.tuple(fc.constantFrom(...ids), fc.nat(99)).map(([id, n]) => `${id}::${n}`),
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.constantFrom(...ids), fc.constantFrom('stage', 'dataType')), tie('value'), {
        maxKeys: 4,
      }),
    ),
  })).value

test('remap replaces every reference, and the way back gives what was', () => {
  const cases = fc
    .uniqueArray(hex, { minLength: 2, maxLength: 8 })
    .filter((ids) => ids.length % 2 === 0)
    .chain((all) => {
      const old = all.slice(0, all.length / 2)
      return configuration(old).map((value) => ({ old, fresh: all.slice(all.length / 2), value }))
    })
  fc.assert(
    fc.property(cases, ({ old, fresh, value }) => {
      const there = replaceIds(value, new Map(old.map((id, at) => [id, fresh[at]!])))
      for (const id of old) expect(JSON.stringify(there)).not.toContain(id)
      expect(replaceIds(there, new Map(fresh.map((id, at) => [id, old[at]!])))).toEqual(value)
      expect(replaceIds(value, new Map())).toEqual(value)
    }),
  )
})

test.each([
  ['Sleep', [], 'sleep'],
  ['Sleep', ['sleep'], 'sleep-2'],
  ['Sleep', ['sleep', 'sleep-2', 'sleep-3'], 'sleep-4'],
  ['  Ärzte & Söhne: 2026 ', [], 'arzte-sohne-2026'],
  ['A randomised controlled trial of everything', [], 'a-randomised'],
  ['Pneumonoultramicroscopicsilicovolcanoconiosis', [], 'pneumonoultramicrosc'],
  ['睡眠の研究', [], 'trial'],
  ['睡眠の研究', ['trial'], 'trial-2'],
  ['X', [], 'trial-x'],
])('the code of %j with %j taken is %s', (name, taken: string[], code) => {
  expect(codeFrom(name, (code) => taken.includes(code), 'abcdef')).toBe(code)
})

test('a hundred trials of one name do not make the next one slow', () => {
  const asked: string[] = []
  expect(codeFrom('Sleep', (code) => asked.push(code) > 0, 'abcdef')).toBe('sleep-abcdef')
  expect(asked).toHaveLength(99)
})
