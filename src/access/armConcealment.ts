/** Removes the parts that name a concealed arm from stored values, such as entries of the audit trail. */
import type { Id } from '#kernel/id'

function namesAny(text: unknown, ids: ReadonlySet<Id>): boolean {
  if (typeof text !== 'string') return false
  for (const [id] of text.matchAll(/[0-9a-f]{24}/g)) if (ids.has(id)) return true
  return false
}

/**
 * The value without the parts that name a concealed group, pack type or arm: an object with such an `_id` in one of its own texts is left out as a whole, since
 * its other fields describe the same thing, and so is an item of a list and a field whose name is such an `_id`.
 * @param ids the `_id`s of groups, pack types and arms
 * @returns undefined if nothing is left
 */
export function withoutConcealed(value: unknown, ids: ReadonlySet<Id>): unknown {
  if (namesAny(value, ids)) return undefined
  if (Array.isArray(value)) {
    return value.flatMap((each) => {
      const shown = withoutConcealed(each, ids)
      return shown === undefined && each !== undefined ? [] : [shown]
    })
  }
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
  if (fields.some(([, each]) => namesAny(each, ids))) return undefined
  return Object.fromEntries(
    fields.flatMap(([name, each]) => {
      const shown = namesAny(name, ids) ? undefined : withoutConcealed(each, ids)
      return shown === undefined ? [] : [[name, shown]]
    }),
  )
}
