/** A field of a form as it is read: for the areas that show one. */
export { Avatar } from './avatar'
export { ReadingProvider, useReading, useReadingContext } from './context'
export { FieldHistory } from './history'
export { field, useFieldTexts } from './texts'
export { FieldValue, Range } from './value'
