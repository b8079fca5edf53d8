/** The model of a data type as participants see it: in one language, and without the note for the study team. */
import { list, maybe, shape, text, withDescription } from '#wire/schema'
import {
  columnFields,
  DataType,
  optionalSetting,
  optionFields,
  pointFields,
  scalarSettings,
  statementFields,
} from './model'

const ShownOption = shape('ShownOption', {
  ...optionFields,
  text: maybe(withDescription('What to show in place of the label, in the language of the answer.', text(1, 500))),
})

const shownScalars = {
  ...scalarSettings,
  options: optionalSetting(list(ShownOption, 1000)),
  scale: optionalSetting(list(shape('ShownScalePoint', pointFields), 100)),
  statements: optionalSetting(list(shape('ShownStatement', statementFields), 200)),
}

const ShownColumn = shape('ShownColumn', { ...columnFields, ...shownScalars })

const { annotation: _, translations: __, ...fields } = DataType.properties

/** A data type as participants see it. */
export const ShownDataType = shape('ShownDataType', {
  ...fields,
  ...shownScalars,
  columns: optionalSetting(list(ShownColumn, 100)),
})
