export type Pick = {
  id: string
  /** What it belongs to, such as the name of a field. */
  of: string
  label: string
}

/** Whether all words that were typed begin words of the choice: `si har` finds *Site Harbour*. */
export function fits(typed: string, { of, label }: Pick): boolean {
  const words = `${of} ${label}`.toLowerCase().split(/[\s,.]+/)
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)))
}
