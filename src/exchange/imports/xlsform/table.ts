/** Makes a table of a repeat of an XLSForm; its questions are the columns. */
import type { TableColumn } from '#design/dataTypes/model'
import { excerptOf } from '#documents/texts'
import type { DraftField, ItemConditions, Warn } from '#exchange/imports/common/draft'
import { validOptions } from '#exchange/imports/common/fields'
import { type Form, fieldOf, titled, withNotes } from './question'
import { type Branch, cellText, DEVICE_TYPES, isGroup, relevanceOf } from './tree'

const MOST_ROWS = 1000

export function tableOf(form: Form, branch: Branch, conditions: ItemConditions): DraftField {
  const source = cellText(branch.row, 'name')
  const lost: Warn = (field, problem) => form.warn(field, `In the table ${source}: ${problem}`)
  const columns: TableColumn[] = []
  for (const question of questionsIn(branch.children!, lost)) addColumn(form, question, columns, lost)
  const rows = rowCount(branch, lost)
  return {
    kind: 'field',
    ...titled(form, branch),
    format: 'table',
    settings: { columns, ...(rows ? { minRows: rows, maxRows: rows } : {}) },
    ...withNotes(form, branch, conditions),
  }
}

/** The questions of a repeat, those of its groups included. */
function* questionsIn(branches: readonly Branch[], lost: Warn): Generator<Branch> {
  for (const branch of branches) {
    const id = cellText(branch.row, 'name')
    const relevance = relevanceOf(branch.row)
    if (relevance) lost(id, `a column is always shown: ${excerptOf(relevance)}`)
    if (!branch.children) yield branch
    else if (isGroup(branch)) yield* questionsIn(branch.children, lost)
    else lost(id, 'a repeat in a repeat was left out.')
  }
}

function addColumn(form: Form, question: Branch, columns: TableColumn[], lost: Warn) {
  const id = cellText(question.row, 'name')
  const type = question.type.toLowerCase()
  if (type === 'note' || DEVICE_TYPES.has(type)) return lost(id, `“${question.type}” was left out.`)
  const { format, settings, title, isRequired } = fieldOf(form, question)
  if (['file', 'image', 'video', 'calculation'].includes(format))
    return lost(id, `a column cannot be a ${format}; it was left out.`)
  if (isRequired) lost(id, 'that a column is required is not checked.')
  if (columns.some((each) => each.id.toLowerCase() === id.toLowerCase()))
    return lost(id, 'its name occurs twice; the second was left out.')
  if (settings.options) settings.options = validOptions(settings.options, (problem) => lost(id, problem))
  columns.push({ id, label: title, format, ...settings })
}

/** How often it repeats; undefined if that is not one number. */
function rowCount({ row }: Branch, lost: Warn): number | undefined {
  if (!row.has('repeat_count')) return undefined
  const text = cellText(row, 'repeat_count')
  const count = Number(text)
  if (Number.isInteger(count) && count > 0 && count <= MOST_ROWS) return count
  lost(cellText(row, 'name'), `how often it repeats was left out: ${excerptOf(text)}`)
  return undefined
}
