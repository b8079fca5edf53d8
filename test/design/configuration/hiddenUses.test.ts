/** A field that is hidden from the editor decides and computes nothing that the editor adds or changes. */
import { expect, test } from 'bun:test'
import { operations } from '#start/app'
import { fieldsIn, nameOf } from '../../every-operation.shared'
import { dictionary } from '../../exchange/imports/files'
import {
  type Attempt,
  CREATE_STAGE,
  CREATE_TYPE,
  change,
  createHiddenFieldStudy,
  EDIT_STAGE,
  EDIT_TRIAL,
  EDIT_TYPE,
  importing,
  stageOf,
} from '../configuration/hiddenUses.study'

/** Everything by which an editor could let a hidden answer decide something that they see. */
const refused: Attempt[] = [
  [
    'a calculation',
    CREATE_TYPE,
    (s) => ['POST', `/trials/${s.trial}/data-types`, { name: 'c', format: 'calculation', expression: 'ARM + 1' }],
  ],
  [
    'a calculation of a calculation',
    CREATE_TYPE,
    (s) => ['POST', `/trials/${s.trial}/data-types`, { name: 'c', format: 'calculation', expression: 'twice / 2' }],
  ],
  [
    'a calculation with a PII field',
    CREATE_TYPE,
    (s) => ['POST', `/trials/${s.trial}/data-types`, { name: 'c', format: 'calculation', expression: 'phone' }],
  ],
  ['a changed expression', EDIT_TYPE, (s) => ['PUT', `/data-types/${s.sum}`, { expression: 'open + arm' }]],
  [
    'another expression with the same field',
    EDIT_TYPE,
    (s) => ['PUT', `/data-types/${s.twice}`, { expression: 'arm * 3' }],
  ],
  ['another rounding of the result', EDIT_TYPE, (s) => ['PUT', `/data-types/${s.twice}`, { decimals: 2 }]],
  [
    'a flag on a field that a calculation uses',
    EDIT_TYPE,
    (s) => ['PUT', `/data-types/${s.open}`, { isRestricted: true }],
  ],
  ['a PII flag on such a field', EDIT_TYPE, (s) => ['PUT', `/data-types/${s.other}`, { isPii: true }]],
  [
    'a new stage with a condition',
    CREATE_STAGE,
    (s) => ['POST', `/trials/${s.trial}/stages`, stageOf(s, s.field(s.other, s.shownBy(s.arm)))],
  ],
  [
    'a new stage with a condition on a calculation',
    CREATE_STAGE,
    (s) => ['POST', `/trials/${s.trial}/stages`, stageOf(s, s.field(s.other, s.shownBy(s.twice)))],
  ],
  ...[true, false].map(
    (isSoft): Attempt => [
      `a new stage with a ${isSoft ? 'soft' : 'hard'} constraint`,
      CREATE_STAGE,
      (s) => [
        'POST',
        `/trials/${s.trial}/stages`,
        stageOf(s, { ...s.field(s.other), constraint: { expression: 'arm > 1', message: 'No.', isSoft } }),
      ],
    ],
  ),
  [
    'a changed stage with a constraint',
    EDIT_STAGE,
    (s) => change(s, { ...s.field(s.other), constraint: { expression: 'isblank(TWICE)', message: 'No.' } }),
  ],
  [
    'a copy of a stage with a condition',
    CREATE_STAGE,
    (s) => ['POST', `/trials/${s.trial}/stages`, { copyFrom: s.blinded }],
  ],
  ['a copy of a stage with scores', CREATE_STAGE, (s) => ['POST', `/trials/${s.trial}/stages`, { copyFrom: s.scored }]],
  [
    'an import with a condition on a personal field',
    CREATE_STAGE,
    (s) => [
      'POST',
      `/trials/${s.trial}/stages?creationType=importFromExternalTool`,
      importing(
        'redcap',
        dictionary([
          { field_name: 'email', identifier: 'y' },
          { field_name: 'news', branching_logic: "[email] = 'x'" },
        ]),
      ),
    ],
  ],
  [
    'an import with a calculation of a personal field',
    CREATE_STAGE,
    (s) => [
      'POST',
      `/trials/${s.trial}/stages?creationType=importFromExternalTool`,
      importing(
        'redcap',
        dictionary([
          { field_name: 'age', text_validation_type_or_show_slider_number: 'integer', identifier: 'y' },
          { field_name: 'older', field_type: 'calc', select_choices_or_calculations: '[age] + 1' },
        ]),
      ),
    ],
  ],
  ['a condition on a restricted field', EDIT_STAGE, (s) => change(s, s.field(s.other, s.shownBy(s.arm)))],
  ['a condition on a PII field', EDIT_STAGE, (s) => change(s, s.field(s.other, s.shownBy(s.phone)))],
  [
    'a condition on a notification',
    EDIT_STAGE,
    (s) => change(s, s.field(s.other), { id: 'n', type: 'scheduledNotification', title: 'n', ...s.shownBy(s.arm) }),
  ],
  [
    'another value in a condition',
    EDIT_STAGE,
    (s) => [
      'PUT',
      `/stages/${s.blinded}`,
      { components: [...s.fields, s.field(s.other, s.shownBy(s.arm, 2)), s.field(s.sum)] },
    ],
  ],
  [
    'another field under a condition',
    EDIT_STAGE,
    (s) => [
      'PUT',
      `/stages/${s.blinded}`,
      { components: [s.field(s.open, s.shownBy(s.arm)), s.field(s.arm), s.field(s.other)] },
    ],
  ],
  [
    'points for a restricted field',
    EDIT_STAGE,
    (s) => ['PUT', `/stages/${s.plain}`, { components: [s.field(s.open), s.field(s.arm, s.points(1))] }],
  ],
  [
    'other points',
    EDIT_STAGE,
    (s) => ['PUT', `/stages/${s.scored}`, { components: [s.field(s.open), s.field(s.arm, s.points(3))] }],
  ],
  [
    'points that change a score with a hidden part',
    EDIT_STAGE,
    (s) => ['PUT', `/stages/${s.scored}`, { components: [s.field(s.open, s.points(1)), s.field(s.arm, s.points(2))] }],
  ],
  [
    'another submit rule',
    EDIT_STAGE,
    (s) => ['PUT', `/stages/${s.scored}`, { onSubmitRules: [s.rule, { ...s.rule, id: 'second' }] }],
  ],
  [
    'another threshold',
    EDIT_STAGE,
    (s) => [
      'PUT',
      `/stages/${s.scored}`,
      { onSubmitRules: [{ ...s.rule, conditions: [{ id: 'c', operator: 'less', scoreThreshold: 3 }] }] },
    ],
  ],
  [
    'another action',
    EDIT_STAGE,
    (s) => [
      'PUT',
      `/stages/${s.scored}`,
      { onSubmitRules: [{ ...s.rule, actions: [{ id: 'a', type: 'showMessage', message: 'High' }] }] },
    ],
  ],
  [
    'a rule of automatic queries',
    EDIT_TRIAL,
    (s) => ['PUT', `/trials/${s.trial}`, { smartAutomaticQueryInstructions: 'open > 1\narm < 2' }],
  ],
  [
    'a rule of automatic queries on a calculation',
    EDIT_TRIAL,
    (s) => ['PUT', `/trials/${s.trial}`, { smartAutomaticQueryInstructions: '- Open before TWICE.' }],
  ],
  [
    'a code that a rule of automatic queries names',
    EDIT_TYPE,
    (s) => ['PUT', `/data-types/${s.phone}`, { code: 'Sky' }],
  ],
  [
    'a new PII field with such a code',
    CREATE_TYPE,
    (s) => ['POST', `/trials/${s.trial}/data-types`, { name: 'Sky', code: 'sky', format: 'integer', isPii: true }],
  ],
  [
    'a flag on a field that such a rule uses',
    EDIT_TYPE,
    (s) => ['PUT', `/data-types/${s.lonely}`, { isRestricted: true }],
  ],
]

test.each(refused)('403 for %s', async (_, operation, request) => {
  const s = await createHiddenFieldStudy()
  const [method, url, body] = request(s)
  const before = s.db.$client.query('SELECT * FROM stages').all()
  const types = s.db.$client.query('SELECT * FROM dataTypes').all()
  const trials = s.db.$client.query('SELECT settings FROM trials').all()
  const { status, body: answer } = await s.editor.call(method, url, body)
  expect([operation, status, answer.message]).toEqual([
    operation,
    403,
    expect.stringMatching(/ would use “.+”, whose answers you may not read: that needs trial\.\w+(Restricted|Pii)\.$/),
  ])
  expect(answer.details.needs.length).toBe(1)
  expect(s.db.$client.query('SELECT * FROM stages').all()).toEqual(before)
  expect(s.db.$client.query('SELECT * FROM dataTypes').all()).toEqual(types)
  expect(s.db.$client.query('SELECT settings FROM trials').all()).toEqual(trials)
  // Somebody who sees these answers may do it, and the refusal says which permission that needs.
  const seeing = s.staff(s.trial, ['trial.write', ...answer.details.needs])
  expect((await seeing.call(method, url, body)).status).toBe(200)
})

/** The fields of bodies by which something comes to depend on an answer, directly or with a copy or an import. */
const deciding =
  /^(expression|condition|scoringRules|onSubmitRules|isRestricted|isPii|copyFrom|importData|prompt|.*Instructions)$/

test('every operation that could make something depend on an answer is tried', () => {
  const tried = new Set(refused.map(([, operation]) => operation))
  const found = operations.filter(({ body }) => fieldsIn(body).some((field) => deciding.test(field))).map(nameOf)
  // Who creates a trial may see every answer in it.
  expect(found.filter((name) => !tried.has(name))).toEqual(['POST /teams/:teamId/trials'])
})
