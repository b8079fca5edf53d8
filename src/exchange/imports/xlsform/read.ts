/** Reads XLSForms: questions in groups and repeats, choices in lists, texts in several languages. */
import type { TableColumn } from '#design/dataTypes/model'
import type { Warning } from '#design/stages/importPlan'
import { type SheetRow, sheetsOf, type XlsformSheets } from '#documents/sheets'
import { excerptOf, titleFromName, toPlainText } from '#documents/texts'
import { parseLogic } from '#exchange/imports/common/dialect'
import type { Draft, DraftField, DraftItem, DraftStage, ItemConditions, Report } from '#exchange/imports/common/draft'
import { extraFrom } from '#exchange/imports/common/extras'
import { validOptions, valueOfCode } from '#exchange/imports/common/fields'
import { unreadable } from '#kernel/fault'
import { reason } from '#kernel/refusals/reason'
import { constraintSettings, fieldTypeOf } from './field'
import {
  type Branch,
  cellText,
  DEVICE_TYPES,
  extraText,
  isGroup,
  language,
  listsOf,
  relevanceOf,
  treeOf,
  unreadColumns,
} from './tree'

const isYes = (text: string) => /^(?:yes|true|true\(\)|1|y)$/i.test(text)

/** Reads an XLSForm. Throws an `unreadable` if it is not one. @param limit the maximum size when unpacked, in bytes */
export function draftFromXlsform(bytes: Uint8Array, limit: number): Draft {
  const sheets = sheetsOf(bytes, limit)
  const others = [...language(sheets).others]
  const draft = draftOf(sheets)
  if (!others.length) return draft
  return { ...draft, others: new Map(others.map(([tag, column]) => [tag, () => draftOf(sheets, column)])) }
}

/** @param other what follows `label` in the headings of another language */
function draftOf(sheets: XlsformSheets, other?: string): Draft {
  const { survey, choices, settings } = sheets
  if (!survey.length) throw unreadable(reason('surveyEmpty'))
  const columns = new Set(survey.flatMap((row) => [...row.keys()]))
  const missing = ['type', 'name'].filter((column) => !columns.has(column)).map((column) => `“${column}”`)
  if (missing.length) throw unreadable(reason('surveyColumnsMissing', { columns: missing }))
  const { text, isUsed, formatted } = language(sheets, other)
  const warnings: Warning[] = []
  const warn = (field: string, problem: string) => void warnings.push({ field, problem })
  const lists = listsOf(choices, text)
  const tree = treeOf(survey, warn)
  const general = settings[0] ?? new Map<string, string>()
  const title = cellText(general, 'form_title') || cellText(general, 'form_id') || cellText(general, 'id_string')

  const stages: DraftStage[] = []
  const rest: DraftItem[] = []
  for (const branch of tree) {
    const extra = branch.children ? extraFrom(extraText(branch.row)) : undefined
    if (!extra?.stage) rest.push(...items(branch, {}))
    else {
      const name = cellText(branch.row, 'name')
      stages.push({
        source: name,
        name: text(branch.row, 'label') || titleFromName(name),
        extra: extra.stage,
        items: branch.children!.flatMap((child) => items(child, {})),
      })
    }
  }
  if (rest.length) {
    const extra = extraFrom(extraText(general))?.stage
    stages.unshift({ source: 'survey', name: toPlainText(title) || 'Form', items: rest, ...(extra ? { extra } : {}) })
  }
  if (formatted()) warn('HTML', 'Formatting of texts is not carried over.')
  return { stages, warnings: [...unreadColumns(sheets, isUsed), ...warnings] }

  /** The conditions of a row: those of the groups around it, and its own. */
  function conditionalOf(row: SheetRow, outer: ItemConditions): ItemConditions {
    const own = relevanceOf(row)
    if (own === '') return outer
    const parsed = parseLogic(own)
    const { conditions = [], conditionText } = outer
    return {
      ...outer,
      conditionText: conditionText ? `(${conditionText}) and (${own})` : own,
      ...('node' in parsed ? { conditions: [...conditions, parsed.node] } : { unread: parsed.problem }),
    }
  }

  function items(branch: Branch, outer: ItemConditions): DraftItem[] {
    const { row, type, children } = branch
    const own = conditionalOf(row, outer)
    if (!children) return leafItem(branch, own)
    if (!isGroup(branch)) return [tableOf(branch, own)]
    const likert = likertOf(branch, own)
    if (likert) return [likert]
    const heading = text(row, 'label')
    const inner = children.flatMap((child) => items(child, own))
    return heading
      ? [{ kind: 'heading', source: cellText(row, 'name') || type, title: heading, ...own }, ...inner]
      : inner
  }

  /** The item of a row that is not a group or repeat; none for what a device fills in. */
  function leafItem({ row, type }: Branch, own: ItemConditions): DraftItem[] {
    const source = cellText(row, 'name')
    const extra = extraFrom(extraText(row))
    const note = text(row, 'hint')
    const common = { ...own, ...(extra ? { extra } : {}), ...(note ? { note } : {}) }
    if (type.toLowerCase() === 'note')
      return [{ kind: 'heading', source, title: text(row, 'label') || titleFromName(source), ...common }]
    if (DEVICE_TYPES.has(type.toLowerCase().split(' ')[0]!)) {
      warn(source, `“${type}” is filled in by a device and was left out.`)
      return []
    }
    return [{ ...fieldOf(row, type, source), ...common }]
  }

  function fieldOf(row: SheetRow, type: string, source: string): DraftField {
    const report = (problem: string) => warn(source, problem)
    let typed = fieldTypeOf(type, cellText(row, 'appearance'), cellText(row, 'parameters'), lists, report)
    const calculation = cellText(row, 'calculation')
    const isReadOnly = isYes(cellText(row, 'readonly') || cellText(row, 'read_only'))
    // The computed value cannot be changed by hand.
    if (isReadOnly && calculation) typed = { format: 'calculation', settings: {} }
    else if (isReadOnly) report('That nobody can change it was left out: it is asked.')
    if (!typed) {
      report(`The type “${excerptOf(type)}” is not known here: it is a text.`)
      typed = { format: 'text', settings: {} }
    }
    const { format } = typed
    const settings = { ...typed.settings, ...constraintSettings(cellText(row, 'constraint'), typed, report) }
    const field: DraftField = {
      kind: 'field',
      source,
      title: text(row, 'label') || titleFromName(source),
      format,
      settings,
    }
    if (isRequired(row, report)) field.isRequired = true
    if (format === 'calculation') {
      field.computedText = calculation
      const parsed = parseLogic(calculation)
      if ('node' in parsed) field.computed = parsed.node
      else if (!extraFrom(extraText(row))?.type) report(`Its calculation cannot be read: ${parsed.problem}.`)
    } else if (calculation) report(`Its calculation was left out, as it is filled in: ${excerptOf(calculation)}`)
    return field
  }

  function isRequired(row: SheetRow, report: Report): boolean {
    const required = cellText(row, 'required')
    if (isYes(required)) return true
    if (required && !/^(?:no|false|false\(\)|0|n)$/i.test(required))
      report(`That it is required depends on an expression, which was left out: ${excerptOf(required)}`)
    return false
  }

  /**
   * Makes a Likert of a group with the appearance of a table, if all its questions have the same choices; else
   * undefined.
   */
  function likertOf({ row, children }: Branch, own: ItemConditions): DraftField | undefined {
    const extra = extraFrom(extraText(row))
    const [first] = children!
    if (!first || !/\btable-list\b/.test(cellText(row, 'appearance')) || children!.length > 200) return undefined
    const fits = children!.every(
      (child) =>
        !child.children &&
        child.type === first.type &&
        /^select_one /i.test(child.type) &&
        !['relevant', 'relevance', 'hint', 'constraint'].some((column) => child.row.has(column)),
    )
    const list = fits ? lists.get(first.type.split(' ')[1]!) : undefined
    if (!list || list.length > 100) return undefined
    const source = cellText(row, 'name') || cellText(first.row, 'name')
    const required = children!.filter((child) => isRequired(child.row, () => {}))
    if (required.length && required.length < children!.length)
      warn(source, 'Only some of its rows must be answered; no row of the Likert must be.')
    const rows = children!.map((child) => ({ source: cellText(child.row, 'name'), key: cellText(child.row, 'name') }))
    const noted = extra?.type?.statements as { key: string }[] | undefined
    if (Array.isArray(noted) && noted.length === rows.length)
      rows.forEach((each, place) => void (each.key = String(noted[place]?.key)))
    const note = text(row, 'hint')
    return {
      kind: 'field',
      source,
      title: text(row, 'label') || titleFromName(source),
      format: 'likert',
      settings: {
        scale: list.map(({ label, code }) => ({ value: valueOfCode(code), label })),
        statements: children!.map((child, place) => ({
          key: rows[place]!.key,
          label: text(child.row, 'label') || rows[place]!.key,
        })),
      },
      rows,
      ...(required.length === children!.length ? { isRequired: true } : {}),
      ...(note ? { note } : {}),
      ...(extra ? { extra } : {}),
      ...own,
    }
  }

  /** Makes a table of a repeat; its questions are the columns. */
  function tableOf(branch: Branch, own: ItemConditions): DraftField {
    const { row } = branch
    const source = cellText(row, 'name')
    const columns: TableColumn[] = []
    const lost = (field: string, problem: string) => warn(field, `In the table ${source}: ${problem}`)
    const collect = (children: readonly Branch[]) => {
      for (const child of children) {
        const id = cellText(child.row, 'name')
        const relevance = relevanceOf(child.row)
        if (relevance) lost(id, `a column is always shown: ${excerptOf(relevance)}`)
        if (child.children && isGroup(child)) collect(child.children)
        else if (child.children) lost(id, 'a repeat in a repeat was left out.')
        else column(child, id)
      }
    }
    const column = (child: Branch, id: string) => {
      if (child.type.toLowerCase() === 'note' || DEVICE_TYPES.has(child.type.toLowerCase()))
        return lost(id, `“${child.type}” was left out.`)
      const { format, settings, title, isRequired } = fieldOf(child.row, child.type, id)
      if (['file', 'image', 'video', 'calculation'].includes(format))
        return lost(id, `a column cannot be a ${format}; it was left out.`)
      if (isRequired) lost(id, 'that a column is required is not checked.')
      if (columns.some((each) => each.id.toLowerCase() === id.toLowerCase()))
        return lost(id, 'its name occurs twice; the second was left out.')
      if (settings.options) settings.options = validOptions(settings.options, (problem) => lost(id, problem))
      columns.push({ id, label: title, format, ...settings })
    }
    collect(branch.children!)
    const count = Number(cellText(row, 'repeat_count') || Number.NaN)
    const isCount = Number.isInteger(count) && count > 0 && count <= 1000
    if (row.has('repeat_count') && !isCount)
      lost(source, `how often it repeats was left out: ${excerptOf(cellText(row, 'repeat_count'))}`)
    const extra = extraFrom(extraText(row))
    const note = text(row, 'hint')
    return {
      kind: 'field',
      source,
      title: text(row, 'label') || titleFromName(source),
      format: 'table',
      settings: { columns, ...(isCount ? { minRows: count, maxRows: count } : {}) },
      ...(note ? { note } : {}),
      ...(extra ? { extra } : {}),
      ...own,
    }
  }
}
