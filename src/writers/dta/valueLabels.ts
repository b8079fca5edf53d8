/** The value labels of a variable of Stata, and its missing values with a letter. */
import type { Column } from '#writers/columns'
import { beginning } from '#writers/names'
import { type NoteList, valueText } from '#writers/noteList'
import { isLabelled, LETTERS, letterOf, MISSING } from './scale'

/** `value` is that of the type long, in which `.a` to `.z` are numbers too. */
export type DtaLabel = { value: number; label: string }

const LABEL_BYTES = 32_000
const MOST_LABELS = 65_536

export type DtaLabels = {
  values: DtaLabel[]
  letters: Map<number, number>
  /** Notes of the variable: what the labels do not say. */
  variableNotes: string[]
}

/**
 * The labels of a column of numbers, in the order of their values. A code that says why there is no answer becomes `.a`, `.b` and so on, which
 * Stata leaves out of computations; which code each was is noted.
 */
export function labelsOf({ variable, values }: Column, notes: NoteList): DtaLabels {
  const labels: DtaLabels = { values: [], letters: new Map(), variableNotes: [] }
  const addNote = (text: string) => {
    labels.variableNotes.push(text)
    notes.add(variable.name, text)
  }
  for (const { value, label, isMissing } of values) {
    if (typeof value !== 'number') {
      addNote(`The label of ${valueText(value)} is not among the value labels, as the variable has numbers: "${label}"`)
      continue
    }
    const code = isMissing ? letterFor(value, labels.letters) : undefined
    if (code === undefined && isMissing)
      addNote(`Stata has ${LETTERS} kinds of missing values only. ${value} means that there is no answer, too.`)
    if (code === undefined && !isLabelled(value))
      addNote(`Stata labels whole numbers of 32 bits only. ${value} = ${label}`)
    else if (labels.values.length >= MOST_LABELS)
      addNote(`Stata holds ${MOST_LABELS} value labels of a variable. ${value} = ${label}`)
    else if (label !== '') {
      const short = beginning(label, LABEL_BYTES, 'bytes')
      if (short !== label) addNote(`Stata holds value labels of ${LABEL_BYTES} bytes. ${value} = ${label}`)
      labels.values.push({ value: code === undefined ? value : MISSING.long + code, label: short })
    }
  }
  const lettered = [...labels.letters].map(([code, letter]) => `${letterOf(letter)} is ${code}`)
  if (lettered.length) addNote(`Codes that mean that there is no answer are missing values: ${lettered.join(', ')}.`)
  labels.values.sort((one, other) => one.value - other.value)
  return labels
}

/** The next letter for a code; undefined if all are used. */
function letterFor(code: number, letters: Map<number, number>): number | undefined {
  if (letters.size >= LETTERS) return undefined
  letters.set(code, letters.size + 1)
  return letters.size
}
