import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { anchors, auditEntries, dataTypes, groups, roles, sites, stageGroups, stages } from '#db/tables/index'
import { codeFrom } from '#design/trials/rules'
import { isId } from '#kernel/id'
import { type World, world } from '../../harness'
import { configured } from './copy.study'

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

test('a copy has the whole configuration and nothing else, and refers to its own parts only', async () => {
  const w = world()
  const source = configured(w)
  const before = configurationOf(w, source.trial)
  const copy = await w.owner.do('createTrial', w.team, { name: 'Copy', copyFrom: source.trial })
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
