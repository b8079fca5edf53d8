/** Reads the questions of an XLSForm, each from its row. */
import { excerptOf, titleFromName } from '#documents/texts'
import { parseLogic } from '#exchange/imports/common/dialect'
import type { DraftField, DraftItem, ItemConditions, Report, Warn } from '#exchange/imports/common/draft'
import { extraFrom } from '#exchange/imports/common/extras'
import { type Choices, constraintSettings, type FieldType, fieldTypeOf } from './field'
import { type Branch, cellText, DEVICE_TYPES, extraText, type TextOf } from './tree'

/** A form in one language: what is needed to read a row of it. */
export type Form = { text: TextOf; lists: Choices; warn: Warn }

const isYes = (text: string) => /^(?:yes|true|true\(\)|1|y)$/i.test(text)

/** The name of a row, and its title in the language of the form. @param source another name, if the row has none */
export const titled = ({ text }: Form, { row }: Branch, source = cellText(row, 'name')) => ({
  source,
  title: text(row, 'label') || titleFromName(source),
})

/** What any item takes from its row: its hint, the note of one of our exports, and the conditions. */
export function withNotes({ text }: Form, { row }: Branch, conditions: ItemConditions) {
  const extra = extraFrom(extraText(row))
  const note = text(row, 'hint')
  return { ...(note ? { note } : {}), ...(extra ? { extra } : {}), ...conditions }
}

/** The item of a row that is not a group or repeat; none for what a device fills in. */
export function leafItem(form: Form, branch: Branch, conditions: ItemConditions): DraftItem[] {
  const type = branch.type.toLowerCase()
  const notes = withNotes(form, branch, conditions)
  if (type === 'note') return [{ kind: 'heading', ...titled(form, branch), ...notes }]
  if (!DEVICE_TYPES.has(type.split(' ')[0]!)) return [{ ...fieldOf(form, branch), ...notes }]
  form.warn(cellText(branch.row, 'name'), `“${branch.type}” is filled in by a device and was left out.`)
  return []
}

/** The field of a question, without its hint and conditions. */
export function fieldOf(form: Form, branch: Branch): DraftField {
  const { row } = branch
  const item = titled(form, branch)
  const report = (problem: string) => form.warn(item.source, problem)
  const type = typeOf(branch, form.lists, report)
  const settings = { ...type.settings, ...constraintSettings(cellText(row, 'constraint'), type, report) }
  const field: DraftField = { kind: 'field', ...item, format: type.format, settings }
  if (isRequired(branch, report)) field.isRequired = true
  const calculation = cellText(row, 'calculation')
  if (type.format === 'calculation') return { ...field, ...computed(branch, calculation, report) }
  if (calculation) report(`Its calculation was left out, as it is filled in: ${excerptOf(calculation)}`)
  return field
}

function typeOf({ row, type }: Branch, lists: Choices, report: Report): FieldType {
  const found = fieldTypeOf(type, cellText(row, 'appearance'), cellText(row, 'parameters'), lists, report)
  if (isYes(cellText(row, 'readonly') || cellText(row, 'read_only'))) {
    // The computed value cannot be changed by hand.
    if (cellText(row, 'calculation')) return { format: 'calculation', settings: {} }
    report('That nobody can change it was left out: it is asked.')
  }
  if (found) return found
  report(`The type “${excerptOf(type)}” is not known here: it is a text.`)
  return { format: 'text', settings: {} }
}

function computed({ row }: Branch, computedText: string, report: Report): Partial<DraftField> {
  const parsed = parseLogic(computedText)
  if ('node' in parsed) return { computedText, computed: parsed.node }
  if (!extraFrom(extraText(row))?.type) report(`Its calculation cannot be read: ${parsed.problem}.`)
  return { computedText }
}

export function isRequired({ row }: Branch, report: Report): boolean {
  const required = cellText(row, 'required')
  if (isYes(required)) return true
  if (required && !/^(?:no|false|false\(\)|0|n)$/i.test(required))
    report(`That it is required depends on an expression, which was left out: ${excerptOf(required)}`)
  return false
}
