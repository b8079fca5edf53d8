/** Reads the blocks of one part as a stage: its questions in order, and its times. */
import type { Block } from './blocks'
import { optionsIn, pointsIn } from './choices'
import { fieldOf, type OpenQuestion, scaleOf, withKeys } from './openQuestion'
import { type Field, questionIn } from './question'
import { type Schedule, scheduleIn } from './schedule'
import { isBlankTable, likertOf, tableOf } from './tables'

/** `isRow`: a table asks it. */
export type ReadField = Field & { kind: 'field'; note?: string; isRow?: true }
export type ReadItem = ReadField | { kind: 'heading'; title: string }
export type ReadStage = { name: string; items: ReadItem[]; schedules: Schedule[] }

/** The note for a question whose condition is written in words. */
const UNCONDITIONAL = 'It is always asked, as its condition was not understood'

type Item = Block & { kind: 'item' }

/**
 * Reads one part.
 * @param note called for each line that was not understood
 * @param isDocument whether it is of a document: a sentence in its lists is no question
 */
export function stageOf(
  title: string,
  blocks: readonly Block[],
  note: (line: string, problem?: string) => void,
  isDocument = false,
): ReadStage {
  const stage: ReadStage = { name: title, items: [], schedules: [] }
  let open: OpenQuestion | undefined
  /** A line of text that may turn out to be the question of a list, a scale or a table below it. */
  let lead: string | undefined

  for (const block of blocks) {
    if (block.kind === 'heading') heading(block.text)
    else if (block.kind === 'table') table(block.rows)
    else if (block.kind === 'item') item(block)
    else text(block)
  }
  close()
  dropLead()
  return stage

  function heading(text: string): void {
    close()
    dropLead()
    const schedule = scheduleIn(text, true)
    if (schedule && !stage.items.length) stage.schedules.push(schedule)
    stage.items.push({ kind: 'heading', title: text })
  }

  function dropLead(): void {
    if (lead !== undefined) note(lead)
    lead = undefined
  }

  function takeLead(): string | undefined {
    const taken = lead?.replace(/:$/, '')
    lead = undefined
    return taken
  }

  function ask(line: string, marker: OpenQuestion['marker'] = 'text', indent = 0): OpenQuestion {
    close()
    open = { field: questionIn(line), marker, indent, options: [], statements: [], points: [], help: [] }
    return open
  }

  /** The question to which a list or scale belongs: the open one, else the line above it. */
  function openQuestion(): OpenQuestion {
    return (lead === undefined && open) || ask(takeLead() ?? (stage.name || 'Rating'))
  }

  function item({ marker, indent, text, isRow }: Item): void {
    if (marker === 'box' || marker === 'circle' || marker === 'code') {
      const question = openQuestion()
      question.options.push(text)
      if (marker === 'box') question.field.multiple = true
      return
    }
    const own = questionIn(text)
    if (open && lead === undefined && isStatement(open, marker) && !own.settings.options) {
      open.statements.push(own.title)
      if (own.isRequired) open.field.isRequired = true
    } else if (open && lead === undefined && isOption(open, { marker, indent, text }, own)) open.options.push(text)
    else if (isDocument && !isRow && isSentence(text)) {
      close()
      dropLead()
      note(text)
    } else {
      close()
      if (lead?.endsWith(':')) stage.items.push({ kind: 'heading', title: takeLead()! })
      dropLead()
      ask(text, marker, indent).isRow = isRow
      if (/^\(?if\b/i.test(text)) note(text, UNCONDITIONAL)
    }
  }

  function text({ text: line, indent, isNew }: Block & { kind: 'text' }): void {
    const points = pointsIn(line)
    if (points.length && (lead !== undefined || !open || open.marker === 'text' || !isNew)) scale(line, points)
    else if (open && /^\((?:shown )?if\b/i.test(line)) note(`${open.field.title} ${line}`, UNCONDITIONAL)
    else if (open && lead === undefined && !isNew && addToQuestion(open, line, indent)) return
    else if (/_{3,}|\.{4,}|…{2,}/.test(line)) {
      dropLead()
      ask(line, 'text', indent)
    } else {
      close()
      dropLead()
      lead = line
    }
  }

  /** “In the last week: 0 = Never … 3 = Always” */
  function scale(line: string, points: OpenQuestion['points']): void {
    const start = line.search(/\d{1,3}\s*(?:=|:|–|—|-\s)/)
    const label = line.slice(0, start).replace(/[\s([,:–—-]+$/, '')
    if (lead === undefined && !open) ask(label || stage.name || 'Rating').points = points
    else {
      const question = openQuestion()
      question.points = points
      if (label && !/^(?:scale|scoring|answers?|options?|responses?)$/i.test(label)) question.help.push(label)
    }
  }

  function table(rows: string[][]): void {
    close()
    const likert = likertOf(rows)
    const name = takeLead() ?? ((likert && rows[0]?.[0]) || stage.name || 'Table')
    if (likert) {
      const settings = { scale: likert.points, statements: withKeys(likert.statements) }
      add({ title: name, format: 'likert', settings, isCertain: true }, '', true)
    } else if (isDocument && !isBlankTable(rows)) {
      note(rows[0]!.filter(Boolean).join(' | '), 'A table in which something is written was left out')
    } else if (rows[0]?.some(Boolean)) {
      const labels = rows.slice(1).flatMap(([first]) => first || [])
      const help = labels.length ? `Rows: ${labels.join(', ')}` : ''
      add({ title: name, format: 'table', settings: tableOf(rows), isCertain: true }, help, true)
    }
  }

  function close(): void {
    const done = open
    open = undefined
    if (done) add(fieldOf(done), done.help.join('\n'), done.isRow)
  }

  function add(field: Field, help = '', isRow?: true): void {
    for (const each of splitBloodPressure(field)) {
      const { multiple: _, ...kept } = each
      stage.items.push({ kind: 'field', ...kept, ...(help ? { note: help } : {}), ...(isRow ? { isRow } : {}) })
    }
  }
}

/** Whether a line of a list is a sentence of prose: it tells what is done, and asks nothing. */
const isSentence = (text: string): boolean =>
  !/[?:]|_{3,}/.test(text) &&
  (/\b(?:will|shall|should|must)\s+(?:not\s+)?(?:be|have|undergo|receive)\b/i.test(text) ||
    (/[.;]$/.test(text) && text.split(/\s+/).length >= 4))

/** Whether an item is a statement that is answered on the scale above it. */
const isStatement = (open: OpenQuestion, marker: Item['marker']): boolean =>
  scaleOf(open) !== undefined && (open.marker === 'text' || (marker !== open.marker && marker !== 'number'))

/** Whether an item is an option of the question above it, rather than a question of its own. */
function isOption(open: OpenQuestion, { marker, indent, text }: Omit<Item, 'kind'>, own: Field): boolean {
  const isDeeper =
    indent > open.indent ||
    (marker === 'letter' && open.marker === 'number') ||
    (marker === 'bullet' && open.marker !== 'bullet')
  const isQuestion =
    /\?\s*(?:\(.*\)|\*)?$/.test(text) || (own.isCertain && !open.options.length && !open.field.title.endsWith('?'))
  return isDeeper && !isQuestion
}

/**
 * Adds a line directly below a question to it: options, how many may be chosen, or help. Returns false if it is none of
 * these.
 */
function addToQuestion(open: OpenQuestion, line: string, indent: number): boolean {
  const choices = /[/|☐□○◯[]/.test(line) ? optionsIn(line) : []
  if (choices.length >= 2) open.options.push(...choices)
  else if (questionIn(`x ${line}`).multiple) open.field.multiple = true
  else if (indent > open.indent || /^[(*]/.test(line)) open.help.push(line)
  else return false
  return true
}

/** Splits a blood pressure that is asked in one line into two fields; returns any other field unchanged. */
function splitBloodPressure(field: Field): Field[] {
  const isBoth =
    /\bblood pressure\b/i.test(field.title) &&
    !/systolic|diastolic|\?$/i.test(field.title) &&
    /text|integer|float/.test(field.format)
  if (!isBoth) return [field]
  const figure = { format: 'integer', unit: 'mmHg', settings: { min: 0 }, isCertain: true } as const
  return ['systolic', 'diastolic'].map((part) => ({ ...field, title: `${field.title} (${part})`, ...figure }))
}
