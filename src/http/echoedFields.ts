/**
 * Fields of a PUT that only another operation sets. What a GET returned can be sent back: such a field is accepted if it is as it is,
 * and refused with the name of the other operation if it differs (docs/contract.md, "Requests").
 */
import { type TSchema, TypeGuard } from '@sinclair/typebox'
import { isObject, type JsonObject } from '#kernel/json'
import { refuse } from '#kernel/problem'
import { type BodyFields, type CheckResult, setElsewhere } from '#wire/check'
import type { AnyOperation } from './operation'

/** Whether the answer may have the field. */
const hasAnswerField = (schema: TSchema, field: string): boolean =>
  TypeGuard.IsUnion(schema)
    ? schema.anyOf.some((branch) => hasAnswerField(branch, field))
    : TypeGuard.IsObject(schema) && Object.hasOwn(schema.properties, field)

/** The fields that may be sent back: of a PUT those that its answer has. By name, with the operation that sets them. */
export function echoedFields({ method, returns }: AnyOperation, { setElsewhere }: BodyFields): Map<string, string> {
  if (method !== 'PUT') return new Map()
  return new Map([...setElsewhere].filter(([field]) => hasAnswerField(returns, field)))
}

type EchoPlan = { echoedFields: ReadonlyMap<string, string> }
type Check = (value: unknown) => CheckResult

/** Checks a body without such fields, which are returned with the result. If the rest is wrong, they are problems too. */
export function checkEchoedFields(
  { echoedFields }: EchoPlan,
  check: Check,
  body: unknown,
): { checked: CheckResult; echoedValues?: JsonObject } {
  const isOwn = ([field]: [string, unknown]) => !echoedFields.has(field)
  if (!isObject(body) || Object.entries(body).every(isOwn)) return { checked: check(body) }
  const fields = Object.entries(body)
  const checked = check(Object.fromEntries(fields.filter(isOwn)))
  if (checked.problems) return { checked: check(body) }
  return { checked, echoedValues: Object.fromEntries(fields.filter((each) => !isOwn(each))) }
}

type EchoContext = { plan: EchoPlan; echoedValues?: JsonObject | undefined; result: unknown }

/** Refuses (422) fields that were sent with another value than the answer has, since this operation does not set them. */
export function requireEchoUnchanged({ plan: { echoedFields }, echoedValues = {}, result }: EchoContext): void {
  const after = isObject(result) ? result : {}
  const changed = Object.keys(echoedValues).filter((field) => !Bun.deepEquals(echoedValues[field], after[field]))
  if (!changed.length) return
  throw refuse.invalid(Object.fromEntries(changed.map((field) => [field, [setElsewhere(echoedFields.get(field)!)]])))
}
