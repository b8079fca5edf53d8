/** The formats of data types, which say what kind of answer they take, in the order in which menus list them. */
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

/** Formats whose answers are uploaded files. */
export const UPLOAD_FORMATS: ReadonlySet<string> = new Set(['file', 'image', 'video'])
