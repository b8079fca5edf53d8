/** The blocks of one part of a text as a stage: its questions in order, what shows them, and when it is filled in. */
import type { Node } from '#design/dataTypes/grammar/tree'
import type { Block } from './blocks'
import { optionsIn, pointsIn } from './choices'
import { answered, bothPressures, keyed, type Open, scaleOf } from './closing'
import { nodeFor } from './conditions'
import { capital, formsIn, listOf, sentencesOf } from './prose'
import { type Field, questionIn } from './question'
import { type Schedule, scheduleIn } from './schedule'
import { likertOf, tableOf } from './tables'

export type ReadField = Field & { kind: 'field'; note?: string; shown?: Node[]; shownText?: string }
export type ReadHeading = { kind: 'heading'; title: string }
export type ReadItem = ReadField | ReadHeading
export type ReadStage = { name: string; items: ReadItem[]; schedules: Schedule[]; description: string[] }

type Item = Block & { kind: 'item' }

const CONDITION =
  /^\(?if\s+([^,:?]{1,120}?)\s*(?:,|:|\?|–|—|->|→|\bthen\b|(?=\bplease\b))\s*(?:then\s+)?(?:please\s+)?(\S.*?)\)?$/i
const COLLECTING =
  /^(?:please\s+)?(?:collect|record|measure|ask|assess|document|capture|note|obtain|questions?|fields?|include|includes|the following)\b/i
const COLLECTS =
  /\b(?:collect|record|measure|ask(?:s|ed)?(?: (?:for|about))?|document|capture|obtain|include[sd]?|consists? of|following)\b/i
const ADDRESSED = /\b(?:please|you|your|thank)\b/i
/** What only says how a question above it is answered. */
const HOW = /^[([]?\s*(?:please\s+)?(?:select|tick|check|choose|mark)\b|^multiple\b|^more than one\b/i

/** @param note told of what was not understood */
export function stagesOf(title: string, blocks: readonly Block[], note: (text: string) => void): ReadStage[] {
  const stages: ReadStage[] = []
  let stage: ReadStage | undefined
  let open: Open | undefined
  /** The fields of the stage by their numbers in the text. */
  let byNumber = new Map<string, ReadField>()

  const begin = (name: string, schedules: Schedule[]): ReadStage => {
    close()
    stage = { name, items: [], schedules, description: [] }
    byNumber = new Map()
    stages.push(stage)
    return stage
  }
  const current = (): ReadStage => stage ?? begin('', [])
  if (title) begin(title, [])

  for (const block of blocks) {
    if (block.kind === 'heading') {
      close()
      const schedule = scheduleIn(block.text, true)
      if (schedule && !current().items.length) current().schedules.push(schedule)
      current().items.push({ kind: 'heading', title: block.text })
    } else if (block.kind === 'table') table(block.rows)
    else if (block.kind === 'item') item(block)
    else text(block)
  }
  close()
  return stages

  function ask(
    line: string,
    at: { marker: Open['marker']; indent: number; number?: string | undefined },
    isLead = false,
  ): void {
    close()
    const found = CONDITION.exec(line)
    const field = questionIn(found ? capital(found[2]!) : line)
    open = {
      field,
      ...at,
      number: at.number,
      options: [],
      statements: [],
      points: [],
      help: [],
      isLead,
      condition: found?.[1],
    }
    const trailing = !found && /^(.*\S)\s*\(\s*if\s+([^)]{1,80})\)\s*([?:]?)$/i.exec(line)
    if (trailing) Object.assign(open, { field: questionIn(`${trailing[1]}${trailing[3]}`), condition: trailing[2] })
  }

  function item(block: Item): void {
    const { marker, indent } = block
    const line = block.text
    if (marker === 'box' || marker === 'circle' || marker === 'code') {
      if (!open) ask(stage?.name || 'Rating', { marker: 'text', indent: 0 }, true)
      open!.options.push(line)
      if (marker === 'box') open!.field.multiple = true
      return
    }
    const scaled = open && scaleOf(open)
    const own = questionIn(line)
    if (
      open &&
      scaled &&
      (open.isLead || open.marker === 'text' || (marker !== open.marker && marker !== 'number')) &&
      !own.settings.options &&
      !CONDITION.test(line)
    ) {
      open.statements.push(own.title)
      if (own.isRequired) open.field.isRequired = true
      return
    }
    const isDeeper =
      open &&
      (indent > open.indent ||
        (marker === 'letter' && open.marker === 'number') ||
        (marker === 'bullet' && open.marker !== 'bullet'))
    const isAsked =
      /\?\s*(?:\(.*\)|\*)?$/.test(line) ||
      (own.isCertain && !(open && (open.options.length || /\?$/.test(open.field.title))))
    if (
      open &&
      isDeeper &&
      !(open.isLead && COLLECTS.test(open.field.title)) &&
      !isAsked &&
      !open.field.settings.expression
    ) {
      open.options.push(line)
      return
    }
    if (open?.isLead && !open.options.length) lead()
    ask(line, { marker, indent, number: block.number })
  }

  /** A line that only led to what follows becomes a heading of it. */
  function lead(): void {
    if (!open) return
    current().items.push({ kind: 'heading', title: open.field.title })
    open = undefined
  }

  function text(block: Block & { kind: 'text' }): void {
    const line = block.text
    const points = pointsIn(line)
    if (points.length && (!open || open.isLead || open.marker === 'text' || !block.isNew)) {
      const before = questionIn(
        line.slice(0, line.search(/\d{1,3}\s*(?:=|:|–|—|-\s)/)).replace(/[\s([,:–—-]+$/, '') || 'x',
      ).title
      if (!open) ask(before === 'x' ? stage?.name || 'Rating' : before, { marker: 'text', indent: 0 }, true)
      else if (before !== 'x' && !/^(?:scale|scoring|answers?|options?|responses?)$/i.test(before))
        open.help.push(before)
      open!.points = points
      return
    }
    if (open && HOW.test(line) && line.length < 80) {
      if (questionIn(`x ${line}`).multiple) open.field.multiple = true
      return
    }
    const sentences = sentencesOf(line)
    if (
      CONDITION.test(line) &&
      sentences.length === 1 &&
      !/\bthen (?:the )?(?:participant|patient|subject|visit)/i.test(line)
    )
      return void ask(line, { marker: 'text', indent: block.indent })
    if (open && !block.isNew && !open.statements.length && follows(open, line, block.indent)) return
    const isSentence = /[.!]$/.test(line) || sentences.length > 1
    if (!isSentence && /\?\s*(?:\([^)]*\)|\*)*$/.test(line) && line.length <= 500)
      return void ask(line, { marker: 'text', indent: block.indent })
    const asked = questionIn(line)
    if (!isSentence && line.length <= 160 && !COLLECTING.test(line) && !formsIn(line).length && asked.isCertain)
      return void ask(line, { marker: 'text', indent: block.indent })
    close()
    const isLast = (n: number) => n === sentences.length - 1
    sentences.forEach((each, n) => {
      if (isLast(n) && /:$/.test(each) && !formsIn(each).length && !scheduleIn(each))
        ask(each.replace(/:$/, ''), { marker: 'text', indent: block.indent }, true)
      else sentence(each)
    })
  }

  /** A line right below a question: its options, its range, or help. */
  function follows(open: Open, line: string, indent: number): boolean {
    const choices = /[/|☐□○◯[]/.test(line) ? optionsIn(line) : []
    if (choices.length >= 2) open.options.push(...choices)
    else if (
      /^[([]?\s*(?:range|valid range|min|between)\b/i.test(line) ||
      /^[([]?\s*[-−]?\d+(?:[.,]\d+)?\s*(?:–|-|to)\s*\d/.test(line)
    ) {
      const ranged = questionIn(`${open.field.title} (${line.replace(/[()[\]]/g, '')})`)
      if (!ranged.isCertain) return false
      open.field = {
        ...open.field,
        format: ranged.format,
        settings: ranged.settings,
        ...(ranged.unit ? { unit: ranged.unit } : {}),
        isCertain: true,
      }
    } else if (/\?$/.test(line) || questionIn(line).isCertain || scheduleIn(line)) return false
    else if (indent > open.indent || /^[(*]/.test(line) || ADDRESSED.test(line)) open.help.push(line)
    else return false
    return true
  }

  function sentence(line: string): void {
    const forms = title ? [] : formsIn(line)
    for (const form of forms) {
      const schedule = scheduleIn(form.sentence, true)
      begin(form.name, schedule ? [schedule] : [])
      for (const question of form.questions) if (!onlyTime(question)) list(question)
    }
    if (forms.length) return
    const schedule = scheduleIn(line)
    const listed = COLLECTS.exec(line)
    if (listed && !schedule && !ADDRESSED.test(line.slice(0, listed.index))) {
      const rest = line
        .slice(listed.index + listed[0].length)
        .replace(/^[\s:]+|^\s*(?:the following|about|for)[\s:]+/gi, '')
      const questions = listOf(rest)
      if (questions.length && questions.every((each) => each.length <= 100)) {
        for (const question of questions) list(question)
        return
      }
    }
    if (schedule) current().schedules.push(schedule)
    if (schedule && schedule.rest.length <= 60) return
    if (stage && !stage.items.length && ADDRESSED.test(line)) stage.description.push(line)
    else note(line)
  }

  function list(question: string): void {
    ask(question, { marker: 'text', indent: 0 })
    close()
  }

  function table(rows: string[][]): void {
    const likert = likertOf(rows)
    const before = open?.isLead ? open.field.title : undefined
    if (before !== undefined) open = undefined
    close()
    const name = before ?? ((rows[0]?.[0] && likert ? rows[0][0] : '') || stage?.name || 'Table')
    if (likert) {
      const { points, statements } = likert
      add({
        title: name,
        format: 'likert',
        settings: { scale: points, statements: keyed(statements) },
        isCertain: true,
      })
      return
    }
    if (!rows[0]?.some(Boolean)) return
    const labels = rows.slice(1).flatMap(([first]) => first || [])
    add(
      { title: name, format: 'table', settings: tableOf(rows), isCertain: true },
      labels.length ? `Rows: ${labels.join(', ')}` : undefined,
    )
  }

  function close(): void {
    const done = open
    open = undefined
    if (!done) return
    const field = answered(done)
    if (field) add(field, done.help.join('\n'), done)
    else if (COLLECTS.test(done.field.title) || ADDRESSED.test(done.field.title))
      current().description.push(done.field.title)
    else note(done.field.title)
  }

  function add(field: Field, help?: string, from?: Open): void {
    const { items } = current()
    for (const each of bothPressures(field)) {
      const { multiple: _, ...kept } = each
      const made: ReadField = { kind: 'field', ...kept, ...(help ? { note: help } : {}) }
      if (from?.condition) condition(made, from.condition)
      items.push(made)
      if (from?.number) byNumber.set(from.number, made)
    }
  }

  /** What shows a field, by the words after “if”. */
  function condition(field: ReadField, words: string): void {
    const fields = current().items.filter((each): each is ReadField => each.kind === 'field')
    const named = /\b(?:question|item|q\.?)\s*(\d{1,3}(?:\.\d+)*)/i.exec(words)
    const candidates = named ? [byNumber.get(named[1]!)].filter((each) => each !== undefined) : fields.toReversed()
    const found = nodeFor(words, candidates)
    field.shownText = `If ${words}`
    if (found) field.shown = [found]
    else note(`If ${words}: ${field.title}`)
  }
}

const onlyTime = (text: string) => {
  const schedule = scheduleIn(text)
  return schedule !== undefined && schedule.rest.replace(/\b(?:and|the|a|of|questions?)\b/gi, '').trim().length < 4
}
