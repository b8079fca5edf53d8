/**
 * Models of data types: the questions of a study, and the settings of each format (docs/data-types.md, "Value formats").
 */
import { translationsOf } from '#design/translations/model'
import { formats } from '#kernel/formats'
import * as t from '#wire/schema'
import { functionNames } from './functions'

export { formats }

/** The kind of answers to a data type. */
export const Format = t.oneOf(...formats)
export type Format = t.ValueOf<typeof Format>

/** A setting that may be left out; null removes it. */
export const optionalSetting = <T extends Parameters<typeof t.orNull>[0]>(schema: T) => t.maybe(t.orNull(schema))

/** The fields of an option but its translations. */
export const optionFields = {
  label: t.withDescription('The value of answers.', t.text(1, 500)),
  code: t.maybe(t.orNull(t.either(t.text(1, 100), t.number()))),
  isExclusive: t.maybe(t.flag()),
  missing: t.maybe(
    t.withDescription(
      'It says why there is no answer, such as “Not done”: chosen, by itself only, it counts as answered, and not as a value.',
      t.flag(),
    ),
  ),
}
/** The fields of a point of a scale but its translations. */
export const pointFields = { value: t.either(t.number(), t.text(1, 100)), label: t.text(0, 500) }
/** The fields of a statement but its translations. */
export const statementFields = { key: t.text(1, 100), label: t.text(1, 2000) }

const Option = t.shape('ChoiceOption', {
  ...optionFields,
  translations: translationsOf('OptionTexts', { label: t.text(1, 500) }),
})
const ScalePoint = t.shape('ScalePoint', {
  ...pointFields,
  translations: translationsOf('ScalePointTexts', { label: t.text(0, 500) }),
})
const Statement = t.shape('LikertStatement', {
  ...statementFields,
  translations: translationsOf('StatementTexts', { label: t.text(1, 2000) }),
})

const EXPRESSION = `A calculation with the stage's other fields, by code: round(weight / (height / 100) ^ 2, 1). Operators: + - * / % ^, = <> < > <= >=, and, or, not, x ? a : b. Functions: ${functionNames.join(', ')}. Days count as numbers, a choice is its code, parts are code.key (a Likert's statement, a table's column, height and weight of a BMI); a calculation with a blank has no value. More at /manual/calculations.`

/** The settings of formats that a column of a table can have, too. */
export const scalarSettings = {
  minLength: optionalSetting(t.whole(0, 100_000)),
  maxLength: optionalSetting(t.whole(1, 100_000)),
  pattern: optionalSetting(t.withDescription('A regular expression that the whole text must match.', t.text(1, 200))),
  min: optionalSetting(
    t.withDescription(
      'A number; a date, moment or time of day for those formats.',
      t.either(t.number(), t.text(1, 40)),
    ),
  ),
  max: optionalSetting(t.either(t.number(), t.text(1, 40))),
  step: optionalSetting(t.withDescription('Counted from min, else from 0.', t.number())),
  decimals: optionalSetting(t.whole(0, 10)),
  minLabel: optionalSetting(t.text(0, 200)),
  maxLabel: optionalSetting(t.text(0, 200)),
  allowPast: optionalSetting(t.flag()),
  allowFuture: optionalSetting(t.flag()),
  options: optionalSetting(t.list(Option, 1000)),
  multiple: optionalSetting(t.flag()),
  minSelected: optionalSetting(t.whole(0, 1000)),
  maxSelected: optionalSetting(t.whole(1, 1000)),
  scale: optionalSetting(t.list(ScalePoint, 100)),
  statements: optionalSetting(t.list(Statement, 200)),
  allowNotApplicable: optionalSetting(t.flag()),
  minHeight: optionalSetting(t.withDescription('In cm.', t.number())),
  maxHeight: optionalSetting(t.withDescription('In cm.', t.number())),
  minWeight: optionalSetting(t.withDescription('In kg.', t.number())),
  maxWeight: optionalSetting(t.withDescription('In kg.', t.number())),
  mimeTypes: optionalSetting(t.withDescription('Such as application/pdf or image/*.', t.list(t.text(1, 100), 50))),
  maxSize: optionalSetting(t.withDescription('In bytes.', t.whole(1))),
  expression: optionalSetting(t.withDescription(EXPRESSION, t.text(1, 2000))),
}

/** The fields of a column but its settings and translations. */
export const columnFields = {
  id: t.oneLine(1, 100),
  label: t.text(1, 500),
  format: Format,
  unit: optionalSetting(t.text(0, 50)),
}
const endTexts = { unit: t.text(0, 50), minLabel: t.text(0, 200), maxLabel: t.text(0, 200) }

const Column = t.shape('TableColumn', {
  ...columnFields,
  ...scalarSettings,
  translations: translationsOf('ColumnTexts', { label: t.text(1, 500), ...endTexts }),
})

const settings = {
  ...scalarSettings,
  columns: optionalSetting(t.list(Column, 100)),
  minRows: optionalSetting(t.whole(0, 1000)),
  maxRows: optionalSetting(t.whole(1, 1000)),
}

const inputFields = {
  name: t.oneLine(1, 200),
  code: t.maybe(
    t.withDescription('The variable name in exports; without it, the server makes one from the name.', t.text(1, 32)),
  ),
  description: t.maybe(t.orNull(t.text(0, 5000))),
  annotation: t.maybe(
    t.orNull(
      t.withDescription('A note for the study team; participants and printed forms do not show it.', t.text(0, 20_000)),
    ),
  ),
  format: Format,
  unit: optionalSetting(t.text(0, 50)),
  isRestricted: t.maybe(t.flag()),
  isPii: t.maybe(t.flag()),
  translations: translationsOf('DataTypeTexts', { name: t.oneLine(1, 200), description: t.text(0, 5000), ...endTexts }),
  ...settings,
}

/** The fields of a new data type; an update takes any of them. `settingsProblems` checks which settings fit the format. */
export const DataTypeInput = t.shape('DataTypeInput', inputFields)
export type DataTypeInput = t.ValueOf<typeof DataTypeInput>

export const DataType = t.joinShapes(
  'DataType',
  t.shape({ _id: t.id(), trial: t.maybe(t.id()), createdAt: t.instant(), updatedAt: t.maybe(t.instant()) }),
  DataTypeInput,
)
export type DataType = t.ValueOf<typeof DataType>

/** The settings of every format in one shape. */
export const DataTypeSettings = t.shape('DataTypeSettings', settings)
export type DataTypeSettings = t.ValueOf<typeof DataTypeSettings>

/** What decides whether a value is valid: a data type or a table's column. */
export type FieldSettings = { format: Format } & DataTypeSettings
export type TableColumn = t.ValueOf<typeof Column>
