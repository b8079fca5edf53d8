/** The rows of an XLSForm as the tree of its groups, its lists of choices, and its texts in one language. */
import { unreadable, type Warning } from '#design/stages/importPlan'
import type { SheetRow, XlsformSheets } from './sheets'
import { cut, isFormatted, plain } from './texts'
import type { Choices } from './xlsformField'

/** A row, with the rows between its begin and end. */
export type Branch = { row: SheetRow; type: string; children?: Branch[] }

const DEEPEST = 50

/** Columns that are read, whatever language stands behind them. */
const known = new Set(
  'type name label hint required relevant relevance constraint calculation appearance parameters repeat_count list_name list name trialbox'.split(
    ' ',
  ),
)
/** Question types that a device fills in by itself. */
export const device = new Set(
  'start end today deviceid subscriberid simserial phonenumber username email audit start-geopoint background-audio hidden xml-external csv-external imei'.split(
    ' ',
  ),
)

export const get = (row: SheetRow, column: string) => row.get(column) ?? ''
export const extraText = (row: SheetRow) => {
  let text = get(row, 'trialbox')
  for (let n = 2; row.has(`trialbox_${n}`); n++) text += row.get(`trialbox_${n}`)
  return text
}

/** Reads texts in the form's default language, else without one, else in the first there is. */
export function language({ survey, choices, settings }: XlsformSheets) {
  const labels = new Set(
    [...survey, ...choices].flatMap((row) => [...row.keys()].filter((key) => key.startsWith('label'))),
  )
  const wanted = get(settings[0] ?? new Map(), 'default_language').toLowerCase()
  const chosen = labels.has(`label::${wanted}`)
    ? `::${wanted}`
    : labels.has('label')
      ? ''
      : ([...labels][0]?.slice(5) ?? '')
  let formatted = 0
  const used = new WeakMap<SheetRow, Set<string>>()
  const text = (row: SheetRow, column: string): string => {
    const key = [column + chosen, column, ...row.keys()].find(
      (each) => row.has(each) && (each === column || each.startsWith(`${column}::`)),
    )
    if (key === undefined) return ''
    used.set(row, (used.get(row) ?? new Set()).add(key))
    if (isFormatted(row.get(key)!)) formatted++
    return plain(row.get(key)!)
  }
  return { text, formatted: () => formatted, isUsed: (row: SheetRow, key: string) => used.get(row)?.has(key) === true }
}

/** What stands in columns that are not read, by column. */
export function unread(sheets: XlsformSheets, isUsed: (row: SheetRow, key: string) => boolean): Warning[] {
  const counts = new Map<string, number>()
  for (const row of [...sheets.survey, ...sheets.choices]) {
    for (const key of row.keys()) {
      const isText = /^(?:label|hint)(?:::|$)/.test(key)
      if (isText ? !isUsed(row, key) && key.includes('::') : !known.has(key) && !/^trialbox_\d+$/.test(key))
        counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return [...counts].map(([field, count]) => ({
    field: cut(field, 200),
    problem: `The column is not carried over (${count} cells).`,
  }))
}

export function listsOf(rows: readonly SheetRow[], text: (row: SheetRow, column: string) => string): Choices {
  const lists = new Map<string, { label: string; code: string }[]>()
  for (const row of rows) {
    const list = row.get('list_name') ?? row.get('list name') ?? row.get('list')
    const code = get(row, 'name') || get(row, 'value')
    if (!list || !code) continue
    if (!lists.has(list)) lists.set(list, [])
    lists.get(list)!.push({ label: text(row, 'label') || code, code })
  }
  return lists
}

/** Rows as the tree that their begins and ends make. */
export function treeOf(rows: readonly SheetRow[], tell: (field: string, problem: string) => void): Branch[] {
  const root: Branch = { row: new Map(), type: '', children: [] }
  const path = [root]
  for (const row of rows) {
    const type = get(row, 'type').replace(/\s+/g, ' ')
    const [, edge, kind] = /^(begin|end)[ _](group|repeat|loop)\b/i.exec(type) ?? []
    if (edge?.toLowerCase() === 'end') {
      if (path.length > 1) path.pop()
      else tell(get(row, 'name'), `“${type}” ends nothing and was left out.`)
      continue
    }
    if (type === '') {
      tell(get(row, 'name') || get(row, 'label'), 'The row has no type and was left out.')
      continue
    }
    const branch: Branch = { row, type: kind ? kind.toLowerCase() : type, ...(edge ? { children: [] } : {}) }
    path.at(-1)!.children!.push(branch)
    if (edge) path.push(branch)
    if (path.length > DEEPEST) throw unreadable(`Groups lie in each other more than ${DEEPEST} deep.`)
  }
  for (const { row } of path.slice(1)) tell(get(row, 'name'), 'Its end is missing: everything after it is in it.')
  return root.children!
}

export const isGroup = ({ type, children }: Branch): boolean => children !== undefined && type === 'group'
