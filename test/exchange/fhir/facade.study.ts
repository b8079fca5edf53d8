/** A study whose FHIR resources are read, each checked against the specification. */
import { expect } from 'bun:test'
import { study } from '../../study'
import { problemsOf } from './validator'

type Json = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: tests read resources by name
export type AnyResource = any

export async function facade() {
  const s = await study()
  const base = `/trials/${s.trial}/fhir`
  const read = async (path: string, by = s.owner): Promise<AnyResource> => {
    const { status, body, headers } = await by.call('GET', path.startsWith('/') ? path : `${base}/${path}`)
    expect(headers.get('content-type')).toBe('application/fhir+json')
    expect(problemsOf(body)).toEqual([])
    expect(status).toBe(200)
    return body
  }
  const all = async (path: string, by = s.owner): Promise<AnyResource[]> => {
    const found: Json[] = []
    for (let next: string | undefined = path; next; ) {
      const bundle: AnyResource = await read(next, by)
      expect(bundle).toMatchObject({ resourceType: 'Bundle', type: 'searchset' })
      found.push(...(bundle.entry ?? []).map(({ resource }: AnyResource) => resource))
      next = bundle.link
        .find(({ relation }: AnyResource) => relation === 'next')
        ?.url.replace(/^http:\/\/localhost/, '')
    }
    return found
  }
  return { ...s, base, read, all }
}
