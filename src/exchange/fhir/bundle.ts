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
