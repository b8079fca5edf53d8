import { describe, expect, test } from 'bun:test'
import { essentialRecords, referencesOf } from '#office/files/checklist/records'
import type { Stage } from '#office/files/checklist/recordType'
import {
  isLacking,
  type RecordFindings,
  type State,
  stageOfSite,
  stageOfTrial,
  stateOf,
} from '#office/files/checklist/rules'
import { titleOf } from '#office/files/checklist/titles'
import { fileTypes } from '#office/files/model'
import { foldName } from '#office/files/rules'
import { writerFor } from '#texts/writer'

const trial = { isDatabaseLocked: false, isArchived: false, participantCount: 0 }

test.each<[Partial<typeof trial>, Stage]>([
  [{}, 'before'],
  [{ participantCount: 1 }, 'during'],
  [{ participantCount: 1, isDatabaseLocked: true }, 'after'],
  [{ isDatabaseLocked: true }, 'after'],
  [{ isArchived: true }, 'after'],
])('a trial with %j is at the stage %s', (change, stage) => {
  expect(stageOfTrial({ ...trial, ...change })).toBe(stage)
})

const site = { approvalStatus: null as string | null, activityStatus: null as string | null, enrolled: 0 }

test.each<[Partial<typeof site>, Stage, Stage]>([
  [{}, 'before', 'before'],
  [{}, 'during', 'before'],
  [{}, 'after', 'after'],
  [{ enrolled: 1 }, 'during', 'during'],
  [{ activityStatus: 'activeRecruiting' }, 'before', 'during'],
  [{ activityStatus: 'activeNotRecruiting' }, 'during', 'during'],
  [{ activityStatus: 'closedToRecruitment' }, 'during', 'during'],
  [{ activityStatus: 'selected' }, 'during', 'before'],
  [{ activityStatus: 'pendingSelection' }, 'during', 'before'],
  [{ activityStatus: 'closed', enrolled: 3 }, 'during', 'after'],
  [{ approvalStatus: 'rejected', enrolled: 0 }, 'during', 'none'],
  [{ approvalStatus: 'rejected' }, 'after', 'none'],
])('a site with %j in a trial at %s is at the stage %s', (change, ofTrial, stage) => {
  expect(stageOfSite({ ...site, ...change }, ofTrial)).toBe(stage)
})

describe('the state of a record', () => {
  const days = { today: '2026-03-02', soon: '2026-04-01' }
  const plain = { due: 'during' } as const
  const personal = { due: 'before', isPersonal: true } as const
  const conditional = { due: 'during', isConditional: true } as const
  const nothing: RecordFindings = { isExempt: false, until: undefined, evidence: 'nothing', outdated: [] }
  const cases: [Parameters<typeof stateOf>[0], Stage, Partial<RecordFindings>, State][] = [
    [plain, 'before', {}, 'notDue'],
    [plain, 'during', {}, 'missing'],
    [plain, 'after', {}, 'missing'],
    [plain, 'none', {}, 'notDue'],
    [plain, 'none', { until: '2026-01-01' }, 'notDue'],
    [personal, 'none', { until: '9999-12-31', outdated: ['2026-01-01'] }, 'notDue'],
    // After the end nothing expires.
    [plain, 'after', { until: '2026-01-01' }, 'present'],
    [plain, 'after', { until: '2026-03-10' }, 'present'],
    [personal, 'after', { until: '9999-12-31', outdated: ['2026-01-01'] }, 'present'],
    [personal, 'after', { until: '2026-01-01', outdated: ['2026-01-01'] }, 'present'],
    [plain, 'during', { isExempt: true }, 'notApplicable'],
    [plain, 'during', { isExempt: true, until: '2026-01-01' }, 'notApplicable'],
    // A draft counts once the record is due.
    [plain, 'during', { until: null }, 'notApproved'],
    [plain, 'before', { until: null }, 'notDue'],
    [plain, 'before', { until: '9999-12-31' }, 'present'],
    [plain, 'during', { until: '2026-03-02' }, 'expiring'],
    [plain, 'during', { until: '2026-04-01' }, 'expiring'],
    [plain, 'during', { until: '2026-04-02' }, 'present'],
    [plain, 'during', { until: '2026-03-01' }, 'expired'],
    // It expires at any stage.
    [plain, 'before', { until: '2026-03-01' }, 'expired'],
    [plain, 'during', { evidence: 'found' }, 'present'],
    [plain, 'during', { evidence: 'found', until: '2026-03-01' }, 'present'],
    [plain, 'during', { evidence: 'unsigned' }, 'notApproved'],
    [plain, 'during', { evidence: 'hidden' }, 'hidden'],
    [plain, 'during', { evidence: 'hidden', until: '9999-12-31' }, 'present'],
    [conditional, 'during', {}, 'none'],
    [conditional, 'after', {}, 'none'],
    [conditional, 'before', { until: null }, 'notApproved'],
    [conditional, 'during', { until: '2026-03-01' }, 'expired'],
    // Of a record that each person has, one that has ended is not replaced by that of another person.
    [personal, 'during', { until: '9999-12-31', outdated: ['2026-03-01'] }, 'expired'],
    [personal, 'during', { until: '9999-12-31', outdated: ['2026-03-20', '2026-02-01'] }, 'expired'],
    [personal, 'during', { until: '9999-12-31', outdated: ['2026-03-20'] }, 'expiring'],
    [personal, 'during', { evidence: 'found', outdated: ['2026-03-01'] }, 'expired'],
    [personal, 'during', { until: '9999-12-31' }, 'present'],
  ]
  test.each(cases)('%j at the stage %s with %j is %s', (record, stage, found, state) => {
    expect(stateOf(record, stage, { ...nothing, ...found }, days)).toBe(state)
  })

  test('three states mean that it is lacking', () => {
    const states = [...new Set(cases.map(([, , , state]) => state))]
    expect(states.filter(isLacking).sort()).toEqual(['expired', 'missing', 'notApproved'])
  })
})

describe('the essential records', () => {
  const levels = (level: string) => essentialRecords.filter((record) => record.level === level)

  test('are those of the trial and of its sites, each with an id of its own', () => {
    const ids = essentialRecords.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(levels('trial').length).toBeGreaterThan(30)
    expect(levels('site').length).toBeGreaterThan(15)
  })

  test('name every section of ICH E6(R2) 8.2 to 8.4', () => {
    const named = new Set(essentialRecords.flatMap(({ sections }) => sections))
    const all = [
      ...Array.from({ length: 20 }, (_, n) => `8.2.${n + 1}`),
      ...Array.from({ length: 25 }, (_, n) => `8.3.${n + 1}`),
      ...Array.from({ length: 8 }, (_, n) => `8.4.${n + 1}`),
    ]
    expect(all.filter((section) => !named.has(section))).toEqual([])
    expect([...named].filter((section) => !all.includes(section))).toEqual([])
    expect(essentialRecords.map(referencesOf).every(([first]) => first === 'ICH E6(R3) Appendix C')).toBe(true)
  })

  test('are found by types that exist, and by words as searches compare them', () => {
    for (const { id, types, words, source } of essentialRecords) {
      expect([id, types.filter((type) => !fileTypes.includes(type))]).toEqual([id, []])
      expect([id, words.filter((word) => word !== foldName(word).trim())]).toEqual([id, []])
      expect([id, new Set(words).size]).toEqual([id, words.length])
      expect([id, types.length + words.length > 0 || source !== undefined]).toEqual([id, true])
    }
  })

  test('are on the page of the manual, as the checklist has them', async () => {
    const page = await Bun.file('docs/essential-records.md').text()
    const rows = essentialRecords.map(({ id, sections, due, isConditional, isIndispensable }) => {
      const title = titleOf(writerFor('en'), id)
      const when = `${due}${isConditional ? ', if any' : ''}${isIndispensable ? ' \\*' : ''}`
      return `| ${title} | \`${id}\` | ${sections.join(', ') || '–'} | ${when} |`
    })
    expect(rows.filter((row) => !page.includes(row))).toEqual([])
    expect(page.match(/^\| [^|]+ \| `\w+` \| (8\.|–)/gm)).toHaveLength(essentialRecords.length)
  })

  test('have a title in each language, each another one', () => {
    for (const language of ['en', 'de', 'fr', 'es']) {
      for (const level of ['trial', 'site']) {
        const titles = levels(level).map(({ id }) => titleOf(writerFor(language), id))
        expect(titles.every((title) => title.length > 3)).toBe(true)
        expect(new Set(titles).size).toBe(titles.length)
      }
    }
  })
})
