// biome-ignore-all lint/suspicious/noTemplateCurlyInString: XLSForms name fields by ${name}
/** Random studies: every format, texts that are difficult in files, conditions, calculations. */
import fc from 'fast-check'
import type { ImportPlan, PlannedComponent, PlannedType } from '#design/stages/importPlan'
import { constraintOf } from '#exchange/imports/common/softRange'

const nasty = [
  'a, b | c',
  '<b>bold</b> &amp; "quoted"',
  '=1+1',
  "it's",
  ' two\n\nlines ',
  '1 < 2 > 0',
  '&lt;p&gt;',
  'ünïcödé 漢字 🙂',
  '@TRIALBOX={"x":1}',
  '@HIDDEN',
  '\u0001control',
  '${a}',
  '007',
  'TRUE',
  'a\tb  c',
  '  ',
]
const someText = fc.oneof(fc.constantFrom(...nasty), fc.string({ minLength: 1, maxLength: 20 }))
const texts = someText
const codes = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,10}$/)
const optional = <T>(name: string, value: fc.Arbitrary<T>) =>
  fc.option(value, { nil: undefined }).map((found) => (found === undefined ? {} : { [name]: found }))
const all = (...parts: fc.Arbitrary<object>[]) =>
  fc.tuple(...parts).map((found) => Object.assign({}, ...found) as object)
const ofFormat = (format: string, ...parts: fc.Arbitrary<object>[]) => all(fc.constant({ format }), ...parts)
const numbers = [
  optional('min', fc.integer({ min: -5, max: 5 })),
  optional('max', fc.integer({ min: 6, max: 500 })),
  optional('decimals', fc.integer({ min: 0, max: 6 })),
  optional('step', fc.constantFrom(0.5, 2)),
]
const optionList = fc
  .uniqueArray(
    fc.record(
      {
        label: texts.filter((text) => text.trim() !== ''),
        code: fc.oneof(
          fc.integer({ min: -9, max: 99 }),
          fc.constantFrom('a b', 'x', '01', '1,5'),
          fc.constant(undefined),
        ),
      },
      { requiredKeys: ['label'] },
    ),
    {
      minLength: 1,
      maxLength: 5,
      selector: ({ label }) => label.toLowerCase(),
    },
  )
  .map((options) => ({
    options: options.map(({ label, code }, n) => ({
      label,
      ...(code === undefined ? {} : { code }),
      ...(n === 3 ? { isExclusive: true } : {}),
      ...(n === 2 ? { missing: true } : {}),
    })),
  }))

const settings: fc.Arbitrary<object>[] = [
  ofFormat(
    'text',
    optional('maxLength', fc.integer({ min: 5, max: 800 })),
    optional('pattern', fc.constantFrom('\\d{5}', `[a-z"']+`)),
  ),
  ofFormat('paragraph', optional('minLength', fc.constant(3))),
  ofFormat('integer', ...numbers),
  ofFormat('float', ...numbers),
  ofFormat('measurements', ...numbers),
  ofFormat('rating', ...numbers),
  ofFormat('slider', ...numbers, optional('minLabel', texts), optional('maxLabel', texts)),
  ofFormat('date', optional('min', fc.constant('2020-01-01')), optional('allowFuture', fc.constantFrom(false, true))),
  ofFormat(
    'datetime',
    optional('max', fc.constantFrom('2020-01-01', '2030-05-05T10:30:00Z')),
    optional('allowPast', fc.constant(false)),
  ),
  ofFormat('time', optional('min', fc.constant('08:00')), optional('max', fc.constant('20:15:30'))),
  all(ofFormat('choice'), optionList, optional('multiple', fc.constant(true))),
  ofFormat('bmi', optional('maxHeight', fc.constant(220))),
  ofFormat('file', optional('mimeTypes', fc.constantFrom(['audio/*'], ['application/pdf']))),
  ofFormat('image'),
  ofFormat('video', optional('maxSize', fc.constant(1000))),
  ofFormat(
    'calculation',
    fc.record({ expression: fc.constantFrom('1 + 2', 'if(today() > 3, "a", 2 ^ 2)', 'round(3 / 7, 2)') }),
  ),
  all(
    ofFormat('likert', optional('allowNotApplicable', fc.constant(true))),
    fc.record({
      scale: fc.uniqueArray(
        fc.record({ value: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom('low', '01')), label: texts }),
        { minLength: 1, maxLength: 4, selector: ({ value }) => String(value) },
      ),
      statements: fc.uniqueArray(fc.record({ key: fc.oneof(codes, fc.constantFrom('a b', 'q.1')), label: texts }), {
        minLength: 1,
        maxLength: 4,
        selector: ({ key }) => key.toLowerCase(),
      }),
    }),
  ),
  all(
    ofFormat('table', optional('minRows', fc.constant(2)), optional('maxRows', fc.constantFrom(2, 4))),
    fc.record({
      columns: fc.uniqueArray(
        fc.oneof(
          all(fc.record({ id: codes, label: texts }), ofFormat('integer', ...numbers)),
          all(fc.record({ id: codes, label: texts }), ofFormat('text')),
          all(fc.record({ id: codes, label: texts }), ofFormat('choice'), optionList),
        ) as fc.Arbitrary<{ id: string }>,
        { minLength: 1, maxLength: 3, selector: ({ id }) => id.toLowerCase() },
      ),
    }),
  ),
]

const type = fc
  .tuple(
    fc.oneof(...settings),
    fc.record({ name: texts.filter((name) => !/[\n\r\v\f\u0085\u2028\u2029]/.test(name)) }),
    optional('description', texts),
    optional('annotation', fc.oneof(texts, fc.constantFrom('x @HIDDEN', '@HIDDEN-SURVEY', '@FORCE-MINMAX'))),
    optional('unit', fc.constantFrom('kg', 'mm[Hg]')),
    optional('isPii', fc.constant(true)),
    optional('isRestricted', fc.constant(true)),
  )
  .map((parts) => Object.assign({}, ...parts) as PlannedType)

const dataTypes = fc
  .array(fc.tuple(codes, type), { minLength: 1, maxLength: 8 })
  .map((list) =>
    list
      .filter(([code], n) => list.findIndex(([other]) => other.toLowerCase() === code.toLowerCase()) === n)
      .map(([code, type]) => ({ ...type, code })),
  )

/** A condition that is valid for a data type. */
function conditionOn(asked: PlannedType, pick: number): PlannedComponent['condition'] {
  const dataType = asked.code.toLowerCase()
  const operator = (['equal', 'notequal', 'more', 'less'] as const)[pick % 4]!
  switch (asked.format) {
    case 'choice':
      return {
        dataType,
        operator: pick % 2 ? 'equal' : 'notequal',
        value: asked.options![pick % asked.options!.length]!.label,
      }
    case 'integer':
    case 'float':
    case 'slider':
    case 'bmi':
      return { dataType, operator, value: pick - 3 }
    case 'date':
      return { dataType, operator, value: '2024-02-29' }
    case 'text':
      return { dataType, operator: pick % 2 ? 'equal' : 'notequal', value: nasty[pick % nasty.length]! }
    case 'likert':
      return { dataType, operator: 'equal', value: asked.scale![0]!.value, statement: asked.statements![0]!.key }
    default:
      return { dataType, operator: 'exists' }
  }
}

/** How a field is asked: required, hidden, or with a constraint; one kind of them is a range as an import makes it. */
function asAsked(kind: Record<string, unknown>, { code, format }: PlannedType): object {
  if (!('isSoft' in kind)) return kind
  const range = format === 'date' ? { min: '2020-01-31', max: { now: true as const } } : { min: -1.5, max: 40 }
  const usual = kind.isSoft === 'usual' ? constraintOf(code, format, range) : undefined
  return { constraint: usual ?? { expression: `isblank(${code}) or ${code} != 7`, isSoft: kind.isSoft === true } }
}

const component = fc.tuple(
  fc.record({ title: texts }),
  optional('description', texts),
  fc.oneof(
    fc.constant({}),
    fc.constantFrom({ isRequired: true }, { isHidden: true }, { isSoft: true }, { isSoft: false }, { isSoft: 'usual' }),
  ),
  fc.option(fc.nat(20), { nil: undefined }),
  fc.nat(9),
)

/** One to three stages, some of which ask the same data types; components have no ids. */
export const plans: fc.Arbitrary<ImportPlan> = dataTypes.chain((types) =>
  fc
    .array(
      fc.record({
        name: fc.constantFrom('Baseline', 'baseline', 'Visit 2: <b>', 'Übersicht', 'Form 1'),
        description: fc.option(texts, { nil: undefined }),
        adHoc: fc.option(fc.constant(true), { nil: undefined }),
        asked: fc.shuffledSubarray(types),
        parts: fc.array(component, { minLength: types.length * 2, maxLength: types.length * 2 }),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map((stages) => {
      const made = stages.map(({ name, description, adHoc, asked, parts }) => ({
        name,
        ...(description ? { description } : {}),
        ...(adHoc ? { adHoc } : {}),
        components: asked.flatMap((own, n) => {
          const build = ([title, note, required, pick]: (typeof parts)[number], base: object, before: number) => {
            const other = pick === undefined || before < 1 ? undefined : asked[pick % before]
            return {
              ...base,
              ...title,
              ...note,
              ...('dataType' in base ? asAsked(required, own) : {}),
              ...(other ? { condition: conditionOn(other, pick!) } : {}),
            }
          }
          const [one, two] = [parts[n * 2]!, parts[n * 2 + 1]!]
          const field = build(one, { dataType: own.code.toLowerCase() }, n)
          const heading = build(two, { type: (['title', 'sectionDivider'] as const)[two[4] % 2] }, n)
          return (two[4] > 5 ? [heading, field] : [field]) as PlannedComponent[]
        }),
      }))
      const used = new Set(made.flatMap(({ components }) => components.map(({ dataType }) => dataType)))
      return { stages: made, dataTypes: types.filter(({ code }) => used.has(code.toLowerCase())), warnings: [] }
    }),
)

/** A plan without the fields that each import sets anew, for comparison. */
export const bare = ({ stages, dataTypes }: ImportPlan) => ({
  stages: stages.map(({ components, ...stage }) => ({
    ...stage,
    components: components.map(({ id: _, ...rest }) => rest),
  })),
  dataTypes: dataTypes.toSorted((a, b) => (a.code < b.code ? -1 : 1)),
})
