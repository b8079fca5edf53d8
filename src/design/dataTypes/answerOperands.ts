/** Turns answers into operands of calculations. */

import { dayOfAnswer, secondsOf } from '#kernel/calendar'
import { parseInstant } from '#kernel/time'
import { reasonTest } from './missingReasons'
import type { FieldSettings } from './model'
import { type AnswerParts, asDay, numeric, type Operand } from './operands'
import { isBlank } from './values'

const codeValue = (code: string | number): number | string =>
  typeof code === 'number' ? code : (numeric(code) ?? code)

function partsOf(
  self: number | null,
  entries: Iterable<readonly [string, Operand]>,
  all?: readonly Operand[],
): AnswerParts {
  const parts = new Map(entries)
  return { self, parts, all: all ?? [...parts.values()] }
}

/** Returns the function that turns answers to one data type into operands; null for a blank. Build it once per data type. */
export function operandOf(settings: FieldSettings): (value: unknown, zone: string) => Operand {
  const read = reader(settings)
  return (value, zone) => (isBlank(value) ? null : read(value, zone))
}

function reader(settings: FieldSettings): (value: unknown, zone: string) => Operand {
  switch (settings.format) {
    case 'date':
      return (value, zone) => {
        const instant = parseInstant(String(value))
        return instant === undefined ? null : dayOfAnswer(instant, zone)
      }
    case 'datetime':
      return (value) => asDay(String(value))
    case 'time':
      return (value) => secondsOf(String(value)) / 86_400
    case 'choice': {
      const codes = new Map((settings.options ?? []).map(({ label, code }) => [label, codeValue(code ?? label)]))
      const isReason = reasonTest(settings)
      return (value) => {
        if (isReason(value)) return null
        const chosen = (value as string[]).map((label) => codes.get(label) ?? label)
        return settings.multiple ? chosen : (chosen[0] ?? null)
      }
    }
    case 'likert': {
      const keys = (settings.statements ?? []).map((statement) => statement.key)
      return (value) => {
        const rows = value as Record<string, number | string | null>
        // A statement marked as not applicable is left out. One without an answer is null, so that sums have no value.
        const applicable = keys.filter((key) => !(Object.hasOwn(rows, key) && rows[key] === null))
        return partsOf(
          null,
          applicable.map((key) => [key, Object.hasOwn(rows, key) ? codeValue(rows[key]!) : null]),
        )
      }
    }
    case 'table': {
      const columns = (settings.columns ?? []).map((column) => ({ id: column.id, read: operandOf(column) }))
      return (value, zone) => {
        const rows = value as Record<string, unknown>[]
        return partsOf(
          null,
          columns.map(({ id, read }) => [id, rows.map((row) => read(row[id], zone))]),
        )
      }
    }
    case 'bmi':
      return (value) => {
        const { bmi, height, weight } = value as Record<string, number>
        const measures = [
          ['bmi', bmi ?? null],
          ['height', height ?? null],
          ['weight', weight ?? null],
        ] as const
        return partsOf(bmi ?? null, measures, [bmi ?? null])
      }
    case 'file':
    case 'image':
    case 'video':
      return (value) => String((value as { name?: string }).name ?? 'file')
    default:
      return (value) => value as number | string
  }
}
