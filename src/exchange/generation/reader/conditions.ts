/** The words after “if” as a condition on a field that was asked before. */
import type { Node } from '#design/dataTypes/grammar/tree'
import type { ReadField } from './stage'

/** A field of a draft, named by the object itself until it has its code. */
export const fieldNames = new WeakMap<Node, ReadField>()

/** @param candidates the fields it may mean, the likeliest first */
export function nodeFor(words: string, candidates: readonly ReadField[]): Node | undefined {
  const text = words
    .toLowerCase()
    .replace(/["“”'‘’]/g, '')
    .trim()
  const said = /\b(yes|no)\b/.exec(text)?.[1] ?? (/^(?:so|applicable|you did|they did)$/.test(text) ? 'yes' : undefined)
  const compared = (field: ReadField, sign: '=' | '<>' | '>' | '<' | '>=' | '<=', value: string | number): Node => {
    const left: Node = { kind: 'field', name: '' }
    fieldNames.set(left, field)
    return { kind: 'binary', sign, left, right: { kind: 'value', value } }
  }
  for (const field of candidates) {
    if (field.format !== 'choice') continue
    const options = field.settings.options ?? []
    const label =
      options.find(({ label }) => label.toLowerCase() === (said ?? text)) ??
      (said
        ? undefined
        : options.find(
            ({ label }) =>
              text.endsWith(` ${label.toLowerCase()}`) || (text.length > 3 && label.toLowerCase().startsWith(text)),
          ))
    if (label) return compared(field, '=', label.label)
  }
  const sized =
    /(>=|<=|≥|≤|>|<|=|more than|greater than|higher than|above|over|less than|below|under|at least|at most|equals?)\s*(?:or equal to\s*)?(-?\d+(?:\.\d+)?)/.exec(
      text,
    )
  if (!sized) return undefined
  const signs: Record<string, '=' | '>' | '<' | '>=' | '<='> = {
    '≥': '>=',
    '≤': '<=',
    'more than': '>',
    'greater than': '>',
    'higher than': '>',
    above: '>',
    over: '>',
    'less than': '<',
    below: '<',
    under: '<',
    'at least': '>=',
    'at most': '<=',
    equal: '=',
    equals: '=',
  }
  const sign = signs[sized[1]!] ?? (sized[1] as '>')
  const numeric = candidates.filter(({ format }) => /integer|float|slider|rating/.test(format))
  const before = text.slice(0, sized.index)
  const field =
    numeric.find(({ title }) =>
      before.split(/\W+/).some((word) => word.length > 2 && title.toLowerCase().includes(word)),
    ) ?? (/\p{L}{3}/u.test(before.replace(/\b(?:the|is|score|answer|value)\b/g, '')) ? undefined : numeric[0])
  return field && compared(field, sign, Number(sized[2]))
}
