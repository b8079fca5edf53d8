/** Soft constraints of fields: an answer that breaks one is kept, and a query asks about it. */
import { byDataType } from '#conduct/responses/layout'
import { layoutById, type OwnedResponse, valuesOf } from '#conduct/responses/store'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import { brokenConstraints } from '#design/forms/fillForm'
import type { LocalNow } from '#kernel/calendar'
import type { Writer } from '#texts/writer'
import { type Finding, fieldToRaiseOn } from './rules'

/** Whether a stage has a soft constraint. */
export const hasSoftRules = (config: Configuration, stage: string): boolean =>
  config.stages.has(stage) && config.form(stage).constrained.some(({ constraint }) => constraint.isSoft)

/** The findings for soft constraints that the answers of a response break. */
export function brokenSoftRules(db: Db, config: Configuration, row: OwnedResponse, at: LocalNow): Finding[] {
  if (!hasSoftRules(config, row.stage)) return []
  const form = config.form(row.stage)
  const values = Object.fromEntries(
    Object.entries(byDataType(layoutById(db, row.layout), valuesOf(row))).filter(([, value]) => value !== null),
  )
  return brokenConstraints(form, values, at).flatMap(({ field, constraint }): Finding[] => {
    if (!constraint.isSoft) return []
    const others = constraint.test.references.flatMap((code) => form.operands.get(code)?.dataType ?? [])
    const fields = [...new Set([field.dataType, ...others])]
    const about = fields.flatMap((dataType) => config.withInheritedFlags.get(dataType) ?? [])
    // The query is on the field itself, unless it would reveal something of a more restricted one.
    const dataType = fieldToRaiseOn(about, about.slice(0, 1)) ?? fieldToRaiseOn(about)
    if (dataType === undefined) return []
    const value = [field.dataType, fields.map((each) => values[each] ?? null)]
    const { sentence, expression, hasMessage } = constraint
    const text = ({ write }: Writer) =>
      hasMessage
        ? write('automaticQuery.constraint', { constraint: sentence })
        : write('automaticQuery.rule', { name: field.title, rule: expression })
    return [{ rule: 'constraint', dataType, fields, value, text }]
  })
}
