/** The kinds of answers that a data type can take, in the order of the specification. */
export const formats = [
  'text',
  'paragraph',
  'integer',
  'float',
  'slider',
  'rating',
  'measurements',
  'date',
  'datetime',
  'time',
  'choice',
  'likert',
  'table',
  'bmi',
  'file',
  'image',
  'video',
  'calculation',
] as const

export type Format = (typeof formats)[number]
