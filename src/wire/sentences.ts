/** Describes in plain sentences what is wrong with a value. */
import { type TSchema, TypeGuard } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/compiler'
import { isOneLine } from './words'

/** What a wrong value should have been, as a sentence. */
export function sentence(error: ValueError): string {
  const schema = error.schema as TSchema & Record<string, unknown>
  if (error.type === ValueErrorType.ObjectRequiredProperty) {
    return typeof schema.missing === 'string' ? schema.missing : 'Missing data for required field.'
  }
  if (error.type === ValueErrorType.ObjectAdditionalProperties) return 'Unknown field.'
  if (typeof schema.problem === 'string') return schema.problem
  switch (error.type) {
    case ValueErrorType.String:
      return 'Must be text.'
    case ValueErrorType.StringMinLength:
      return schema.minLength === 1 ? 'Must not be empty.' : `Must be at least ${schema.minLength} characters.`
    case ValueErrorType.StringMaxLength:
      return `Must be at most ${schema.maxLength} characters.`
    case ValueErrorType.StringPattern:
      return patternText(schema.pattern, error.value)
    case ValueErrorType.Boolean:
      return 'Must be true or false.'
    case ValueErrorType.Number:
      return 'Must be a number.'
    case ValueErrorType.Integer:
      return 'Must be a whole number.'
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return `Must be at least ${schema.minimum}.`
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return `Must be at most ${schema.maximum}.`
    case ValueErrorType.Array:
      return 'Must be a list.'
    case ValueErrorType.ArrayMinItems:
      return schema.minItems === 1 ? 'Must not be empty.' : `Must have at least ${schema.minItems} entries.`
    case ValueErrorType.ArrayMaxItems:
      return `Must have at most ${schema.maxItems} entries.`
    case ValueErrorType.Object:
      return `${error.path === '' ? 'The body must be a JSON object' : 'Must be an object'}${fieldsText(schema)}.`
    case ValueErrorType.Union:
      return `Must be ${[...new Set((schema.anyOf as TSchema[]).map(formText))].join(' or ')}.`
    default:
      return 'Is not valid.'
  }
}

/** What is wrong with a text that does not fit a pattern. */
function patternText(pattern: unknown, value: unknown): string {
  if (pattern !== '\\S' && !isOneLine(pattern)) return 'Is not valid.'
  return typeof value === 'string' && /\S/.test(value) ? 'Must be one line, without line breaks.' : 'Must not be blank.'
}

/** The first fields of an object, as an example of what it should be. */
function fieldsText(schema: TSchema): string {
  if (!TypeGuard.IsObject(schema)) return ''
  const names = Object.keys(schema.properties)
  if (!names.length) return ''
  if (names.length > 6) return ` with fields such as ${names.slice(0, 5).join(', ')}`
  return ` with the ${names.length === 1 ? 'field' : 'fields'} ${names.join(', ')}`
}

/** What a value of this schema is. */
function formText(schema: TSchema): string {
  if (TypeGuard.IsNull(schema)) return 'null'
  if (TypeGuard.IsLiteral(schema)) return JSON.stringify(schema.const)
  if (TypeGuard.IsArray(schema)) return 'a list'
  if (TypeGuard.IsObject(schema) || TypeGuard.IsRecord(schema)) return `an object${fieldsText(schema)}`
  if (TypeGuard.IsBoolean(schema)) return 'true or false'
  if (TypeGuard.IsNumber(schema)) return 'a number'
  return TypeGuard.IsInteger(schema) ? 'a whole number' : 'text'
}

/**
 * The errors of a value, each at the place where it is: of "a value or null", those within the value, so that the sentence does
 * not say only that neither fits.
 */
export function* placedErrors(errors: Iterable<ValueError>): Generator<ValueError> {
  for (const error of errors) {
    const inner = error.type === ValueErrorType.Union ? valueErrors(error) : undefined
    if (inner) yield* placedErrors(inner)
    else yield error
  }
}

/** The errors of the only branch that is not null; undefined if there are several, or the union has a text of its own. */
function valueErrors({ schema, errors }: ValueError): Iterable<ValueError> | undefined {
  if (typeof schema.problem === 'string') return undefined
  const branches = (schema.anyOf as TSchema[]).flatMap((branch, at) => (TypeGuard.IsNull(branch) ? [] : [at]))
  return branches.length === 1 ? errors[branches[0]!] : undefined
}
