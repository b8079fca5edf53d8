/**
 * What to do about an answer, in English: sentences that stand beside the field, which names the question already. By the codes of
 * `../en.ts`. What the controls of a form cannot give has `again`. A key that ends in `.one` or `.other` is chosen by `{count}`.
 */
export const instructionTexts = {
  again: 'Answer this question again.',
  required: 'Answer this question.',
  rule: 'Check this answer: it does not fit a rule of the study.',
  openStatements: 'Answer this too: {statements}.',
  answeredInFuture: 'Check the clock of this device: it is ahead.',
  tooManySteps: 'Enter a shorter text.',

  'tooLong.one': 'Enter at most {count} character.',
  'tooLong.other': 'Enter at most {count} characters.',
  'tooShort.one': 'Enter at least {count} character.',
  'tooShort.other': 'Enter at least {count} characters.',
  pattern: 'Enter it in the form that this question asks for.',

  notNumber: 'Enter a number.',
  between: 'Enter a number from {min} to {max}.',
  tooSmall: 'Enter {min} or more.',
  tooLarge: 'Enter {max} or less.',
  notWhole: 'Enter a whole number.',
  'decimals.one': 'Enter a number with at most {count} decimal.',
  'decimals.other': 'Enter a number with at most {count} decimals.',
  step: 'Enter a number in steps of {step} from {from}.',

  notDate: 'Enter the whole date, or remove what is there.',
  notMoment: 'Enter the whole date and time, or remove what is there.',
  notTime: 'Enter the whole time, or remove what is there.',
  dateBetween: 'Enter a date from {min} to {max}.',
  timeBetween: 'Enter a time from {min} to {max}.',
  tooEarly: 'Enter {min} or later.',
  tooLate: 'Enter {max} or earlier.',
  past: 'Enter a date that is not in the past.',
  future: 'Enter a date that is not in the future.',

  noOption: 'Choose one of: {options}.',
  noOptionOfMany: 'Choose one of: {options}, … ({count} in all).',
  oneOption: 'Choose one option only.',
  tooManyOptions: 'Choose at most {count}.',
  exclusive: 'Choose “{option}” alone, or remove it.',
  'tooFewOptions.one': 'Choose at least {count}.',
  'tooFewOptions.other': 'Choose at least {count}.',

  cell: 'Entry {row}, “{column}”: {problem}',
  'tooFewRows.one': 'Add entries: at least {count} is needed.',
  'tooFewRows.other': 'Add entries: at least {count} are needed.',
  'tooManyRows.one': 'Remove entries: at most {count} is taken.',
  'tooManyRows.other': 'Remove entries: at most {count} are taken.',

  heightMissing: 'Enter the height too.',
  weightMissing: 'Enter the weight too.',
  heightNotNumber: 'Enter the height as a number.',
  weightNotNumber: 'Enter the weight as a number.',
  heightBetween: 'Enter a height from {min} to {max} cm.',
  weightBetween: 'Enter a weight from {min} to {max} kg.',

  notFile: 'Choose the file again.',
  otherFile: 'Choose the file again.',
  fileType: 'Choose a file of this type: {types}.',
  fileSize: 'Choose a file of at most {size}.',
} as const

/** The texts of another language. */
export type InstructionTexts = Readonly<Record<keyof typeof instructionTexts, string>>
