/**
 * What can be wrong with an answer, by code, in English. Each text follows the title of the question: “Pulse” must be from 30 to 220.
 * The other languages have the same keys and placeholders. A key that ends in `.one` or `.other` is chosen by `{count}`.
 */
export const answerTexts = {
  required: 'is required',
  openStatements: 'needs an answer to: {statements}',
  computed: 'is computed by the service',
  studyTeamOnly: 'is answered by the study team only',
  answeredInFuture: 'cannot have been answered in the future: please check the clock of the device',
  tooManySteps: 'takes too long to check against its pattern together with the other answers',

  notText: 'must be text',
  'tooLong.one': 'must be at most {count} character',
  'tooLong.other': 'must be at most {count} characters',
  'tooShort.one': 'must be at least {count} character',
  'tooShort.other': 'must be at least {count} characters',
  pattern: 'must be in the form {pattern}',

  notNumber: 'must be a number',
  between: 'must be from {min} to {max}',
  tooSmall: 'must be at least {min}',
  tooLarge: 'must be at most {max}',
  notWhole: 'must be a whole number',
  'decimals.one': 'must have at most {count} decimal',
  'decimals.other': 'must have at most {count} decimals',
  step: 'must be in steps of {step} from {from}',

  notDate: 'must be a date such as 2026-03-01T00:00:00Z',
  notMoment: 'must be a date and time such as 2026-03-01T09:30:00Z',
  notTime: 'must be a time of day such as 09:30',
  tooEarly: 'must not be before {min}',
  tooLate: 'must not be after {max}',
  past: 'must not be in the past',
  future: 'must not be in the future',

  notOptions: 'must be a list of the chosen options',
  noOption: 'must be one of: {options}',
  noOptionOfMany: 'must be one of: {options}, … ({count} in all)',
  twice: 'takes “{option}” once only',
  oneOption: 'takes one option only',
  tooManyOptions: 'takes at most {count} options',
  exclusive: 'takes “{option}” by itself only',
  'tooFewOptions.one': 'needs at least {count} option',
  'tooFewOptions.other': 'needs at least {count} options',

  notStatements: 'must be an object of answers by statement',
  noStatement: 'has no statement “{statement}”',
  notApplicable: 'cannot be “not applicable” for “{statement}”',
  noPoint: 'must be one of: {options} (for “{statement}”)',
  noPointOfMany: 'must be one of: {options}, … ({count} in all) (for “{statement}”)',

  notRows: 'must be a list of rows',
  notRow: 'must be a list of rows, each an object by column (row {row} is not)',
  noColumn: 'has no column “{column}” (row {row})',
  cell: 'row {row}, “{column}” {problem}',
  'tooFewRows.one': 'must have at least {count} row',
  'tooFewRows.other': 'must have at least {count} rows',
  'tooManyRows.one': 'must have at most {count} row',
  'tooManyRows.other': 'must have at most {count} rows',

  notBmi: 'must be an object with height and weight',
  noMeasure: 'has no “{measure}”, only height and weight',
  bmiNotNumber: 'must have a number as bmi',
  bmiDiffers: 'must have the bmi that follows from height and weight, {bmi}',
  heightMissing: 'needs the height too',
  weightMissing: 'needs the weight too',
  heightNotNumber: 'must have a number as height',
  weightNotNumber: 'must have a number as weight',
  heightBetween: 'must have a height from {min} to {max} cm',
  weightBetween: 'must have a weight from {min} to {max} kg',

  notFile: 'must be an uploaded file: an object with fileName and name',
  otherFile: 'must be a file that was uploaded for this participant',
  fileType: 'must be a file of type {types}',
  fileSize: 'must be at most {size}',
} as const

/** The texts of another language. */
export type AnswerTexts = Readonly<Record<keyof typeof answerTexts, string>>
