/** The records of findings: measurements and questions (pure). */
import {
  type Context,
  isBlank,
  labelOf,
  NO_OPTION,
  NO_PARENT,
  type OnDropped,
  type PlannedAnswer,
  type SdtmRecord,
} from './answers'
import { dateOf } from './dates'
import { measurements, positions } from './forms'
import type { FieldPlan } from './plan'
import { codeLists } from './terms'

const visitOf = ({ VISITNUM, VISIT }: Context) => ({ VISITNUM: VISITNUM ?? null, VISIT: VISIT ?? null })
const testNames = new Map(codeLists.VSTESTCD.terms.map(({ value, decode = value }) => [value, decode]))

export function measurementRecords(planned: readonly PlannedAnswer[], context: Context, drop: OnDropped): SdtmRecord[] {
  const { zone, groupOf } = context
  const find = (as: FieldPlan['as']) => planned.find(({ field }) => field.as === as)
  const [position, time] = [find('position'), find('measuredAt')]
  const VSPOS = position === undefined ? null : (positions[labelOf(position.value)] ?? null)
  const VSDTC = time === undefined ? context.at : dateOf(time.value, zone)
  const made = planned.flatMap(({ dataType, field, value }) => {
    if (field.as !== 'measurement') return []
    return (measurements[field.code] ?? []).flatMap(({ test, unit, part, isDerived = false }) => {
      const result = part === undefined ? value : (value as Record<string, unknown>)[part]
      if (isBlank(result)) return []
      if (typeof result !== 'number') {
        drop(dataType, NO_OPTION)
        return []
      }
      const VSTEST = testNames.get(test) ?? test
      return [
        {
          ...{ VSTESTCD: test, VSTEST, VSPOS, VSORRES: isDerived ? null : String(result) },
          ...{ VSORRESU: isDerived ? null : unit, VSSTRESC: String(result), VSSTRESN: result, VSSTRESU: unit },
          ...{ VSDRVFL: isDerived ? 'Y' : null, VSDTC, ...visitOf(context) },
        },
      ]
    })
  })
  if (!made.length) {
    for (const each of [position, time]) if (each) drop(each.dataType, NO_PARENT)
    return []
  }
  if (position && VSPOS === null) drop(position.dataType, NO_OPTION)
  const VSGRPID = groupOf('VS')
  return made.map((values) => ({ domain: 'VS', values: { ...values, VSGRPID }, qualifiers: [] }))
}

export function questionRecords(planned: readonly PlannedAnswer[], context: Context): SdtmRecord[] {
  const made = planned.flatMap(({ field, value }) => {
    if (field.as !== 'question') return []
    const { code, codes, scale } = field
    const single = codes.get(code)
    if (single) return [{ question: single, ...resultOf(value, scale) }]
    return Object.entries(value as Record<string, unknown>).flatMap(([key, point]) => {
      const question = codes.get(`${code}:${key}`)
      return question && point !== undefined ? [{ question, ...pointOf(point, scale) }] : []
    })
  })
  if (!made.length) return []
  const QSGRPID = context.groupOf('QS')
  return made.map(({ question: { test, name, category, isDerived }, shown, result }) => {
    const QSSTRESN = /^-?\d+(\.\d+)?$/.test(result) ? Number(result) : null
    return {
      domain: 'QS',
      values: {
        ...{ QSGRPID, QSTESTCD: test, QSTEST: name, QSCAT: category, QSORRES: isDerived ? null : shown },
        ...{ QSSTRESC: result, QSSTRESN, QSDRVFL: isDerived ? 'Y' : null, QSDTC: context.at, ...visitOf(context) },
      },
      qualifiers: [],
    }
  })
}

/** An answer as it was chosen, and its score. */
function resultOf(value: unknown, scale: ReadonlyMap<string, string>) {
  const shown = labelOf(value)
  return { shown, result: scale.get(shown) ?? shown }
}

/** The point of a scale: its label, and the point as the score. Null means “not applicable”. */
const pointOf = (point: unknown, scale: ReadonlyMap<string, string>) =>
  point === null
    ? { shown: 'NOT APPLICABLE', result: 'NOT APPLICABLE' }
    : { shown: scale.get(String(point)) ?? String(point), result: String(point) }
