/** The named models of the OpenAPI document: each is written once, and every use refers to it. */
import type { TSchema } from '#wire/schema'
import { type Direction, jsonSchema, type Refer, type Schema } from './schema'

export type Models = {
  /** The schema of a body or a response, a reference if it has a name. */
  schema(model: TSchema, direction: Direction): Schema
  /** The schemas that are referred to, by name and in the order of their names. */
  components(): Record<string, Schema>
}

/**
 * A model that is also in a response has another schema in a body, since a body may have no other fields: `Stage` is then
 * called `StageInput` there.
 * @param returned all models of responses
 * @throws if two models have the same name
 */
export function namedModels(returned: readonly TSchema[]): Models {
  const byName = new Map<string, Schema>()
  const inResponses = new Set<string>()

  const refer: Refer = (model, direction) => {
    const { name: own, description: _, ...bare } = model
    const name = direction === 'in' && inResponses.has(own) ? `${own.replace(/Input$/, '')}Input` : own
    if (direction === 'out') inResponses.add(own)
    const known = byName.get(name)
    const schema = jsonSchema({ ...bare, personal: false } as TSchema, direction, refer)
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`Two models are called ${name}.`)
    byName.set(name, schema)
    return { $ref: `#/components/schemas/${name}` }
  }
  const schemaOf = (model: TSchema, direction: Direction) =>
    model.name === undefined ? jsonSchema(model, direction, refer) : refer(model, direction)

  for (const model of returned) schemaOf(model, 'out')
  return {
    schema: schemaOf,
    components: () => Object.fromEntries([...byName].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
