/** Recognises the lines of a text: headings, items, rows of tables, plain text. */

import { pointsIn } from './choices'

export type Block =
  | { kind: 'heading'; text: string; level: number }
  | {
      kind: 'item'
      marker: 'number' | 'bullet' | 'letter' | 'box' | 'circle' | 'code'
      text: string
      indent: number
      number?: string
      /** Set for a row of a table that describes a form or visits. */
      isRow?: true
    }
  | { kind: 'table'; rows: string[][] }
  | { kind: 'text'; text: string; indent: number /** After a blank line. */; isNew: boolean }

const STAGE_WORDS =
  /^(?:form|visit|stage|survey|diary|crf|case report form|questionnaire|instrument|assessment|timepoint|time point|cycle|screening|baseline|randomi[sz]ation|enrol?ment|follow[- ]?up|end of (?:study|treatment|trial)|unscheduled|adverse events?|early termination|eligibility|demographics|medical history|vital signs|informed consent|discharge|admission)\b/i
const TIMED = /^(?:day|week|month|year)\s+[-−]?\d+\b/i
const ENDING =
  /\b(?:form|visit|diary|questionnaire|survey|log|assessment|check-?in|crf|report|interview|call|screening|follow[- ]?up)s?(?:\s+\d+)?$/i
/** A name with its number, or with text after a comma, bracket or dash. */
const NAMED =
  /^(?:visit|stage|cycle|timepoint|form|assessment|follow[- ]?up)\s+\d|^[\p{L}\s-]+(?:\s+\d+)?\s*(?:[([,–—-].*)?$/iu
const SENTENCE = /^\P{Lu}|\b(?:is|are|was|were|has|have|will|should|must)\b/u
const SECTION = /^(?:section|part|block|subsection|page|domain)\s+(?:[A-Z]|\d{1,2}|[ivx]+)\b|^(?:section|part)\s*:/i

/** Whether a heading names a stage: something that is filled in at its own time. */
export const isStageName = (text: string): boolean =>
  STAGE_WORDS.test(text) || TIMED.test(text) || ENDING.test(text.replace(/\s*[([,–—-].*$/, ''))

const isCapitals = (text: string) =>
  text.length >= 4 &&
  /\p{Lu}.*\p{Lu}.*\p{Lu}.*\p{Lu}/u.test(text) &&
  !/\p{Ll}/u.test(text) &&
  !/[?=|_]/.test(text) &&
  text.length <= 100

function headingIn(text: string, next: string): { text: string; level: number } | undefined {
  const marked = /^(#{1,6})\s+(\S.*?)\s*#*$/.exec(text)
  if (marked) return { text: marked[2]!.replace(/\*\*|__/g, ''), level: marked[1]!.length }
  if (text.length > 100 || /[?.;!]$/.test(text)) return undefined
  if (/^={3,}$/.test(next)) return { text, level: 1 }
  if (/^(?:-{3,}|~{3,})$/.test(next)) return { text, level: 2 }
  const bold = /^(?:\*\*|__)(.+?)(?:\*\*|__):?$/.exec(text)
  const inner = (bold?.[1] ?? text).replace(/:$/, '').trim()
  if (SECTION.test(inner)) return { text: inner, level: 5 }
  const form = /^(?:form|stage|questionnaire|survey|crf|instrument|visit|diary)\s*[:–—]\s*(\S.*)$/i.exec(inner)
  if (form) return { text: form[1]!, level: 2 }
  if (bold) return { text: inner, level: isStageName(inner) ? 2 : 5 }
  if (isCapitals(inner)) return { text: inner, level: 2 }
  if (TIMED.test(inner) && inner.length <= 60) return { text: inner, level: 2 }
  const isNamed = STAGE_WORDS.test(inner) && NAMED.test(inner) && inner.split(/\s+/).length <= 10
  return isNamed && !SENTENCE.test(inner) ? { text: inner, level: 2 } : undefined
}

const bullets = /^[-*•‣◦▪·–—]\s+(.*)$/
const items: readonly [RegExp, (found: RegExpExecArray) => Omit<Block & { kind: 'item' }, 'kind' | 'indent'>][] = [
  [/^(?:[-*•]\s*)?(?:\[[ _xX]?\]|☐|□)\s*(\S.*)$/, ([, text]) => ({ marker: 'box', text: text! })],
  [/^(?:[-*•]\s*)?(?:\(\s?\)|○|◯|⚪)\s*(\S.*)$/, ([, text]) => ({ marker: 'circle', text: text! })],
  [/^(\d{1,3}\s*(?:=|–|—)\s*\S.*|\d{1,3}\s-\s\S.*)$/, ([, text]) => ({ marker: 'code', text: text! })],
  [
    /^\(?(?:Q(?:uestion)?\s*)?(\d{1,3}(?:\.\d{1,3})*)[a-z]?[.):]\s*(\S.*)$/i,
    ([, number, text]) => ({ marker: 'number', text: text!, number: number! }),
  ],
  [/^Q(\d{1,3})\s+(\S.*)$/, ([, number, text]) => ({ marker: 'number', text: text!, number: number! })],
  [/^\(?([a-z])[.)]\s+(\S.*)$/i, ([, , text]) => ({ marker: 'letter', text: text! })],
]

function itemIn(text: string, indent: number): Block | undefined {
  const bullet = bullets.exec(text)
  for (const [wanted, read] of items) {
    const found =
      wanted.exec(text) ?? (bullet && /^\d{1,3}\s*=|^\[|^\(\s?\)/.test(bullet[1]!) ? wanted.exec(bullet[1]!) : null)
    if (!found) continue
    const item = read(found)
    if (item.marker === 'code' && pointsIn(item.text).length) return undefined
    return { kind: 'item', indent, ...item }
  }
  return bullet?.[1]?.trim() ? { kind: 'item', marker: 'bullet', text: bullet[1].trim(), indent } : undefined
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(line.includes('|') ? /(?<!\\)\|/ : '\t')
    .map((cell) => cell.replaceAll('\\|', '|').trim())
const isRow = (line: string) => /^\s*\|.*\|\s*$/.test(line) || /\S\t+\S/.test(line.trim())
const isRule = (line: string) => /^\s*\|?[\s:|-]*-{2,}[\s:|-]*$/.test(line) && line.includes('|')

/** The maximum length of a line that is read as one. */
export const LONGEST_LINE = 2_000

/** The blocks of a text. Only blank lines and horizontal rules are left out. */
export function blocksOf(text: string): Block[] {
  const lines = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?|\u2028|\f/g, '\n')
    .replace(/\u00a0/g, ' ')
    .split('\n')
  const blocks: Block[] = []
  let wasBlank = true
  for (let at = 0; at < lines.length; at++) {
    const raw = lines[at]!
    const line = raw.replace(/^(?:\s*>)+\s?/, '')
    const trimmed = line.trim()
    if (trimmed === '' || /^(?:[-=_*~]\s*){3,}$/.test(trimmed)) {
      wasBlank = true
      continue
    }
    if (isRow(line) && (isRow(lines[at + 1] ?? '') || isRule(lines[at + 1] ?? ''))) {
      const rows: string[][] = []
      for (; at < lines.length && (isRow(lines[at]!) || isRule(lines[at]!)); at++) {
        if (!isRule(lines[at]!)) rows.push(cellsOf(lines[at]!))
      }
      at--
      blocks.push({ kind: 'table', rows })
      wasBlank = true
      continue
    }
    const indent = line.length - line.trimStart().length
    const heading = headingIn(trimmed, (lines[at + 1] ?? '').trim())
    blocks.push(
      heading
        ? { kind: 'heading', ...heading }
        : (itemIn(trimmed, indent) ?? { kind: 'text', text: trimmed, indent, isNew: wasBlank }),
    )
    wasBlank = false
  }
  return blocks
}
