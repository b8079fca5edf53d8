/** Makes a Likert of a group of an XLSForm with the appearance of a table. */
import type { DraftField, ItemConditions } from '#exchange/imports/common/draft'
import { extraFrom } from '#exchange/imports/common/extras'
import { valueOfCode } from '#exchange/imports/common/fields'
import { type Form, isRequired, titled, withNotes } from './question'
import { type Branch, cellText, extraText } from './tree'

const MOST_STATEMENTS = 200
const MOST_POINTS = 100

/** The Likert, if all questions of the group have the same choices; else undefined. */
export function likertOf(form: Form, branch: Branch, conditions: ItemConditions): DraftField | undefined {
  const { row, children = [] } = branch
  const extra = extraFrom(extraText(row))
  const [first] = children
  const list = first && /\btable-list\b/.test(cellText(row, 'appearance')) ? sharedChoices(form, children) : undefined
  if (!first || !list) return undefined
  const source = cellText(row, 'name') || cellText(first.row, 'name')
  const required = children.filter((child) => isRequired(child, () => {}))
  if (required.length && required.length < children.length)
    form.warn(source, 'Only some of its rows must be answered; no row of the Likert must be.')
  const rows = rowsOf(children, extra?.type?.statements)
  return {
    kind: 'field',
    ...titled(form, branch, source),
    format: 'likert',
    settings: {
      scale: list.map(({ label, code }) => ({ value: valueOfCode(code), label })),
      statements: rows.map(({ key }, at) => ({ key, label: form.text(children[at]!.row, 'label') || key })),
    },
    rows,
    ...(required.length === children.length ? { isRequired: true } : {}),
    ...withNotes(form, branch, conditions),
  }
}

/** The choices that all questions have; undefined if they differ, or if there is more to a question than its choices. */
function sharedChoices({ lists }: Form, questions: readonly Branch[]) {
  const { type } = questions[0]!
  const isPlain = (each: Branch) =>
    !each.children &&
    each.type === type &&
    /^select_one /i.test(type) &&
    !['relevant', 'relevance', 'hint', 'constraint'].some((column) => each.row.has(column))
  const list =
    questions.length <= MOST_STATEMENTS && questions.every(isPlain) ? lists.get(type.split(' ')[1]!) : undefined
  return list && list.length <= MOST_POINTS ? list : undefined
}

/** The statements by their names. @param noted those that one of our exports notes: they keep their keys */
function rowsOf(questions: readonly Branch[], noted: unknown): { source: string; key: string }[] {
  const keys = Array.isArray(noted) && noted.length === questions.length ? noted : undefined
  return questions.map(({ row }, at) => {
    const source = cellText(row, 'name')
    return { source, key: keys ? String(keys[at]?.key) : source }
  })
}
