import type { Id } from '#kernel/id'
import { isObject, type JsonObject } from '#kernel/json'
import type { Resource } from './base'

type Page = { resources: readonly Resource[]; next?: string | undefined }

/** The address of a search, with other values of some parameters. */
function searchUrl(base: string, type: string, query: Readonly<Record<string, unknown>>): string {
  const parameters = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]]))
  const text = `${new URLSearchParams(parameters)}`
  return `${base}/${type}${text ? `?${text}` : ''}`
}

/** The result of a search. @param next where the next page begins; undefined if there is none */
export const bundleOf = (
  base: string,
  type: string,
  query: Readonly<Record<string, unknown>>,
  { resources, next }: Page,
): Resource => ({
  resourceType: 'Bundle',
  type: 'searchset',
  link: [
    { relation: 'self', url: searchUrl(base, type, query) },
    ...(next === undefined ? [] : [{ relation: 'next', url: searchUrl(base, type, { ...query, _after: next }) }]),
  ],
  entry: resources.length
    ? resources.map((resource) => ({
        fullUrl: `${base}/${resource.resourceType}/${resource.id}`,
        resource,
        search: { mode: 'match' },
      }))
    : undefined,
})

const PATIENT = /^Patient\/([0-9a-f]{24})$/

/** The participants whom the resources of a bundle are about, by `_id`; `filter` if a resource is about a person who is not a participant. */
export function patientsIn({ entry }: JsonObject): Id[] | 'filter' {
  const ids = (Array.isArray(entry) ? entry : []).map(({ resource }: { resource: Resource }) => {
    if (resource.resourceType === 'Patient' || resource.resourceType === 'ResearchSubject') return resource.id
    const about = resource.subject ?? resource.patient
    return isObject(about) ? PATIENT.exec(`${about.reference}`)?.[1] : undefined
  })
  return ids.every((each) => each !== undefined) ? ids : 'filter'
}
