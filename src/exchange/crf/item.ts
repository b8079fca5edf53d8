/** A case report form as it is drawn: what stands on it, and how each answer is filled in by hand. */

/** Something to choose; `chosen` on a filled form. */
export type Mark = { label: string; chosen: boolean }

/** Boxes for one character each. @property before what stands before them, such as the point of a number */
export type Boxes = { count: number; label: string; before: string }

/** An entry of its own line: what it is called, its boxes, and what was answered. */
export type Entry = { label: string; boxes: Boxes[]; unit: string; answer?: string }

export type Drawing =
  | { kind: 'lines'; count: number; unit: string; answer?: string }
  | { kind: 'paragraph'; lines: number; answer?: string }
  | { kind: 'entries'; entries: Entry[] }
  | { kind: 'slider'; from: string; to: string; unit: string; answer?: string }
  | { kind: 'rating'; marks: Mark[]; from: string; to: string }
  | { kind: 'choice'; multiple: boolean; marks: Mark[] }
  /** A row a statement, a circle for each column; `chosen` is the column. */
  | { kind: 'grid'; columns: string[]; rows: { label: string; chosen?: number }[] }
  /** One table, or several below each other where it has too many columns for one page. */
  | { kind: 'tables'; tables: { columns: string[]; rows: string[][] }[] }
  | { kind: 'note'; text: string; answer?: string }

export type Question = {
  kind: 'question'
  number: number
  text: string
  isRequired: boolean
  help: string
  /** Such as "Only if “Smoker” is “Yes”."; empty where it is always asked. */
  condition: string
  /** What may be answered, such as "30 to 220 bpm". */
  hint: string
  drawing: Drawing
}

export type Item = { kind: 'heading'; text: string; help: string; isDivider: boolean } | Question

/** A form, in the order it is printed. */
export type Crf = {
  trial: string
  /** Empty where the trial has none. */
  protocol: string
  name: string
  description: string
  /** How to fill it in. */
  instructions: string[]
  /** What every page asks at its head; empty values are lines to write on. */
  head: { label: string; value: string }[]
  version: string
  printed: string
  items: Item[]
  /** Lines to write on at the end. */
  signatures: string[]
}
