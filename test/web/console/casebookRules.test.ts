/** What a casebook shows, by the answers of the API: states, forms, questions, the history of a field. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Access, holds } from '#access/caller'
import { keysOf } from '#access/keys'
import { hiddenFrom } from '#design/hiddenFields/hiddenFields'
import { inheritFlags } from '#design/hiddenFields/inheritedFlags'
import { firstForm, formListOf, type StaffTimeline } from '#web/console/areas/participants/participant/formList'
import { closedFields } from '#web/console/parts/field/closedFields'
import { fieldHistory } from '#web/console/parts/field/fieldHistory'
import { countAnswers, formRowsOf, isField } from '#web/console/parts/field/formRows'
import type { DataType, Reading, Stage } from '#web/console/parts/field/reading'
import { formState } from '#web/console/parts/formState'

const NOW = Date.parse('2026-03-10T12:00:00Z')
const BEFORE = '2026-03-01T08:00:00Z'
const LATER = '2026-04-01T08:00:00Z'

type Entry = StaffTimeline['stages'][number]
const entry = (stage: string, more: Partial<Entry> = {}): Entry => ({
  ...{ _id: stage, stage, stageRecurrence: 0, name: `Form ${stage}`, description: '' },
  ...{ enabled: true, completed: false, completedAt: null, enableAt: BEFORE, expired: false, adHoc: false },
  ...{ behind: false, isPoll: false, visible: true },
  ...more,
})

type Response = Reading['responses'][number]
const answer = (value: unknown) => ({ value, createdAt: BEFORE, createdBy: 'u', createdByType: 'user' as const })
const response = (stage: string, recurrence: number, values: Record<string, unknown> = {}): Response => ({
  ...{ _id: `${stage}-${recurrence}`, trial: 't', stage, stageRecurrence: recurrence, participant: 'p' },
  ...{ participantId: 'P-1', createdAt: BEFORE, updatedAt: BEFORE, status: null, partialSubmission: false },
  response: Object.fromEntries(Object.entries(values).map(([id, value]) => [id, answer(value)])),
})
const reading = (responses: Response[], more: Partial<Reading> = {}): Reading => ({
  ...{ responses, responseValidations: {}, signatures: [], queries: [], drafts: [] },
  ...{ participant: { _id: 'p', id: 'P-1' } },
  ...more,
})
const query = (of: string, dataType: string | null, status: 'open' | 'answered' | 'closed') => ({
  ...{ _id: `q-${of}`, trial: 't', createdAt: BEFORE, updatedAt: BEFORE, createdBy: 'u', isAutomatic: false },
  ...{ rule: null, instructions: null, participant: 'p', participantId: 'P-1', response: of, stage: 'a' },
  ...{ stageRecurrence: 0, dataType, status, assignees: [], messages: [] },
})

test.each<[string, Partial<Entry>, boolean, string]>([
  ['it opens later', { enableAt: LATER }, false, 'waiting'],
  ['its opening is not known', { enableAt: null }, false, 'waiting'],
  ['it has opened', {}, false, 'open'],
  ['it is there at any time', { adHoc: true, enableAt: null }, false, 'open'],
  ['a draft is kept', {}, true, 'started'],
  ['a draft is kept of one that is late', { behind: true }, true, 'behind'],
  ['its cut-off has passed', { behind: true }, false, 'behind'],
  ['its window has ended', { expired: true, behind: true }, false, 'missed'],
  ['it is answered', { completed: true, expired: true }, true, 'complete'],
])('the state of a form: %s', (_, facts, hasDraft, state) => {
  expect(formState(entry('a', facts), NOW, hasDraft)).toBe(state as never)
})

const stages = [
  { _id: 'a', name: 'Form a', enabled: true },
  { _id: 'staff', name: 'For staff', enabled: false },
  { _id: 'elsewhere', name: 'Of another site', enabled: true },
]
const timeline = (...entries: Entry[]): StaffTimeline => ({ stages: entries, ratioComplete: 0, anchors: [] })

test('the forms are those of the participant: also those that only staff see, none of other sites, no empty poll', () => {
  const { scheduled, adHoc } = formListOf(
    timeline(
      entry('a'),
      entry('staff', { visible: false }),
      entry('elsewhere', { visible: false }),
      entry('poll', { visible: false, isPoll: true }),
      entry('event', { adHoc: true, stageRecurrence: null }),
    ),
    undefined,
    stages,
    NOW,
  )
  expect(scheduled.map(({ stage, state }) => [stage, state])).toEqual([
    ['a', 'open'],
    ['staff', 'open'],
  ])
  expect(adHoc.map(({ key, state }) => [key, state])).toEqual([['event', 'open']])
})

test('no response is left out: each entry of an ad hoc form, and one whose occurrence has gone', () => {
  const list = formListOf(
    timeline(entry('a', { completed: true }), entry('event', { adHoc: true, stageRecurrence: null, name: 'Event' })),
    reading([response('event', 1), response('event', 0), response('a', 0), response('a', 9)]),
    stages,
    NOW,
  )
  expect(list.adHoc.map(({ key, number, state }) => [key, number, state])).toEqual([
    ['event::0', 1, 'complete'],
    ['event::1', 2, 'complete'],
  ])
  expect(list.scheduled.map(({ key, response: own }) => [key, own?._id])).toEqual([
    ['a::0', 'a-0'],
    ['a::9', 'a-9'],
  ])
  expect(firstForm(list, 'event::1')?.key).toBe('event::1')
  expect(firstForm(list, 'nothing')?.key).toBe('a::9')
})

test('occurrences of the same name have numbers, those with names of their own have none', () => {
  const day = (n: number, name: string) => entry('a', { _id: `a::${n}`, stageRecurrence: n, name })
  const names = (...all: Entry[]) =>
    formListOf(timeline(...all), undefined, stages, NOW).scheduled.map(({ name, number }) => [name, number])
  expect(names(day(0, 'Diary'), day(1, 'Diary'))).toEqual([
    ['Diary', 1],
    ['Diary', 2],
  ])
  expect(names(day(0, 'Day 1'), day(1, 'Day 2'))).toEqual([
    ['Day 1', undefined],
    ['Day 2', undefined],
  ])
})

test('the marks of a form: the worst query, verified as a whole, signed while that is valid', () => {
  const marks = (more: Partial<Reading>) =>
    formListOf(timeline(entry('a', { completed: true })), reading([response('a', 0, { x: 1, y: 2 })], more), [], NOW)
      .scheduled[0]?.marks
  const mark = (dataType: string) => ({ dataType, verifiedAt: BEFORE, verifiedBy: 'm' })
  const signed = (valid: boolean) => ({
    ...{ _id: 's', trial: 't', participant: 'p', isCasebook: true, meaning: '', signer: { _id: 'i', name: 'I' } },
    ...{ signedAt: BEFORE, valid, responses: [{ response: 'a-0', valid }] },
  })
  const none = { query: undefined, isVerified: false, isSigned: false, isPartial: false }
  expect(marks({})).toEqual(none)
  expect(marks({ queries: [query('a-0', 'x', 'answered'), query('a-0', 'y', 'open')] })?.query).toBe('open')
  expect(marks({ queries: [query('a-0', 'x', 'closed'), query('a-0', 'y', 'answered')] })?.query).toBe('answered')
  expect(marks({ queries: [query('other', 'x', 'open')] })?.query).toBeUndefined()
  expect(marks({ responseValidations: { 'a-0': [mark('x')] } })?.isVerified).toBe(false)
  expect(marks({ responseValidations: { 'a-0': [mark('x'), mark('y')] } })?.isVerified).toBe(true)
  expect(marks({ signatures: [signed(true)] })?.isSigned).toBe(true)
  expect(marks({ signatures: [signed(false)] })?.isSigned).toBe(false)
})

const type = (id: string, more: Partial<DataType> = {}): DataType => ({
  ...{ _id: id, createdAt: BEFORE, name: `Type ${id}`, code: id, format: 'integer' },
  ...more,
})
const options = [{ label: 'Yes' }, { label: 'No' }, { label: 'Refused', missing: true }]
const types = [
  type('smokes', { format: 'choice', options }),
  type('packs'),
  type('years'),
  type('secret', { isRestricted: true }),
  type('name', { format: 'text', isPii: true }),
  type('both', { isRestricted: true, isPii: true }),
  type('after', {}),
  type('sum', { format: 'calculation', expression: 'packs * 2' }),
  type('told', { format: 'calculation', expression: 'secret + packs' }),
  type('former'),
]
const when = (dataType: string, value: unknown = 'Yes') => ({ dataType, operator: 'equal' as const, value })
const stage: Pick<Stage, 'components'> = {
  components: [
    { id: 'h', type: 'title', title: 'Smoking' },
    { id: '1', dataType: 'smokes', title: 'Do you smoke?', isRequired: true },
    { id: '2', dataType: 'packs', title: 'Packs', condition: when('smokes') },
    { id: '3', dataType: 'years', title: 'Years', condition: { dataType: 'packs', operator: 'exists' } },
    { id: '4', dataType: 'secret', title: 'A secret' },
    { id: '5', dataType: 'name', title: 'A name' },
    { id: '6', dataType: 'both', title: 'Both' },
    { id: '7', dataType: 'after', title: 'Because of the secret', condition: when('secret', 1) },
    { id: '8', dataType: 'sum', title: 'Sum' },
    { id: '9', dataType: 'told', title: 'Sum with the secret' },
    { id: 'n', type: 'scheduledNotification', title: 'Later' },
    { id: 'again', dataType: 'smokes', title: 'Asked twice' },
  ],
}
const holding = (...words: string[]): Access => ({
  trial: keysOf(words.map((each) => `trial.${each}`)),
  places: new Map(),
})
const nowhere = { sites: [], groups: [] }

function rowsFor(values: Record<string, unknown>, access: Access, reads: Partial<Reading> = {}) {
  return formRowsOf({
    ...{ stage, dataTypes: new Map(types.map((each) => [each._id, each])), zone: 'Europe/Berlin' },
    response: response('a', 0, values),
    reading: reading([], reads),
    closedReason: closedFields(types, access, nowhere),
  })
}
const statuses = (values: Record<string, unknown>, access = holding('read')) =>
  Object.fromEntries(
    rowsFor(values, access)
      .filter(isField)
      .map(({ dataType, status, closed }) => [dataType, closed ? `${status}: ${closed}` : status]),
  )

test('each question says what became of it', () => {
  const closed = {
    secret: 'closed: restricted',
    name: 'closed: personal',
    both: 'closed: both',
    told: 'closed: restricted',
  }
  const rest = { after: 'unknown', sum: 'blank', ...closed }
  expect(statuses({})).toEqual({ smokes: 'blank', packs: 'notAsked', years: 'notAsked', ...rest })
  expect(statuses({ smokes: ['Refused'] })).toEqual({ smokes: 'reason', packs: 'notAsked', years: 'notAsked', ...rest })
  expect(statuses({ smokes: ['Yes'], packs: null })).toEqual({
    ...{ smokes: 'answered', packs: 'removed', years: 'notAsked' },
    ...rest,
  })
  expect(statuses({ smokes: ['Yes'], packs: 2, sum: 4, former: 5 })).toEqual({
    ...{ smokes: 'answered', packs: 'answered', years: 'blank', former: 'answered' },
    ...{ ...rest, sum: 'answered' },
  })
})

test('who sees everything has no closed row, and the conditions on it are known', () => {
  const all = holding('read', 'readParticipantStudyDataRestricted', 'readParticipantStudyDataPii')
  expect(statuses({ secret: 1, told: 3 }, all)).toEqual({
    ...{ smokes: 'blank', packs: 'notAsked', years: 'notAsked', secret: 'answered', name: 'blank', both: 'blank' },
    ...{ after: 'blank', sum: 'blank', told: 'answered' },
  })
})

test('who may not list the fields of the study sees what the server sends, and the rest is closed', () => {
  const rows = formRowsOf({
    ...{ stage, dataTypes: new Map(), zone: 'UTC', reading: reading([]), response: response('a', 0, { packs: 2 }) },
    closedReason: closedFields([], holding('readParticipantStudyData'), nowhere),
  })
  const shown = rows
    .filter(isField)
    .map(({ dataType, status, closed, entry }) => [dataType, status, closed, entry?.value])
  expect(shown.slice(0, 2)).toEqual([
    ['smokes', 'closed', 'unknown', undefined],
    ['packs', 'answered', undefined, 2],
  ])
})

test('headings stand where they are, a notification is no question, and the values of closed fields are in no row', () => {
  const rows = rowsFor({ secret: 424_242, smokes: ['No'] }, holding('read'))
  expect(rows[0]).toEqual({ kind: 'heading', id: 'h', title: 'Smoking', description: undefined, isSection: false })
  expect(rows.filter(({ kind }) => kind === 'heading')).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain('424242')
  expect(countAnswers(rows)).toEqual({ answered: 1, asked: 2, verified: 0 })
})

test('a question has its queries and its mark', () => {
  const responseValidations = { 'a-0': [{ dataType: 'packs', verifiedAt: BEFORE, verifiedBy: 'm' }] }
  const queries = [query('a-0', 'packs', 'open'), query('a-0', null, 'open'), query('b-0', 'packs', 'open')]
  const rows = rowsFor({ smokes: ['Yes'], packs: 2 }, holding('read'), { responseValidations, queries })
  const packs = rows.filter(isField).find(({ dataType }) => dataType === 'packs')
  expect([packs?.queries.length, packs?.verified?.verifiedBy, packs?.askedBy]).toEqual([1, 'm', 'Do you smoke?'])
})

test('a field is closed exactly where the server leaves the answer out', () => {
  const words = ['readParticipantStudyDataRestricted', 'readParticipantStudyDataPii']
  const flags = inheritFlags(new Map(types.map((each) => [each._id, each])))
  const server = new Map(
    [...flags].map(([id, { isRestricted, isPii }]) => [id, { isRestricted: !!isRestricted, isPii: !!isPii }]),
  )
  const held = fc.record({
    onTrial: fc.subarray(words),
    onSite: fc.subarray(words),
    sites: fc.subarray(['s', 'other']),
  })
  fc.assert(
    fc.property(held, ({ onTrial, onSite, sites }) => {
      const place = { kind: 'site' as const, keys: keysOf(onSite.map((each) => `site.${each}`)) }
      const access = { ...holding(...onTrial), places: new Map([['s', place]]) }
      const places = { sites, groups: [] }
      const closed = closedFields(types, access, places)
      const hidden = hiddenFrom({ withInheritedFlags: server }, access, places)
      for (const id of [...types.map(({ _id }) => _id), 'gone'])
        expect([id, closed(id) !== undefined]).toEqual([id, hidden(id)])
      expect(holds(access, 'readParticipantStudyDataPii', places) && closed('name') !== undefined).toBe(false)
    }),
  )
})

test('the history of a field, newest first: each value, what it replaced and why, and the marks that began and ended', () => {
  const by = { createdBy: 'u', createdByType: 'user' as const }
  const submission = (
    number: number,
    at: string,
    changes: { dataType: string; value: unknown; replaced: unknown }[],
  ) => ({
    ...{ submission: number, createdAt: at, ...by, partialSubmission: false, changes },
    ...(number > 1 ? { updateNote: 'misread digit' } : {}),
  })
  const marks = [{ dataType: 'x', verifiedAt: '2', verifiedBy: 'm' }]
  const shown = fieldHistory(
    {
      history: [
        submission(1, '1', [
          { dataType: 'x', value: 130, replaced: null },
          { dataType: 'y', value: 1, replaced: null },
        ]),
        submission(2, '3', [{ dataType: 'x', value: 128, replaced: 130 }]),
      ],
      events: [
        { type: 'verified', createdAt: '2', ...by, dataTypes: ['x'] },
        { type: 'verified', createdAt: '2', ...by, dataTypes: ['y'] },
        { type: 'cleared', createdAt: '4', ...by, marks },
        { type: 'signed', createdAt: '5', ...by },
      ],
    },
    'x',
  )
  expect(shown.map((each) => (each.kind === 'change' ? [each.value, each.replaced, each.reason] : each.kind))).toEqual([
    'ended',
    [128, 130, 'misread digit'],
    'verified',
    [130, null, undefined],
  ])
})
