/** Says what is wrong with a value. */
import { type TSchema, TypeGuard } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/compiler'
import { type Reason, reason } from '#kernel/refusals/reason'
import { isOneLine } from './schema'

/** What a wrong value should have been. */
export function problem(error: ValueError): Reason {
  const schema = error.schema as TSchema & Record<string, number>
  if (error.type === ValueErrorType.ObjectRequiredProperty) return ownReason(schema.missing) ?? reason('missing')
  if (error.type === ValueErrorType.ObjectAdditionalProperties) return reason('unknownField')
  const own = ownReason(schema.problem)
  if (own) return own
  switch (error.type) {
    case ValueErrorType.String:
      return reason('notText')
    case ValueErrorType.StringMinLength:
      return schema.minLength === 1 ? reason('empty') : reason('tooShort', { count: schema.minLength! })
    case ValueErrorType.StringMaxLength:
      return reason('tooLong', { count: schema.maxLength! })
    case ValueErrorType.StringPattern:
      return patternProblem(schema.pattern, error.value)
    case ValueErrorType.Boolean:
      return reason('notFlag')
    case ValueErrorType.Number:
      return reason('notNumber')
    case ValueErrorType.Integer:
      return reason('notWhole')
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return reason('tooSmall', { least: schema.minimum! })
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return reason('tooGreat', { most: schema.maximum! })
    case ValueErrorType.Array:
      return reason('notList')
    case ValueErrorType.ArrayMinItems:
      return schema.minItems === 1 ? reason('empty') : reason('tooFewEntries', { count: schema.minItems! })
    case ValueErrorType.ArrayMaxItems:
      return reason('tooManyEntries', { count: schema.maxItems! })
    case ValueErrorType.Object:
      return reason(error.path === '' ? 'notBody' : 'notObject', { with: fieldsText(schema) })
    case ValueErrorType.Union:
      return reason('notForm', { forms: [...new Set((schema.anyOf as unknown as TSchema[]).map(formText))] })
    default:
      return reason('notValid')
  }
}

/** The reason that a model names itself. */
const ownReason = (own: unknown) => own as Reason | undefined

/** What is wrong with a text that does not fit a pattern. */
function patternProblem(pattern: unknown, value: unknown): Reason {
  if (pattern !== '\\S' && !isOneLine(pattern)) return reason('notValid')
  return reason(typeof value === 'string' && /\S/.test(value) ? 'severalLines' : 'blank')
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
export function* leafErrors(errors: Iterable<ValueError>): Generator<ValueError> {
  for (const error of errors) {
    const inner = error.type === ValueErrorType.Union ? valueErrors(error) : undefined
    if (inner) yield* leafErrors(inner)
    else yield error
  }
}

/** The errors of the only branch that is not null; undefined if there are several, or the union has a text of its own. */
function valueErrors({ schema, errors }: ValueError): Iterable<ValueError> | undefined {
  if (schema.problem !== undefined) return undefined
  const branches = (schema.anyOf as TSchema[]).flatMap((branch, at) => (TypeGuard.IsNull(branch) ? [] : [at]))
  return branches.length === 1 ? errors[branches[0]!] : undefined
}
