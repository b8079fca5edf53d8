/** The content of a case report form, before it is drawn as PDF or Word. */

/** An option; `isChosen` only on a filled form. */
export type Mark = { label: string; isChosen: boolean }

/** Boxes for one character each. @property before text before them, such as a decimal point */
export type Boxes = { count: number; label: string; before: string }

/** An entry on its own line: its label, its boxes, its unit and, on a filled form, the answer. */
export type Entry = { label: string; boxes: Boxes[]; unit: string; answer?: string }

export type PrintedField =
  | { kind: 'lines'; count: number; unit: string; answer?: string }
  | { kind: 'paragraph'; lines: number; answer?: string }
  | { kind: 'entries'; entries: Entry[] }
  | { kind: 'slider'; from: string; to: string; unit: string; answer?: string }
  | { kind: 'rating'; marks: Mark[]; from: string; to: string }
  | { kind: 'choice'; multiple: boolean; marks: Mark[] }
  /** One row per statement, one circle per column; `chosenColumn` is the index of the column. */
  | { kind: 'grid'; columns: string[]; rows: { label: string; chosenColumn?: number }[] }
  /** One table, or several below each other if it has too many columns for the page. */
  | { kind: 'tables'; tables: { columns: string[]; rows: string[][] }[] }
  | { kind: 'note'; text: string; answer?: string }

export type Question = {
  kind: 'question'
  number: number
  text: string
  isRequired: boolean
  help: string
  /** Such as "Only if “Smoker” is “Yes”."; empty if it is always asked. */
  condition: string
  /** The allowed answers, such as "30 to 220 bpm". */
  hint: string
  field: PrintedField
}

export type Item = { kind: 'heading'; text: string; help: string; isDivider: boolean } | Question

/** A form, in the order it is printed. */
export type Crf = {
  trial: string
  /** Empty if the trial has none. */
  protocol: string
  name: string
  description: string
  /** Instructions for filling it in. */
  instructions: string[]
  /** Fields in the head of every page; an empty value is a line to write on. */
  head: { label: string; value: string }[]
  version: string
  printed: string
  items: Item[]
  /** Lines to write on at the end. */
  signatures: string[]
}
