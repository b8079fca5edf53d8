/** Says what is wrong with a value. */
import { type TSchema, TypeGuard } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/compiler'
import { type Reason, reason } from '#kernel/refusals/reason'
import { isOneLine } from './schema'

/** What a wrong value should have been. */
export function problem(error: ValueError): Reason {
  const { schema } = error
  if (error.type === ValueErrorType.ObjectRequiredProperty) return schema.missing ?? reason('missing')
  if (error.type === ValueErrorType.ObjectAdditionalProperties) return reason('unknownField')
  if (schema.problem !== undefined) return schema.problem
  switch (error.type) {
    case ValueErrorType.String:
      return reason('notText')
    case ValueErrorType.StringMinLength:
      return schema.minLength === 1 ? reason('empty') : reason('tooShort', { count: schema.minLength })
    case ValueErrorType.StringMaxLength:
      return reason('tooLong', { count: schema.maxLength })
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
      return reason('tooSmall', { least: schema.minimum })
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return reason('tooGreat', { most: schema.maximum })
    case ValueErrorType.Array:
      return reason('notList')
    case ValueErrorType.ArrayMinItems:
      return schema.minItems === 1 ? reason('empty') : reason('tooFewEntries', { count: schema.minItems })
    case ValueErrorType.ArrayMaxItems:
      return reason('tooManyEntries', { count: schema.maxItems })
    case ValueErrorType.Object:
      return objectProblem(schema, error.path === '')
    case ValueErrorType.Union:
      return reason('notForm', { forms: differing(schema.anyOf.map(formOf)) })
    default:
      return reason('notValid')
  }
}

/** What is wrong with a text that does not fit a pattern. */
function patternProblem(pattern: unknown, value: unknown): Reason {
  if (pattern !== '\\S' && !isOneLine(pattern)) return reason('notValid')
  return reason(typeof value === 'string' && /\S/.test(value) ? 'severalLines' : 'blank')
}

function objectProblem(schema: TSchema, isBody: boolean): Reason {
  const fields = fieldsOf(schema)
  if (!fields) return reason(isBody ? 'notBody' : 'notObject')
  return reason(isBody ? 'notBodyWith' : 'notObjectWith', { fields })
}

/** The first fields of an object, as an example of what it should be; undefined if it has none. */
function fieldsOf(schema: TSchema): Reason | undefined {
  const names = TypeGuard.IsObject(schema) ? Object.keys(schema.properties) : []
  if (!names.length) return undefined
  if (names.length > 6) return reason('withFieldsLike', { names: names.slice(0, 5) })
  return reason(names.length === 1 ? 'withField' : 'withFields', { names })
}

const textOf = (form: Reason | string): string => (typeof form === 'string' ? form : form.text)

/** The forms that people read as different ones. */
const differing = (forms: readonly (Reason | string)[]): (Reason | string)[] => [
  ...new Map(forms.map((form) => [textOf(form), form])).values(),
]

/** What a value of this schema is. */
function formOf(schema: TSchema): Reason | string {
  if (TypeGuard.IsNull(schema)) return 'null'
  if (TypeGuard.IsLiteral(schema)) return JSON.stringify(schema.const)
  if (TypeGuard.IsArray(schema)) return reason('formList')
  if (TypeGuard.IsObject(schema) || TypeGuard.IsRecord(schema)) {
    const fields = fieldsOf(schema)
    return fields ? reason('formObjectWith', { fields }) : reason('formObject')
  }
  if (TypeGuard.IsBoolean(schema)) return reason('formFlag')
  if (TypeGuard.IsNumber(schema)) return reason('formNumber')
  return TypeGuard.IsInteger(schema) ? reason('formWhole') : reason('formText')
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
  const branches: number[] = schema.anyOf.flatMap((branch: TSchema, at: number) =>
    TypeGuard.IsNull(branch) ? [] : [at],
  )
  return branches.length === 1 ? errors[branches[0]!] : undefined
}
