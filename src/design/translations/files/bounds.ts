/** The bounds of translations: those that the models have for the same text in a request. */
import { type TSchema, TypeGuard } from '@sinclair/typebox'
import { DataTypeInput } from '#design/dataTypes/model'
import { ResourceInput } from '#design/participantResources/model'
import { StageInput } from '#design/stages/model'
import type { TextPlace } from '#design/translations/rules'
import { TrialSettings } from '#design/trials/settingsModel'
import type { Reason } from '#kernel/refusals/reason'
import { checker } from '#wire/check'
import type { Owner } from './texts'

const models: Record<Owner['noun'], TSchema> = {
  trial: TrialSettings,
  stages: StageInput,
  dataTypes: DataTypeInput,
  resources: ResourceInput,
}

/** The schema without null, and the items of a list. */
function withoutNull(schema: TSchema): TSchema {
  if (TypeGuard.IsUnion(schema)) return withoutNull(schema.anyOf.find((each) => !TypeGuard.IsNull(each)) ?? schema)
  return schema
}

const fieldOf = (schema: TSchema, field: string): TSchema => {
  const object = withoutNull(schema)
  return withoutNull(TypeGuard.IsObject(object) ? (object.properties[field] ?? object) : object)
}

/** The schema of the translations of a text. */
function schemaOf({ noun }: Owner, { path, field, at }: TextPlace): TSchema {
  let schema = models[noun]
  const steps = path.slice(0, at === undefined ? -1 : -2)
  for (let n = 0; n < steps.length; n++) {
    schema = fieldOf(schema, steps[n]!)
    if (!TypeGuard.IsArray(schema)) continue
    schema = withoutNull(schema.items)
    n++ // the step that says which of the list
  }
  const translations = fieldOf(schema, 'translations')
  const texts = TypeGuard.IsRecord(translations) ? Object.values(translations.patternProperties)[0] : undefined
  const found = fieldOf(texts ?? translations, field)
  return TypeGuard.IsArray(found) ? found.items : found
}

/** What is wrong with the translation of a text; undefined if it fits the bounds of the source text. */
export const boundsProblem = (owner: Owner, place: TextPlace, text: string): Reason | undefined =>
  Object.values(checker(schemaOf(owner, place))(text).problems ?? {})[0]?.[0]
