/** Writes JSON Schema as types of TypeScript. */
import type { Schema } from '#http/docs/schema'

const isName = (text: string) => /^[A-Za-z_$][\w$]*$/.test(text)
const property = (name: string) => (isName(name) ? name : JSON.stringify(name))

/** A comment of one or more lines; nothing without a text. */
export function comment(text: unknown, indent = ''): string {
  if (typeof text !== 'string' || !text) return ''
  const lines = text.replaceAll('*/', '* /').split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

const listOf = (item: string) => (/^[\w$.]+(\[\])*$/.test(item) ? `${item}[]` : `(${item})[]`)

const typeNames: Record<string, string> = {
  integer: 'number',
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  null: 'null',
}

/** The type that a schema describes. */
export function typeOf(schema: Schema, indent = ''): string {
  const { $ref, type, anyOf, allOf, enum: values } = schema
  if (typeof $ref === 'string') return $ref.split('/').at(-1)!
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((each) => typeOf(each, indent)))].join(' | ')
  if (Array.isArray(allOf)) return allOf.map((each) => `(${typeOf(each, indent)})`).join(' & ')
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each }, indent)).join(' | ')
  if (type === 'array') {
    if (Array.isArray(schema.prefixItems))
      return `[${schema.prefixItems.map((each) => typeOf(each, indent)).join(', ')}]`
    return listOf(typeOf(Object(schema.items), indent))
  }
  if (type === 'object') return objectType(schema, indent)
  return typeof type === 'string' ? typeNames[type]! : 'unknown'
}

function objectType({ properties, required, additionalProperties }: Schema, indent: string): string {
  const fields: [string, Schema][] = Object.entries(Object(properties))
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  if (!fields.length) {
    if (additionalProperties === undefined || additionalProperties === false) return 'Record<string, never>'
    return `Record<string, ${typeOf(Object(additionalProperties), indent)}>`
  }
  const inner = `${indent}  `
  const lines = fields.map(([name, field]) => {
    const optional = isRequired(name) ? '' : '?'
    return `${comment(field.description, inner)}${inner}${property(name)}${optional}: ${typeOf(field, inner)}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}
