/** Reads one question or label as a field: the kind of answer follows from text in brackets and from its words. */
import type { DataTypeSettings, Format } from '#design/dataTypes/model'
import { fillScale, type Option, optionsFrom, optionsIn, pointsIn, type ScalePoint, yesNo } from './choices'
import { unitOf } from './units'

export type Field = {
  title: string
  format: Format
  settings: DataTypeSettings
  unit?: string
  isPii?: boolean
  isRequired?: boolean
  /** More than one option may be chosen. */
  multiple?: boolean
  /** Whether its words show the kind of answer; if not, it is a text. */
  isCertain: boolean
}

type Kind = Pick<Field, 'format' | 'settings' | 'unit'>

const REQUIRED = /\s*[([]\s*(?:required|mandatory)\s*[)\]]|\s*\*\s*(?=:?\s*$)|^\*\s*(?=\S)/gi
const OPTIONAL = /\s*[([]\s*optional\s*[)\]]/gi
const MULTIPLE =
  /\s*[([]?\s*(?:please\s+)?(?:(?:select|tick|check|choose|mark)\s+(?:all|any)(?:\s+(?:that|which)\s+appl(?:y|ies))?|multiple (?:answers|choices|responses)(?: possible| allowed)?)\s*[)\]]?\.?/gi

const number = (text: string) => Number(text.replace(',', '.').replace('−', '-'))
const RANGE =
  /(?:range|between|from|valid range)?\s*:?\s*([-−]?\d+(?:[.,]\d+)?)\s*(?:–|—|-|\bto\b|\.\.)\s*(\d+(?:[.,]\d+)?)/i

const plain = (format: Format, settings: DataTypeSettings = {}): Kind => ({ format, settings })
const measure = (unit: string, format: Format, settings: DataTypeSettings): Kind => ({ format, settings, unit })

/** The kind of answer by the words of a label; the first match counts. */
const kindsByWords: readonly [RegExp, Kind][] = [
  [/\bdate of birth\b|\bd\.?o\.?b\b\.?|\bbirth ?date\b/i, plain('date', { allowFuture: false })],
  [/\bdate\s*(?:and|&|\/|\+)\s*time\b|\bdatetime\b/i, plain('datetime')],
  [/\bdate\b/i, plain('date')],
  [/\btime of\b|^time\b|\b(?:start|end|bed) ?time\b/i, plain('time')],
  [/\bbmi\b|\bbody mass index\b|\bheight (?:and|&) weight\b/i, plain('bmi')],
  [/\b(?:photo(?:graph)?s?|pictures?|images?)\b/i, plain('image')],
  [/\bvideos?\b/i, plain('video')],
  [/\b(?:upload|attachment|scanned)\b/i, plain('file')],
  [
    /\bcomments?\b|\bdescribe\b|\bdescription\b|\bnotes?\b|\bremarks?\b|\bnarrative\b|\bfree[- ]text\b/i,
    plain('paragraph'),
  ],
  [/^age\b|\bhow old\b/i, measure('years', 'integer', { min: 0, max: 120 })],
  [/^(?:body )?weight\b(?! (?:change|loss|gain))/i, measure('kg', 'float', { min: 0 })],
  [/^(?:body )?height\b/i, measure('cm', 'float', { min: 0 })],
  [/\b(?:heart|pulse) rate\b|^pulse\b/i, measure('bpm', 'integer', { min: 0 })],
  [/^(?:body )?temperature\b/i, measure('°C', 'float', {})],
  [/\b(?:systolic|diastolic)\b/i, measure('mmHg', 'integer', { min: 0 })],
  [/\bhow many\b|\bnumber of\b|^count\b/i, plain('integer', { min: 0 })],
  [/^(?:sex|gender)$/i, plain('choice', { options: optionsFrom(['Female', 'Male', 'Other'], false) })],
]

const PERSON =
  /\b(?:e-?mail|phone|telephone|mobile|cell) ?(?:address|number|no\.?)?\b|\b(?:home|postal|street|mailing|your)? ?address\b|\bpost ?codes?\b|\bzip ?codes?\b|\b(?:first|last|full|family|given|middle|sur|maiden|your|participant'?s?|patient'?s?|contact|next of kin) ?name\b|^(?:sur)?name\b(?! of)|\bdate of birth\b|\bbirth ?date\b|^dob\b|\binitials\b|\b(?:social security|passport|national insurance|insurance|nhs|medical record) number\b/i
const YES_OR_NO = /^(?:do|does|did|are|is|was|were|have|has|had|can|could|will|would|should)\b.*\?/i

const LABELLED = /^(.{1,300}?)\s*(?::|–|—|\s-)\s+(\S.*)$/

/** Reads the field of a line. */
export function questionIn(line: string): Field {
  const isRequired = line.search(REQUIRED) >= 0
  const multiple = line.search(MULTIPLE) >= 0
  const bare = [REQUIRED, OPTIONAL, MULTIPLE, /\s*[_…]{2,}|\s*\.{4,}/g, /\*\*|__/g]
    .reduce((text, remark) => text.replace(remark, ''), line)
    .trim()
  const { title, kind } = kindOf(bare || line.trim(), multiple)
  const text = tidyTitle(title) || tidyTitle(bare) || line.trim()
  return {
    title: text,
    ...(kind ?? plain('text')),
    isCertain: kind !== undefined || PERSON.test(text),
    ...(isRequired ? { isRequired } : {}),
    ...(multiple ? { multiple } : {}),
    ...(PERSON.test(text) ? { isPii: true } : {}),
  }
}

const tidyTitle = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/\s*[:–—-]\s*$/, '')
    .replace(/\(\s*\)/g, '')
    .trim()

type QuestionMatch = { title: string; kind?: Kind | undefined }

function kindOf(text: string, multiple: boolean): QuestionMatch {
  const scaled = scaleIn(text)
  if (scaled) return scaled
  const bracket = /^(.*?)[([]([^()[\]]{1,400})[)\]]\s*([?:.]?)\s*(.*)$/.exec(text)
  if (bracket) {
    const [, before = '', inside = '', sign, rest = ''] = bracket
    const kind = kindInBrackets(before, inside, multiple)
    if (kind) return { title: `${before.trim()}${sign === '?' ? '?' : ''} ${rest}`.trim(), kind }
  }
  const labelled = LABELLED.exec(text) ?? /^(.{1,300}?\?)\s+(\S.*)$/.exec(text)
  if (labelled) {
    const [, label = '', rest = ''] = labelled
    const kind = kindInBrackets(label, rest, multiple)
    if (kind) return { title: label, kind }
  }
  const words = kindsByWords.find(([words]) => words.test(text))
  if (words) return { title: text, kind: withRange(text, words[1]) }
  return YES_OR_NO.test(text) ? { title: text, kind: plain('choice', { options: yesNo }) } : { title: text }
}

/** “Pain (0 = none … 10 = worst)” */
function scaleIn(text: string): QuestionMatch | undefined {
  const points = pointsIn(text)
  const title = text.slice(0, text.search(/[([]?\s*[:,]?\s*\d{1,3}\s*(?:=|:|–|—|-\s)/)).trim()
  return points.length && title
    ? { title: title.replace(/[([,:–—-]+$/, '').trim(), kind: scaleKind(points) }
    : undefined
}

/** The kind for a scale: a slider if only its ends have labels, else a choice of numbered options. */
export function scaleKind(points: readonly ScalePoint[]): Kind {
  const sorted = points.toSorted((a, b) => a.value - b.value)
  const [low, high] = [sorted[0]!, sorted.at(-1)!]
  if (sorted.length <= 3 && high.value - low.value > sorted.length) {
    return plain('slider', { min: low.value, max: high.value, step: 1, minLabel: low.label, maxLabel: high.label })
  }
  return plain('choice', { options: fillScale(points).map(({ value, label }): Option => ({ label, code: value })) })
}

/** The kind of answer by text in brackets or after a colon: a unit, a range, options, the name of a kind. */
function kindInBrackets(before: string, inside: string, multiple: boolean): Kind | undefined {
  const parts = inside.split(/\s*[;,]\s*/)
  const range = RANGE.exec(inside)
  const rest = range
    ? inside
        .replace(range[0], '')
        .replace(/[\s,;]+/g, ' ')
        .trim()
    : inside
  const unit = unitOf(inside) ?? unitOf(parts[0]!) ?? unitOf(rest)
  if (unit) {
    const settings = {
      ...(unit.min === undefined ? {} : { min: unit.min }),
      ...(unit.max === undefined ? {} : { max: unit.max }),
    }
    return withRange(range?.[0] ?? '', measure(unit.unit, unit.format, settings))
  }
  if (range && rest === '') {
    const words = kindsByWords.find(([words, { format }]) => words.test(before) && /integer|float/.test(format))
    return withRange(inside, words?.[1] ?? plain('integer'))
  }
  const options = /^(?:e\.?g\.?|i\.?e\.?|for example|such as|including)\b/i.test(inside)
    ? []
    : optionsFrom(optionsIn(inside), multiple)
  if (options.length >= 2) return plain('choice', { options, ...(multiple ? { multiple: true } : {}) })
  return kindNamed(inside)
}

/** The kind with the range in a text, if it is a kind of number. */
function withRange(text: string, kind: Kind): Kind {
  const range = /integer|float/.test(kind.format) ? RANGE.exec(text) : null
  if (!range) return kind
  const [min, max] = [number(range[1]!), number(range[2]!)]
  if (!(min < max)) return kind
  const format = kind.format === 'integer' && /[.,]\d/.test(range[0]) ? 'float' : kind.format
  return { ...kind, format, settings: { ...kind.settings, min, max } }
}

const kinds = new Map<string, Kind>([
  ['yes/no', plain('choice', { options: yesNo })],
  ...['text', 'short text'].map((name) => [name, plain('text')] as const),
  ...['free text', 'open text', 'paragraph', 'long text'].map((name) => [name, plain('paragraph')] as const),
  ...['number', 'numeric', 'decimal'].map((name) => [name, plain('float')] as const),
  ...['integer', 'whole number'].map((name) => [name, plain('integer')] as const),
  ...['date', 'dd/mm/yyyy', 'yyyy-mm-dd', 'mm/dd/yyyy'].map((name) => [name, plain('date')] as const),
  ...['time', 'hh:mm'].map((name) => [name, plain('time')] as const),
  ['date and time', plain('datetime')],
  ...['photo', 'image'].map((name) => [name, plain('image')] as const),
  ...['file', 'upload'].map((name) => [name, plain('file')] as const),
  ['video', plain('video')],
  ['slider', plain('slider', { min: 0, max: 10, step: 1 })],
])

/** The kind of answer with that name; undefined if there is none. */
const kindNamed = (text: string): Kind | undefined => kinds.get(text.toLowerCase().replace(/^\s+|[.\s]+$/g, ''))
