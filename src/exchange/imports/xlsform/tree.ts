/** Reads the structure of an XLSForm: the tree of its groups, its lists of choices, and its texts in one language. */
import type { Warning } from '#design/stages/importPlan'
import type { SheetRow, XlsformSheets } from '#documents/sheets'
import { isFormatted, toPlainText } from '#documents/texts'
import type { Warn } from '#exchange/imports/common/draft'
import { languageNamed } from '#exchange/imports/common/languageNames'
import { unreadable } from '#kernel/fault'
import { reason } from '#kernel/refusals/reason'
import { cut } from '#kernel/text'
import type { Choices } from './field'

/** A row; for the begin of a group or repeat, with the rows up to its end. */
export type Branch = { row: SheetRow; type: string; children?: Branch[] }

/** The text of a cell in the language that is read, without its formatting. */
export type TextOf = (row: SheetRow, column: string) => string

/** As many languages as a trial can have. */
const MOST_LANGUAGES = 50

/** The maximum depth of groups in groups. */
const DEEPEST = 50

/** Columns that are read, with or without a language after their name. */
const KNOWN_COLUMNS = new Set([
  ...'type name label hint required relevant relevance constraint calculation appearance parameters repeat_count readonly read_only'.split(
    ' ',
  ),
  ...['list_name', 'list name', 'list', 'value', 'trialbox'],
])
/** Question types that a device fills in by itself. */
export const DEVICE_TYPES = new Set(
  'start end today deviceid subscriberid simserial phonenumber username email audit start-geopoint background-audio hidden xml-external csv-external imei'.split(
    ' ',
  ),
)

/** The text of a cell; empty if it is blank. */
export const cellText = (row: SheetRow, column: string) => row.get(column) ?? ''
/** The condition on which a row is shown. Older forms have it in another column. */
export const relevanceOf = (row: SheetRow) => cellText(row, 'relevant') || cellText(row, 'relevance')
/** The note of one of our exports. A long one continues in further columns, as a cell of Excel has a maximum length. */
export const extraText = (row: SheetRow) => {
  let text = cellText(row, 'trialbox')
  for (let n = 2; row.has(`trialbox_${n}`); n++) text += row.get(`trialbox_${n}`)
  return text
}

/**
 * Reads texts in the default language of the form; if there is none, those without a language; else the first language.
 * `others`: what follows `label` in the headings of the other languages that are known.
 * @param other what follows `label` in the heading of another language; its texts come first then
 */
export function language({ survey, choices, settings }: XlsformSheets, other?: string) {
  const labels = new Set(
    [...survey, ...choices].flatMap((row) => [...row.keys()].filter((key) => key.startsWith('label'))),
  )
  const wanted = cellText(settings[0] ?? new Map(), 'default_language').toLowerCase()
  const chosen = labels.has(`label::${wanted}`)
    ? `::${wanted}`
    : labels.has('label')
      ? ''
      : ([...labels][0]?.slice(5) ?? '')
  const others = new Map<string, string>()
  for (const label of labels) {
    const tag = label.slice(5) === chosen ? undefined : languageNamed(label.slice(7))
    if (tag !== undefined && others.size < MOST_LANGUAGES && !others.has(tag)) others.set(tag, label.slice(5))
  }
  const KNOWN_COLUMNS = new Set(others.values())
  let formatted = 0
  const used = new WeakMap<SheetRow, Set<string>>()
  const text: TextOf = (row, column) => {
    const key = [...(other === undefined ? [] : [column + other]), column + chosen, column, ...row.keys()].find(
      (each) => row.has(each) && (each === column || each.startsWith(`${column}::`)),
    )
    if (key === undefined) return ''
    used.set(row, (used.get(row) ?? new Set()).add(key))
    if (isFormatted(row.get(key)!)) formatted++
    return toPlainText(row.get(key)!)
  }
  const isUsed = (row: SheetRow, key: string) =>
    used.get(row)?.has(key) === true || KNOWN_COLUMNS.has(key.replace(/^[a-z]+/, ''))
  return { text, formatted: () => formatted, isUsed, others }
}

/** Warnings about columns with texts that are not read. */
export function unreadColumns(sheets: XlsformSheets, isUsed: (row: SheetRow, key: string) => boolean): Warning[] {
  const counts = new Map<string, number>()
  for (const row of [...sheets.survey, ...sheets.choices]) {
    for (const key of row.keys()) {
      const isText = /^(?:label|hint)(?:::|$)/.test(key)
      if (isText ? !isUsed(row, key) && key.includes('::') : !KNOWN_COLUMNS.has(key) && !/^trialbox_\d+$/.test(key))
        counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return [...counts].map(([field, count]) => ({
    field: cut(field, 200),
    problem: `The column is not carried over (${count} cells).`,
  }))
}

/** The lists of choices by name. */
export function listsOf(rows: readonly SheetRow[], text: TextOf): Choices {
  const lists = new Map<string, { label: string; code: string }[]>()
  for (const row of rows) {
    const list = row.get('list_name') ?? row.get('list name') ?? row.get('list')
    const code = cellText(row, 'name') || cellText(row, 'value')
    if (!list || !code) continue
    if (!lists.has(list)) lists.set(list, [])
    lists.get(list)!.push({ label: text(row, 'label') || code, code })
  }
  return lists
}

/** The tree of the rows. Warns about a begin without an end, an end without a begin, and rows without a type. */
export function treeOf(rows: readonly SheetRow[], warn: Warn): Branch[] {
  const root: Branch = { row: new Map(), type: '', children: [] }
  const path = [root]
  for (const row of rows) {
    const type = cellText(row, 'type').replace(/\s+/g, ' ')
    const [, edge, kind] = /^(begin|end)[ _](group|repeat|loop)\b/i.exec(type) ?? []
    if (edge?.toLowerCase() === 'end') {
      if (path.length > 1) path.pop()
      else warn(cellText(row, 'name'), `“${type}” ends nothing and was left out.`)
      continue
    }
    if (type === '') {
      warn(cellText(row, 'name') || cellText(row, 'label'), 'The row has no type and was left out.')
      continue
    }
    const branch: Branch = { row, type: kind ? kind.toLowerCase() : type, ...(edge ? { children: [] } : {}) }
    path.at(-1)!.children!.push(branch)
    if (edge) path.push(branch)
    if (path.length > DEEPEST) throw unreadable(reason('groupsTooDeep', { most: DEEPEST }))
  }
  for (const { row } of path.slice(1)) warn(cellText(row, 'name'), 'Its end is missing: everything after it is in it.')
  return root.children!
}

export const isGroup = ({ type, children }: Branch): boolean => children !== undefined && type === 'group'
