/** Describes in plain sentences what is wrong with a value. */
import { Kind, type TSchema, TypeGuard } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/compiler'
import { isObject } from '#kernel/json'

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
      return schema.pattern === '\\S' ? 'Must not be blank.' : 'Is not valid.'
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
      return `Must have at least ${schema.minItems} entries.`
    case ValueErrorType.ArrayMaxItems:
      return `Must have at most ${schema.maxItems} entries.`
    case ValueErrorType.Object:
      return 'Must be an object.'
    case ValueErrorType.Union:
      return unionSentence(error, schema)
    default:
      return 'Is not valid.'
  }
}

/** For "a value or null": what is wrong with the value itself. */
function unionSentence(error: ValueError, schema: TSchema): string {
  const branches = (schema.anyOf as TSchema[]).filter((branch) => branch[Kind] !== 'Null')
  if (branches.length === 1) {
    for (const inner of error.errors[schema.anyOf.indexOf(branches[0]!)] ?? []) {
      const within = inner.path.slice(error.path.length)
      return within ? `${within.slice(1).replaceAll('/', '.')}: ${sentence(inner)}` : sentence(inner)
    }
  }
  return 'Is not of an allowed form.'
}
