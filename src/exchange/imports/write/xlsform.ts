/** Writes a plan as an XLSForm workbook. */
import type { DataTypeSettings, Format } from '#design/dataTypes/model'
import type { ImportPlan, PlannedComponent, PlannedType } from '#design/stages/importPlan'
import { escapeForPlainText, toPlainText, UNPRINTABLE } from '#documents/texts'
import { codesOf, uniqueHeaders } from '#exchange/exports/datasets/columns'
import type { ExtraProperties } from '#exchange/imports/common/draft'
import { extrasOf, extraText, type PlanExtras, typesOf } from '#exchange/imports/common/extras'
import { headingOf, textsIn } from '#exchange/imports/common/languageNames'
import { planOf } from '#exchange/imports/common/languages'
import { draftFromXlsform } from '#exchange/imports/xlsform/read'
import { cut } from '#kernel/text'
import { typeOf, unique } from './answers'
import { calculationText, conditionText, type Dialect } from './expressions'
import { namesOf } from './names'
import type { PlanFile } from './planFile'
import { type Row, type Sheets, workbookOf } from './xlsformSheets'
import { constraintOf, xpath } from './xpath'

/** The maximum length of a note in a cell; Excel allows 32,767 characters. */
const CELL = 30_000

const typeWords: Partial<Record<Format, string>> = {
  integer: 'integer',
  rating: 'integer',
  float: 'decimal',
  measurements: 'decimal',
  date: 'date',
  datetime: 'dateTime',
  time: 'time',
  file: 'file',
  image: 'image',
  video: 'video',
  calculation: 'calculate',
}

/** Names that an XLSForm has for itself: of its metadata, and of the form. */
const RESERVED = ['meta', 'data']

/**
 * A text as readers of XLSForms accept it: in the characters of XML, without `${`, with which it would name a field, and not blank.
 * What this changes is in the notes.
 */
function validText(text: string): string {
  const shown = text.replace(UNPRINTABLE, '').replaceAll('${', '$ {')
  return escapeForPlainText(toPlainText(shown) === '' ? '…' : shown)
}

/** An expression, if XML can hold it; else it is in the notes only. */
const inXml = (text: string | undefined): string | undefined =>
  text === undefined || text.search(UNPRINTABLE) >= 0 ? undefined : text

/** The names of the choices: the codes. Where several can be chosen, spaces separate them, so that no name has one. */
function choiceNamesOf({ options, multiple }: DataTypeSettings): string[] {
  const free = uniqueHeaders()
  return codesOf(options).map((code) => (multiple ? free(code.replace(/\s+/g, '_')) : code))
}

/** The cells of a note; a long one is split. */
function extraCells(extra: ExtraProperties | undefined): Row {
  if (!extra || !Object.keys(extra).length) return {}
  const text = extraText(extra)
  const cells: Row = {}
  for (let n = 0, rest = text; rest; n++) {
    const part = cut(rest, CELL)
    cells[n ? `trialbox_${n + 1}` : 'trialbox'] = part
    rest = rest.slice(part.length)
  }
  return cells
}

/** The cells with the translations of a text, as `label::Deutsch (de)`. */
const translated = (column: 'label' | 'hint', object: object | undefined, field: string): Row =>
  Object.fromEntries(
    (textsIn(object ?? {}, field).others ?? []).map(([language, text]) => [
      `${column}::${headingOf(language)}`,
      validText(text),
    ]),
  )

/** The sheets of a plan. @param extras the notes; absent for the export that is read again to find them */
function sheetsFor(plan: ImportPlan, extras?: PlanExtras): Sheets {
  const types = typesOf(plan)
  const name = unique((wanted) => wanted.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?![A-Za-z_])/, '_'))
  for (const reserved of RESERVED) name(reserved)
  const names = namesOf(plan, types, name)
  const survey: Row[] = []
  const choices: Row[] = []
  const lists = new Map<string, string>()
  const listName = unique((wanted) => wanted)

  /** The name of the list with these choices; equal lists are written once. */
  function list(wanted: string, entries: readonly { name: string; label: string; own: object | undefined }[]): string {
    const key = JSON.stringify(entries)
    let found = lists.get(key)
    if (found !== undefined) return found
    found = listName(wanted.replace(/\W+/g, '_'))
    lists.set(key, found)
    for (const entry of entries)
      choices.push({
        ...{ list_name: found, name: entry.name, label: validText(entry.label) },
        ...translated('label', entry.own, 'label'),
      })
    return found
  }
  /** The names of the choices by the codes of the options, for each question of which several can be chosen. */
  const choiceNames = new Map<string, ReadonlyMap<string, string>>()
  plan.stages.forEach(({ components }, n) => {
    components.forEach((component, m) => {
      const type = typeOf(types, component)
      if (!type?.multiple) return
      const found = choiceNamesOf(type)
      choiceNames.set(names.of(n, m)[0]!, new Map(codesOf(type.options).map((code, at) => [code, found[at]!])))
    })
  })
  const optionList = (question: string, settings: DataTypeSettings) => {
    const { options } = settings
    return list(
      question,
      choiceNamesOf(settings).map((name, at) => ({ name, label: options![at]!.label, own: options![at] })),
    )
  }

  function typeWord(name: string, type: { format: Format } & DataTypeSettings): Row {
    const constraint = inXml(constraintOf(type))
    const rest: Row = constraint ? { constraint } : {}
    if (type.format === 'choice')
      return { ...rest, type: `${type.multiple ? 'select_multiple' : 'select_one'} ${optionList(name, type)}` }
    if (type.format === 'paragraph') return { ...rest, type: 'text', appearance: 'multiline' }
    if (type.format === 'slider') {
      const { min = 1, max = 10, step = 1 } = type
      return { type: 'range', parameters: `start=${min} end=${max} step=${step}` }
    }
    if (type.format === 'file' && type.mimeTypes?.join() === 'audio/*') return { type: 'audio' }
    return { ...rest, type: typeWords[type.format] ?? 'text' }
  }

  function rowsFor(
    component: PlannedComponent,
    type: PlannedType | undefined,
    names: readonly string[],
    dialect: Dialect,
  ): Row[] {
    const relevant = inXml(conditionText(component.condition, types, dialect))
    const row: Row = {
      name: names[0]!,
      label: validText(component.title),
      ...translated('label', component, 'title'),
      ...(component.description ? { hint: validText(component.description) } : {}),
      ...translated('hint', component, 'description'),
      ...(relevant ? { relevant } : {}),
    }
    if (!type) return [{ type: 'note', ...row }]
    const required: Row = component.isRequired ? { required: 'yes' } : {}
    if (type.format === 'likert' && type.scale?.length && type.statements?.length) {
      const scale = list(
        names[0]!,
        type.scale.map((own) => ({ name: String(own.value), label: own.label || String(own.value), own })),
      )
      const rows = type.statements.map((statement, place) => ({
        type: `select_one ${scale}`,
        name: names[place + 1]!,
        label: validText(statement.label),
        ...translated('label', statement, 'label'),
        ...required,
      }))
      return [
        { type: 'begin group', ...row, appearance: 'table-list' },
        ...rows,
        { type: 'end group', name: names[0]! },
      ]
    }
    if (type.format === 'table' && type.columns?.length) {
      const repeat: Row =
        type.minRows != null && type.minRows === type.maxRows ? { repeat_count: String(type.minRows) } : {}
      const columns = type.columns.map((column) => ({
        ...typeWord(`${names[0]}_${column.id}`, column),
        name: name(column.id),
        label: validText(column.label),
        ...translated('label', column, 'label'),
      }))
      return [
        { type: 'begin repeat', ...row, ...required, ...repeat },
        ...columns,
        { type: 'end repeat', name: names[0]! },
      ]
    }
    const calculation: Row =
      type.format === 'calculation'
        ? { calculation: inXml(calculationText(type.expression ?? '', types, dialect)) ?? "''" }
        : {}
    return [{ ...row, ...required, ...typeWord(names[0]!, type), ...calculation }]
  }

  const isOne = plan.stages.length === 1 && plan.stages[0]!.components.length > 0
  plan.stages.forEach((stage, n) => {
    const dialect = xpath(names.within(n), (question, code) => choiceNames.get(question)?.get(code) ?? code)
    const group = isOne ? '' : name(`form_${stage.name.replace(/[^A-Za-z0-9]+/g, '_').slice(0, 60)}`)
    if (group)
      survey.push({
        type: 'begin group',
        name: group,
        label: validText(stage.name),
        ...translated('label', stage, 'name'),
        ...extraCells({ stage: extras?.stages[n] ?? {} }),
      })
    stage.components.forEach((component, m) => {
      const [first, ...rest] = rowsFor(component, typeOf(types, component), names.of(n, m), dialect)
      survey.push({ ...first, ...extraCells(extras?.components[n]?.[m]) }, ...rest)
    })
    if (group) survey.push({ type: 'end group', name: group })
  })
  const [only] = plan.stages
  const title = isOne ? only!.name : 'Study'
  const settings: Row = {
    form_title: validText(title),
    form_id: title.toLowerCase().replace(/[^a-z0-9]+/g, '_'),
    ...(isOne && extras?.stages[0] ? extraCells({ stage: extras.stages[0] }) : {}),
  }
  return { survey, choices, settings }
}

/** The size limit for reading our own export, in bytes. */
const UNLIMITED = 1 << 30

/**
 * Writes the workbook. Several stages are groups at the top level. What XLSForm cannot hold is in the columns
 * `trialbox`, which other tools ignore.
 */
export function writeXlsform(plan: ImportPlan): PlanFile {
  // Without stages there are no rows, which no reader takes for a form.
  const found = plan.stages.length ? planOf(draftFromXlsform(workbookOf(sheetsFor(plan)), UNLIMITED), true) : plan
  const extras = extrasOf(plan, found, false)
  return { content: workbookOf(sheetsFor(plan, extras)), extras }
}
