/**
 * Reads a description, protocol or list of questions to a plan, by rules, without AI. The notes of the plan list what
 * was not understood.
 */

import type { ExpressionNode } from '#design/dataTypes/grammar/tree'
import { codeFrom } from '#design/dataTypes/rules'
import { titleFromName } from '#documents/texts'
import { assemble } from '#exchange/imports/common/assemble'
import type { DraftField, DraftItem, DraftStage } from '#exchange/imports/common/draft'
import { cut } from '#kernel/text'
import { type Block, blocksOf, isStageName, LONGEST_LINE } from './blocks'
import { outlineOf, type Part } from './outline'
import type { GeneratedPlan, GeneratedStage } from './plan'
import { scheduleIn } from './schedule'
import { type ReadField, type ReadStage, stageOf } from './stage'
import { expandTables } from './tables'
import { stageSettings } from './timing'

/** A document's text, and the name of its file. */
export type Source = { text: string; name: string }

/**
 * Reads all questions of the texts in tables, lists and numbered lines; each text has its own outline. Any text gives a valid
 * plan; if there are no questions, the plan has no stages, and its first note says what was found.
 */
export function readProtocol(...sources: (string | Source)[]): GeneratedPlan {
  const notes: string[] = []
  const read: ReadStage[] = []
  const found: Block[] = []
  let title: string | undefined
  for (const source of sources) {
    const { text, name } = typeof source === 'string' ? { text: source, name: '' } : source
    const blocks = blocksOf(withShortLines(text, notes))
    found.push(...blocks)
    const outline = outlineOf(expandTables(blocks))
    const isDocument = name !== ''
    const own: string[] = []
    const stages = stagesOf(outline.parts, own, isDocument)
    if (isDocument && !stages.some(hasFields)) {
      notes.push(`“${name}” holds no schedule, form or question that can be read. ${describeContent(blocks)}`)
      continue
    }
    notes.push(...own)
    title ??= outline.title
    for (const stage of stages) nameStage(stage, titleFromName(name.replace(/\.\w+$/, '')) || 'Questionnaire')
    read.push(...stages)
  }
  if (!read.some(hasFields)) return { stages: [], dataTypes: [], notes: limitNotes([describeContent(found), ...notes]) }
  const settings = stageSettings(read, notes)
  const { stages, dataTypes, warnings } = assemble({ stages: draftsOf(read, settings), warnings: [], shares: true })
  const lost = warnings.map(({ field, problem }) => `${field}: ${problem}`)
  return {
    ...(title ? { name: cut(title, 500) } : {}),
    stages: distinct(stages as GeneratedStage[]),
    dataTypes,
    notes: limitNotes([...notes, ...lost]),
  }
}

/** The notes within the bounds of a plan. */
const limitNotes = (notes: readonly string[]) => notes.map((each) => cut(each, 2_000)).slice(0, 5_000)

const hasFields = ({ items }: ReadStage) => items.some(({ kind }) => kind === 'field')

function describeContent(blocks: readonly Block[]): string {
  const count = (kind: Block['kind'], one: string, more: string) => {
    const number = blocks.filter((block) => block.kind === kind).length
    return number ? [number === 1 ? `one ${one}` : `${number} ${more}`] : []
  }
  const all = [
    ...count('heading', 'heading', 'headings'),
    ...count('text', 'line of text', 'lines of text'),
    ...count('item', 'line of a list', 'lines of lists'),
    ...count('table', 'table', 'tables'),
  ]
  const what = all.join(' and ') || 'nothing'
  if (blocks.some(({ kind }) => kind === 'item' || kind === 'table'))
    return `Found ${what}, but nothing in them that is plainly a question or a visit.`
  return `Found ${what}, but no table, list or numbered question: these are what forms are made from.`
}

function stagesOf(parts: readonly Part[], notes: string[], isDocument: boolean): ReadStage[] {
  return parts.flatMap((part) => {
    const place = part.title ? ` in “${part.title}”` : ''
    const note = (line: string, problem = 'Not understood') => void notes.push(`${problem}${place}: “${line}”`)
    const stage = stageOf(part.title, part.blocks, note, isDocument)
    if (isDocument) removeProse(stage, note)
    if (hasFields(stage) || hasNameOrTime(stage)) return [stage]
    for (const { title } of stage.items) notes.push(`Not understood: “${title}”`)
    if (stage.name) notes.push(`“${stage.name}” asks nothing and was left out.`)
    return []
  })
}

/** Whether it is plain that a line is a question: it says how it is answered, or ends with a question mark. */
const isEvident = ({ title, isCertain, isRow, isRequired, format }: ReadField) =>
  isRow || isCertain || isRequired || format !== 'text' || title.endsWith('?')

/**
 * Takes what is not plainly a question out of a part of a document, unless its heading names a form, a visit or a time, or
 * most of its lines are questions: numbered headings, criteria and references are lists, too.
 */
function removeProse(stage: ReadStage, note: (line: string) => void): void {
  if (hasNameOrTime(stage)) return
  const fields = stage.items.filter((item) => item.kind === 'field')
  const evident = fields.filter(isEvident)
  if (evident.length * 2 > fields.length) return
  for (const { title, isRow } of fields) if (!isRow) note(title)
  stage.items = stage.items.filter((item) => item.kind === 'heading' || item.isRow)
}

/** The text with lines that are too long cut; a note says so. */
const withShortLines = (text: string, notes: string[]): string =>
  text
    .split('\n')
    .map((line) => {
      if (line.length <= LONGEST_LINE) return line
      notes.push(`A line was cut from ${line.length} to ${LONGEST_LINE} characters: “${cut(line, 100)}…”`)
      return cut(line, LONGEST_LINE)
    })
    .join('\n')

/** Whether a stage has the name of one, or a time. Such a stage is kept even without questions. */
const hasNameOrTime = ({ name, schedules }: ReadStage) =>
  schedules.length > 0 || (name !== '' && (isStageName(name) || scheduleIn(name, true) !== undefined))

const SEPARATOR = /\s*(?:,|\(|\s[–—-]\s|:)\s*/

/** Sets the name of a stage: the heading without its words about time, which are settings. */
function nameStage(stage: ReadStage, otherwise: string): void {
  const heading = stage.name.replace(/[\s:]+$/, '')
  const schedule = scheduleIn(heading, true)
  if (schedule && !stage.schedules.some(({ rest }) => rest === schedule.rest)) stage.schedules.unshift(schedule)
  const place = heading.search(SEPARATOR)
  const isTail = schedule && place > 1 && scheduleIn(heading.slice(place).replace(/^[\s,(–—:-]+/, ''))
  const bare = (isTail ? heading.slice(0, place) : heading)
    .replace(/\s*(?:\+\s*\/\s*-|\+-|±)\s*\d+\s*\w*/g, '')
    .replace(/\s+(?:for|over)\s+\d+\s+(?:days?|weeks?|months?|cycles?)\b.*$/i, '')
    .trim()
  const name = bare || otherwise
  stage.name = name.charAt(0).toUpperCase() + name.slice(1)
}

/** Gives stages with the same name different names. */
function distinct(stages: GeneratedStage[]): GeneratedStage[] {
  const names = new Set<string>()
  return stages.map((stage) => {
    let { name } = stage
    for (let n = 2; names.has(name.toLowerCase()); n++) name = `${cut(stage.name, 90)} (${n})`
    names.add(name.toLowerCase())
    return { ...stage, name }
  })
}

function draftsOf(stages: readonly ReadStage[], settings: readonly Partial<GeneratedStage>[]): DraftStage[] {
  const taken = new Set<string>()
  const byContent = new Map<string, string>()
  return stages.map((stage, at) => {
    /** The codes of this stage. */
    const codes = new Set<string>()
    const fields = stage.items.filter((item) => item.kind !== 'heading')
    // A computed BMI differs from one that is asked, and from one that is computed from other questions.
    const basis = basisOfBmi(fields)?.map(({ title, format, settings }) => [title.toLowerCase(), format, settings])
    const items = stage.items.map((item, n): DraftItem => {
      if (item.kind === 'heading') return { kind: 'heading', source: `heading ${n + 1}`, title: item.title }
      const { title, format, settings, unit, isPii, isRequired, note } = item
      // The same question in several stages becomes one data type, so that its answers can be compared.
      const content = JSON.stringify([title.toLowerCase(), format, settings, unit, format === 'bmi' && basis])
      let code = byContent.get(content)
      if (code === undefined || codes.has(code)) {
        code = codeFrom(title, (other) => taken.has(other))
        taken.add(code)
        if (!byContent.has(content)) byContent.set(content, code)
      }
      codes.add(code)
      return {
        ...{ kind: 'field', source: code, title, format, settings },
        ...(unit ? { unit } : {}),
        ...(isPii ? { isPii } : {}),
        ...(isRequired ? { isRequired } : {}),
        ...(note ? { note } : {}),
      }
    })
    computeBmi(items)
    return {
      source: stage.name,
      name: stage.name,
      settings: settings[at]! as DraftStage['settings'] & object,
      items,
    }
  })
}

/** Weight and height, if a stage asks for both as single questions. */
function basisOfBmi<F extends { title: string; unit?: string }>(fields: readonly F[]): [F, F] | undefined {
  const weight = fields.find(({ unit, title }) => unit === 'kg' && /\bweight\b/i.test(title))
  const height = fields.find(({ unit, title }) => unit === 'cm' && /\bheight\b/i.test(title))
  return weight && height && [weight, height]
}

/** If height and weight are asked as single questions, BMI is computed from them instead of asked again. */
function computeBmi(items: DraftItem[]): void {
  const fields = items.filter((item): item is DraftField => item.kind === 'field')
  const basis = basisOfBmi(fields)
  if (!basis) return
  const [weight, height] = basis
  for (const field of fields) {
    if (field.format !== 'bmi') continue
    const metres: ExpressionNode = {
      kind: 'binary',
      sign: '/',
      left: { kind: 'field', name: height.source },
      right: { kind: 'value', value: 100 },
    }
    const squared: ExpressionNode = { kind: 'binary', sign: '^', left: metres, right: { kind: 'value', value: 2 } }
    field.computed = { kind: 'binary', sign: '/', left: { kind: 'field', name: weight.source }, right: squared }
    field.format = 'calculation'
    field.settings = { decimals: 1 }
    field.unit = 'kg/m²'
  }
}
