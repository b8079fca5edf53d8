/** The rules in the trial's instructions for automatic queries, applied to answers (pure). */
import type { QueryRule } from '#design/configuration/queryRules'
import type { Operand } from '#design/dataTypes/operands'
import type { LocalNow } from '#kernel/calendar'
import type { Writer } from '#texts/writer'
import { type Finding, fieldToRaiseOn, type Question } from './rules'

/** An answer with its question; `isHere` if it is in the response that is checked. */
export type KnownAnswer = { question: Question; title: string; value: unknown; operand: Operand; isHere: boolean }

/** The findings for rules that the answers break. A rule with a blank in it is not broken. */
export function brokenRules(
  rules: readonly QueryRule[],
  known: ReadonlyMap<string, KnownAnswer>,
  at: LocalNow,
): Finding[] {
  return rules.flatMap(({ line, expression }): Finding[] => {
    const named = expression.references.flatMap((code) => known.get(code) ?? [])
    const here = named.filter(({ isHere }) => isHere)
    if (!here.length) return []
    if (expression.evaluate((code) => known.get(code)?.operand ?? null, at) !== 0) return []
    const dataType = fieldToRaiseOn(
      named.map(({ question }) => question),
      here.map(({ question }) => question),
    )
    if (dataType === undefined) return []
    const text = ({ write }: Writer) => {
      const names = named.map(({ title }) => write('quoted', { name: title })).join(', ')
      return write('automaticQuery.instruction', { names, rule: line })
    }
    const fields = expression.references.map((code) => known.get(code)?.question._id ?? code)
    return [{ rule: 'instruction', dataType, fields, value: [line, named.map(({ value }) => value)], text }]
  })
}
