/** Reads XLSForms: questions in groups and repeats, choices in lists, texts in several languages. */
import type { Warning } from '#design/stages/importPlan'
import { type SheetRow, sheetsOf, type XlsformSheets } from '#documents/sheets'
import { titleFromName, toPlainText } from '#documents/texts'
import { parseLogic } from '#exchange/imports/common/dialect'
import type { Draft, DraftItem, DraftStage, ItemConditions } from '#exchange/imports/common/draft'
import { extraFrom } from '#exchange/imports/common/extras'
import { unreadable } from '#kernel/fault'
import { reason } from '#kernel/refusals/reason'
import { likertOf } from './likert'
import { type Form, leafItem } from './question'
import { tableOf } from './table'
import {
  type Branch,
  cellText,
  extraText,
  isGroup,
  language,
  listsOf,
  relevanceOf,
  treeOf,
  unreadColumns,
} from './tree'

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
  requireColumns(sheets.survey)
  const { text, isUsed, formatted } = language(sheets, other)
  const warnings: Warning[] = []
  const warn = (field: string, problem: string) => void warnings.push({ field, problem })
  const form: Form = { text, lists: listsOf(sheets.choices, text), warn }
  const stages = stagesOf(form, treeOf(sheets.survey, warn), sheets.settings[0] ?? new Map())
  if (formatted()) warn('HTML', 'Formatting of texts is not carried over.')
  return { stages, warnings: [...unreadColumns(sheets, isUsed), ...warnings] }
}

function requireColumns(survey: readonly SheetRow[]): void {
  if (!survey.length) throw unreadable(reason('surveyEmpty'))
  const columns = new Set(survey.flatMap((row) => [...row.keys()]))
  const missing = ['type', 'name'].filter((column) => !columns.has(column)).map((column) => `“${column}”`)
  if (missing.length) throw unreadable(reason('surveyColumnsMissing', { columns: missing }))
}

/** The groups that one of our exports notes as stages; what is outside of them is the first stage. */
function stagesOf(form: Form, tree: readonly Branch[], general: SheetRow): DraftStage[] {
  const stages: DraftStage[] = []
  const rest: DraftItem[] = []
  for (const branch of tree) {
    const extra = branch.children && extraFrom(extraText(branch.row))?.stage
    if (extra) {
      const source = cellText(branch.row, 'name')
      const name = form.text(branch.row, 'label') || titleFromName(source)
      stages.push({ source, name, extra, items: branch.children!.flatMap((child) => itemsOf(form, child, {})) })
    } else rest.push(...itemsOf(form, branch, {}))
  }
  if (!rest.length) return stages
  const title = cellText(general, 'form_title') || cellText(general, 'form_id') || cellText(general, 'id_string')
  const extra = extraFrom(extraText(general))?.stage
  const first = { source: 'survey', name: toPlainText(title) || 'Form', items: rest, ...(extra ? { extra } : {}) }
  return [first, ...stages]
}

/** @param outer the conditions of the groups around it */
function itemsOf(form: Form, branch: Branch, outer: ItemConditions): DraftItem[] {
  const { row, type, children } = branch
  const conditions = conditionsOf(row, outer)
  if (!children) return leafItem(form, branch, conditions)
  if (!isGroup(branch)) return [tableOf(form, branch, conditions)]
  const likert = likertOf(form, branch, conditions)
  if (likert) return [likert]
  const title = form.text(row, 'label')
  const inner = children.flatMap((child) => itemsOf(form, child, conditions))
  return title ? [{ kind: 'heading', source: cellText(row, 'name') || type, title, ...conditions }, ...inner] : inner
}

/** The conditions of a row: those of the groups around it, and its own. */
function conditionsOf(row: SheetRow, outer: ItemConditions): ItemConditions {
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
