/** The trial's instructions for automatic queries: rules, one in a line, and text for the AI endpoint (pure). */
import { compileExpression, type Expression } from '#design/dataTypes/expressions'
import type { Configuration } from './configuration'

/** A condition that the answers must meet. It names fields by their codes. */
export type QueryRule = { line: string; expression: Expression }

export type QueryInstructions = { rules: QueryRule[]; prose: string }

/** Comparisons in words, with their operators. */
const ordering: [RegExp, string][] = [
  [/\s+(?:is\s+)?(?:on\s+or\s+after|not\s+before)\s+/i, ' >= '],
  [/\s+(?:is\s+)?(?:on\s+or\s+before|not\s+after)\s+/i, ' <= '],
  [/\s+(?:is\s+)?after\s+/i, ' > '],
  [/\s+(?:is\s+)?before\s+/i, ' < '],
]

/** Translates a line to the language of calculations: `a between b and c`, `a after b` and `a before b` become comparisons. */
function expressionOf(line: string): string {
  const range = /^(.+?)\s+(?:is\s+)?between\s+(.+?)\s+and\s+(.+)$/i.exec(line)
  if (range) return `(${range[1]}) >= (${range[2]}) and (${range[1]}) <= (${range[3]})`
  const order = ordering.find(([words]) => words.test(line))
  return order ? line.replace(...order) : line
}

/** Whether an expression is true or false; a sum or the name of a field alone is not a rule. */
const isComparison = (text: string): boolean => /[<>=]|\bnot\b|\bisblank\s*\(/i.test(text)

/**
 * The lines that are rules on fields of the trial, and all other lines as text.
 * @param codes of the trial's data types, in lower case
 */
export function readInstructions(text: string | null, codes: ReadonlySet<string>): QueryInstructions {
  const rules: QueryRule[] = []
  const prose: string[] = []
  for (const original of (text ?? '').split('\n')) {
    const line = original.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').replace(/[.;\s]+$/, '')
    const source = expressionOf(line)
    const expression = isComparison(source) ? compileExpression(source) : undefined
    const isRule = expression && 'evaluate' in expression && expression.references.length > 0
    if (isRule && expression.references.every((code) => codes.has(code))) rules.push({ line, expression })
    else if (original.trim()) prose.push(original.trim())
  }
  return { rules, prose: prose.join('\n') }
}

const cache = new WeakMap<Configuration, { text: string | null; instructions: QueryInstructions }>()

/** The trial's instructions, parsed once for each configuration. */
export function instructionsFor(config: Configuration, text: string | null): QueryInstructions {
  let cached = cache.get(config)
  if (cached?.text !== text) {
    const codes = new Set([...config.dataTypes.values()].map(({ code }) => code.toLowerCase()))
    cached = { text, instructions: readInstructions(text, codes) }
    cache.set(config, cached)
  }
  return cached.instructions
}
