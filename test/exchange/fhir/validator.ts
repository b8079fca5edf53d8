/**
 * Checks resources against the structure definitions of FHIR R4, which test/fixtures/fhir/r4.json has in a short form: which elements
 * there are, how often, of which types, with which codes, and how primitive values are written. The invariants are checked by the validator
 * of Medplum, which evaluates their FHIRPath.
 */
import { indexStructureDefinitionBundle, validateResource } from '@medplum/core'
import definitions from '../../fixtures/fhir/r4.json'
import structures from '../../fixtures/fhir/structures.json'

type Definition = {
  min: number
  max: string
  types?: string[]
  codes?: string
  regex?: string
  same?: string
  targets?: string[]
}
type Type = { kind: string; elements: Record<string, Definition> }

const types = definitions.types as Record<string, Type>
const valueSets = definitions.valueSets as Record<string, string[]>

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The elements right below a path. */
const childrenOf = (elements: Type['elements'], path: string): [string, Definition][] =>
  Object.entries(elements).flatMap(([each, definition]) =>
    each.startsWith(`${path}.`) && !each.slice(path.length + 1).includes('.')
      ? [[each.slice(path.length + 1), definition]]
      : [],
  )

const JSON_TYPES: Record<string, string> = {
  ...{ boolean: 'boolean', integer: 'number', decimal: 'number', positiveInt: 'number', unsignedInt: 'number' },
}

function primitiveProblems(type: string, value: unknown, at: string): string[] {
  if (typeof value !== (JSON_TYPES[type] ?? 'string')) return [`${at}: is no ${type}`]
  const { regex } = types[type]!.elements[`${type}.value`] ?? {}
  if (value === '') return [`${at}: is empty`]
  return regex && !new RegExp(`^(?:${regex})$`).test(`${value}`)
    ? [`${at}: “${value}” is not written as a ${type}`]
    : []
}

function valueProblems(type: string, value: unknown, at: string, definition: Definition): string[] {
  if (type === 'Resource') return problemsOf(value as Record<string, unknown>, at)
  if (type.startsWith('http://hl7.org/fhirpath/')) return typeof value === 'string' ? [] : [`${at}: is no text`]
  const known = types[type]
  if (!known) return [`${at}: the type ${type} is not known`]
  if (known.kind === 'primitive-type') {
    const codes = definition.codes ? valueSets[definition.codes]! : undefined
    const isUnknown = codes && !codes.includes(`${value}`)
    return [
      ...primitiveProblems(type, value, at),
      ...(isUnknown ? [`${at}: “${value}” is no code of ${definition.codes}`] : []),
    ]
  }
  if (!isObject(value)) return [`${at}: is no object`]
  const problems = elementProblems(known.elements, type, value, at)
  const target =
    type === 'Reference' && typeof value.reference === 'string' ? value.reference.split('/').at(-2) : undefined
  if (target && definition.targets && !definition.targets.includes(target) && !definition.targets.includes('Resource'))
    problems.push(`${at}: refers to a ${target}`)
  return problems
}

/** The names by which an element may be in JSON, each with its type. */
function namesOf(name: string, { types: allowed = [] }: Definition): [string, string][] {
  if (!name.endsWith('[x]')) return [[name, allowed[0] ?? '']]
  return allowed.map((type) => [name.slice(0, -3) + capital(type), type])
}

function elementProblems(
  elements: Type['elements'],
  path: string,
  value: Record<string, unknown>,
  at: string,
): string[] {
  const problems: string[] = []
  const seen = new Set(['resourceType'])
  for (const [name, definition] of childrenOf(elements, path)) {
    let count = 0
    for (const [key, allowed] of namesOf(name, definition)) {
      // The definitions give the id of a resource the type of a text, and say elsewhere how it is written.
      const type = key === 'id' && types[path]?.kind === 'resource' ? 'id' : allowed
      seen.add(key)
      const given = value[key]
      if (given === undefined) continue
      const isList = definition.max !== '1'
      if (Array.isArray(given) !== isList) problems.push(`${at}.${key}: is ${isList ? 'no' : 'a'} list`)
      const list = Array.isArray(given) ? given : [given]
      if (!list.length) problems.push(`${at}.${key}: is an empty list`)
      if (definition.max === '0') problems.push(`${at}.${key}: is not allowed`)
      count += list.length
      for (const [index, each] of list.entries()) {
        const where = isList ? `${at}.${key}[${index}]` : `${at}.${key}`
        const inner = definition.same ?? (['BackboneElement', 'Element'].includes(type) ? `${path}.${name}` : undefined)
        if (inner === undefined) problems.push(...valueProblems(type, each, where, definition))
        else if (isObject(each)) problems.push(...elementProblems(elements, inner, each, where))
        else problems.push(`${where}: is no object`)
      }
    }
    if (count < definition.min) problems.push(`${at}.${name}: is missing`)
  }
  for (const key of Object.keys(value)) if (!seen.has(key)) problems.push(`${at}.${key}: is no element`)
  if (!Object.keys(value).length) problems.push(`${at}: is empty`)
  return problems
}

type Item = Record<string, unknown> & { linkId: string; type?: string; item?: Item[] }
const flat = (items: readonly Item[] = []): Item[] => items.flatMap((each) => [each, ...flat(each.item)])

/** Questions of conditions that the form does not have. No invariant of the specification says this. */
function missingQuestions({ item }: Record<string, unknown>): string[] {
  const items = flat(item as Item[] | undefined)
  const links = new Set(items.map(({ linkId }) => linkId))
  return items.flatMap(({ linkId, enableWhen }) =>
    ((enableWhen as { question: string }[] | undefined) ?? []).flatMap(({ question }) =>
      links.has(question) ? [] : [`enableWhen of ${linkId} names no item`],
    ),
  )
}

indexStructureDefinitionBundle(structures)

/**
 * What a validator of FHIR finds: the invariants, in FHIRPath, of the resource and of those in it. Codes and the targets of references are
 * not its part.
 */
function invariantProblems(resource: Record<string, unknown>): string[] {
  try {
    return validateResource(resource).map(({ details }) => `${details?.text}`)
  } catch (reason) {
    return [(reason as Error).message]
  }
}

/** What is wrong with a resource, by the specification; none if it is right. */
export function problemsOf(resource: Record<string, unknown>, at = `${resource.resourceType}`): string[] {
  const type = `${resource.resourceType}`
  const known = types[type]
  if (known?.kind !== 'resource') return [`${at}: there is no resource ${type}`]
  return [
    ...elementProblems(known.elements, type, resource, at),
    ...(type === 'Questionnaire' ? missingQuestions(resource) : []).map((each) => `${at}: ${each}`),
    ...(at.includes('.') ? [] : invariantProblems(resource)), // else they were checked with what the resource is in
  ]
}
