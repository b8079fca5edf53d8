/** The value labels of a variable of SPSS. */
import type { Column } from '#writers/columns'
import { beginning } from '#writers/names'
import { type NoteList, valueText } from '#writers/noteList'
import { SPSS_SCALE, TEXT_WIDTH } from './scale'

const LABEL_BYTES = 120

export type SavLabels = {
  values: { value: string | number; label: string }[]
  /** The bytes that the variable needs for its texts and for the codes among its values; 1 at least. */
  width: number
  /** What the labels are that had to be cut, as `code = label`. */
  full: string[]
}

/** The values of a column as SPSS can label them. What it cannot is noted. */
export function labelsOf({ variable, kind, values, tally }: Column, notes: NoteList): SavLabels {
  const labels: SavLabels = { values: [], width: Math.max(tally.widths[0]!, 1), full: [] }
  const seen = new Set<string | number>()
  for (const each of values) {
    const value = kind === 'text' ? String(each.value).replace(/ +$/, '') : each.value
    if (each.label === '') continue
    const problem = seen.has(value) ? 'is another one for SPSS' : problemOf(value, kind)
    if (problem) {
      notes.add(
        variable.name,
        `The label of ${valueText(each.value)} is not in the file, as this value ${problem}: "${each.label}"`,
      )
      continue
    }
    seen.add(value)
    const label = beginning(each.label, LABEL_BYTES, 'bytes')
    labels.values.push({ value, label })
    if (typeof value === 'string') labels.width = Math.max(labels.width, Buffer.byteLength(value))
    if (label === each.label) continue
    labels.full.push(`${value} = ${each.label}`)
    notes.add(
      variable.name,
      `SPSS holds value labels of ${LABEL_BYTES} bytes. All of the label of ${valueText(value)}: "${each.label}"`,
    )
  }
  return labels
}

function problemOf(value: string | number, kind: Column['kind']): string | undefined {
  if (typeof value === 'number') return SPSS_SCALE.number(value) === undefined ? 'is beyond its numbers' : undefined
  if (kind !== 'text') return 'is no number'
  if (value === '') return 'is blank in SPSS'
  return Buffer.byteLength(value) > TEXT_WIDTH ? `is longer than ${TEXT_WIDTH} bytes` : undefined
}
