import { sha256 } from '#kernel/id'

type Fields = Record<string, unknown>

/**
 * JSON that is the same for the same content: keys are sorted, and null fields left out, since a field that was cleared
 * means the same as one that was never set.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const fields = Object.entries(value as Fields)
    .filter(([, each]) => each !== null && each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`
}

/** The hash by which versions are compared: SHA-256 of the canonical JSON. */
export const hashOf = (snapshot: unknown): string => sha256(canonical(snapshot))
