/** Functions that walk through the OpenAPI document, for tests. */

import { openapi } from '#http/docs/document'
import { testingOperations } from '#server/testing/operations'
import { operations } from '#start/app'

export type Json = { [key: string]: Json } & Json[]

/** The document as the server serves it. */
export const read = (value: unknown): Json => JSON.parse(JSON.stringify(value))

export const all = [...operations, ...testingOperations]

export const document = read(openapi(all))

/** Calls `visit` with every object of the document and the path that leads to it. */
export function walk(value: unknown, visit: (object: Json, path: string) => void, path = '#'): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(value as Json, path)
  for (const [key, inner] of Object.entries(value)) walk(inner, visit, `${path}/${key}`)
}

/** What a reference leads to; the object itself if it is none. */
export function resolved(object: Json): Json {
  if (object.$ref === undefined) return object
  return `${object.$ref}`
    .split('/')
    .slice(1)
    .reduce<Json>((inner, key) => inner[key]!, document)
}
