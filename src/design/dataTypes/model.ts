/**
 * Models of data types: the questions of a study, and the settings of each format (docs/data-types.md, "Value formats").
 */
import { translationsOf } from '#design/translations/model'
import { formats } from '#kernel/formats'
import {
  either,
  flag,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  number,
  oneLine,
  oneOf,
  orNull,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'
import { functionNames } from './functions'

export { formats }

/** The kind of answers to a data type. */
export const Format = oneOf(...formats)
export type Format = ValueOf<typeof Format>

/** A setting that may be left out; null removes it. */
export const optionalSetting = <T extends Parameters<typeof orNull>[0]>(schema: T) => maybe(orNull(schema))

/** The fields of an option but its translations. */
export const optionFields = {
  label: withDescription('The value of answers.', text(1, 500)),
  code: maybe(orNull(either(text(1, 100), number()))),
  isExclusive: maybe(flag()),
  missing: maybe(
    withDescription(
      'It says why there is no answer, such as “Not done”: chosen, by itself only, it counts as answered, and not as a value.',
      flag(),
    ),
  ),
}
/** The fields of a point of a scale but its translations. */
export const pointFields = { value: either(number(), text(1, 100)), label: text(0, 500) }
/** The fields of a statement but its translations. */
export const statementFields = { key: text(1, 100), label: text(1, 2000) }

const Option = shape('ChoiceOption', {
  ...optionFields,
  translations: translationsOf('OptionTexts', { label: text(1, 500) }),
})
const ScalePoint = shape('ScalePoint', {
  ...pointFields,
  translations: translationsOf('ScalePointTexts', { label: text(0, 500) }),
})
const Statement = shape('LikertStatement', {
  ...statementFields,
  translations: translationsOf('StatementTexts', { label: text(1, 2000) }),
})

const EXPRESSION = `A calculation with the stage's other fields, by code: round(weight / (height / 100) ^ 2, 1). Operators: + - * / % ^, = <> < > <= >=, and, or, not, x ? a : b. Functions: ${functionNames.join(', ')}. Days count as numbers, a choice is its code, parts are code.key (a Likert's statement, a table's column, height and weight of a BMI); a calculation with a blank has no value. More at /manual/calculations.`

/** The settings of formats that a column of a table can have, too. */
export const scalarSettings = {
  minLength: optionalSetting(whole(0, 100_000)),
  maxLength: optionalSetting(whole(1, 100_000)),
  pattern: optionalSetting(withDescription('A regular expression that the whole text must match.', text(1, 200))),
  min: optionalSetting(
    withDescription('A number; a date, moment or time of day for those formats.', either(number(), text(1, 40))),
  ),
  max: optionalSetting(either(number(), text(1, 40))),
  step: optionalSetting(withDescription('Counted from min, else from 0.', number())),
  decimals: optionalSetting(whole(0, 10)),
  minLabel: optionalSetting(text(0, 200)),
  maxLabel: optionalSetting(text(0, 200)),
  allowPast: optionalSetting(flag()),
  allowFuture: optionalSetting(flag()),
  options: optionalSetting(list(Option, 1000)),
  multiple: optionalSetting(flag()),
  minSelected: optionalSetting(whole(0, 1000)),
  maxSelected: optionalSetting(whole(1, 1000)),
  scale: optionalSetting(list(ScalePoint, 100)),
  statements: optionalSetting(list(Statement, 200)),
  allowNotApplicable: optionalSetting(flag()),
  minHeight: optionalSetting(withDescription('In cm.', number())),
  maxHeight: optionalSetting(withDescription('In cm.', number())),
  minWeight: optionalSetting(withDescription('In kg.', number())),
  maxWeight: optionalSetting(withDescription('In kg.', number())),
  mimeTypes: optionalSetting(withDescription('Such as application/pdf or image/*.', list(text(1, 100), 50))),
  maxSize: optionalSetting(withDescription('In bytes.', whole(1))),
  expression: optionalSetting(withDescription(EXPRESSION, text(1, 2000))),
}

/** The fields of a column but its settings and translations. */
export const columnFields = {
  id: oneLine(1, 100),
  label: text(1, 500),
  format: Format,
  unit: optionalSetting(text(0, 50)),
}
const endTexts = { unit: text(0, 50), minLabel: text(0, 200), maxLabel: text(0, 200) }

const Column = shape('TableColumn', {
  ...columnFields,
  ...scalarSettings,
  translations: translationsOf('ColumnTexts', { label: text(1, 500), ...endTexts }),
})

const settings = {
  ...scalarSettings,
  columns: optionalSetting(list(Column, 100)),
  minRows: optionalSetting(whole(0, 1000)),
  maxRows: optionalSetting(whole(1, 1000)),
}

const inputFields = {
  name: oneLine(1, 200),
  code: maybe(
    withDescription('The variable name in exports; without it, the server makes one from the name.', text(1, 32)),
  ),
  description: maybe(orNull(text(0, 5000))),
  annotation: maybe(
    orNull(
      withDescription('A note for the study team; participants and printed forms do not show it.', text(0, 20_000)),
    ),
  ),
  format: Format,
  unit: optionalSetting(text(0, 50)),
  isRestricted: maybe(flag()),
  isPii: maybe(flag()),
  translations: translationsOf('DataTypeTexts', { name: oneLine(1, 200), description: text(0, 5000), ...endTexts }),
  ...settings,
}

/** The fields of a new data type; an update takes any of them. `settingsProblems` checks which settings fit the format. */
export const DataTypeInput = shape('DataTypeInput', inputFields)
export type DataTypeInput = ValueOf<typeof DataTypeInput>

export const DataType = joinShapes(
  'DataType',
  shape({ _id: id(), trial: maybe(id()), createdAt: instant(), updatedAt: maybe(instant()) }),
  DataTypeInput,
)
export type DataType = ValueOf<typeof DataType>

/** The settings of every format in one shape. */
export const DataTypeSettings = shape('DataTypeSettings', settings)
export type DataTypeSettings = ValueOf<typeof DataTypeSettings>

/** What decides whether a value is valid: a data type or a table's column. */
export type FieldSettings = { format: Format } & DataTypeSettings
export type TableColumn = ValueOf<typeof Column>
