/** One question or label as a field: what kind of answer it asks for, by its words. */
import type { DataTypeSettings, Format } from '#design/dataTypes/model'
import { filled, type Option, optionsFrom, optionsIn, pointsIn, type ScalePoint, yesNo } from './choices'
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
  /** Its words say what kind of answer it takes; else it is a text for want of anything better. */
  isCertain: boolean
}

type Kind = Pick<Field, 'format' | 'settings' | 'unit'>

const REQUIRED =
  /\s*[([]\s*(?:required|mandatory|obligatory)\s*[)\]]|\s*[,–-]\s*(?:required|mandatory)\s*$|\s*\*\s*(?=:?\s*$)|^\*\s*(?=\S)/gi
const OPTIONAL = /\s*[([]\s*optional\s*[)\]]/gi
const MULTIPLE =
  /\s*[([]?\s*(?:please\s+)?(?:(?:select|tick|check|choose|mark)\s+(?:all|any)(?:\s+(?:that|which|options that)\s+appl(?:y|ies))?|multiple (?:answers|choices|responses)(?: possible| allowed)?|more than one (?:answer|choice|option)?[^)\]]{0,30})\s*[)\]]?\.?/gi
const SINGLE =
  /\s*[([]?\s*(?:please\s+)?(?:select|tick|check|choose|mark)\s+(?:only\s+)?one(?:\s+(?:option|answer))?(?:\s+only)?\s*[)\]]?\.?/gi

const number = (text: string) => Number(text.replace(',', '.').replace('−', '-'))
const RANGE =
  /(?:range|between|from|valid range|allowed|scale of|scale from)?\s*:?\s*([-−]?\d+(?:[.,]\d+)?)\s*(?:–|—|-|\bto\b|\band\b|\.\.)\s*(\d+(?:[.,]\d+)?)/i
const INTENSITY =
  /\b(?:scale|rate|rating|pain|severity|intensity|how (?:bad|severe|strong|much|well|satisfied|likely)|score|vas|nrs|fatigue|tiredness|stress|mood|anxiety|nausea|itch\w*|discomfort|worst|quality)\b/i

const named = (words: RegExp, kind: Kind): [RegExp, Kind] => [words, kind]
const plain = (format: Format, settings: DataTypeSettings = {}): Kind => ({ format, settings })

/** What the words of a question ask for, first that fits. */
const byWords: readonly [RegExp, Kind][] = [
  named(
    /\bdate of birth\b|\bd\.?o\.?b\b\.?|\bbirth ?date\b|\bwhen were you born\b/i,
    plain('date', { allowFuture: false }),
  ),
  named(/\bdate\s*(?:and|&|\/|\+)\s*time\b|\btime\s*(?:and|&)\s*date\b|\bdatetime\b/i, plain('datetime')),
  named(/\bdate\b|\bwhich day\b|\bon what day\b|^when (?:did|was|were|is)\b/i, plain('date')),
  named(/\btime of\b|^time\b|\bat what time\b|\bwhat time\b|\b(?:start|end|bed|wake(?:-?up)?) ?time\b/i, plain('time')),
  named(/\bbmi\b|\bbody mass index\b|\bheight (?:and|&) weight\b|\bweight (?:and|&) height\b/i, plain('bmi')),
  named(/\b(?:photo(?:graph)?s?|pictures?|images?|selfie)\b/i, plain('image')),
  named(/\bvideos?\b/i, plain('video')),
  named(/\b(?:upload|attach(?:ment)?|scanned|pdf|document file)\b/i, plain('file')),
  named(/\bstars?\b/i, plain('rating', { min: 1, max: 5 })),
  named(/\bvisual analogue?\b|\bVAS\b/, plain('slider', { min: 0, max: 100 })),
  named(/\bNRS\b|\bnumeric rating\b/i, plain('slider', { min: 0, max: 10 })),
  named(
    /\bcomments?\b|\bdescribe\b|\bdescription\b|\bexplain\b|\bnotes?\b|\bremarks?\b|\bnarrative\b|\bfree[- ]text\b|\breasons?\b|\bdetails\b|\bmedical history\b|\bin your own words\b|\banything else\b|\bobservations?\b/i,
    plain('paragraph'),
  ),
  named(/^age\b|\bhow old\b|\byour age\b|\bage (?:at|in)\b/i, {
    format: 'integer',
    settings: { min: 0, max: 120 },
    unit: 'years',
  }),
  named(/^(?:body )?weight\b(?! (?:change|loss|gain))/i, { format: 'float', settings: { min: 0 }, unit: 'kg' }),
  named(/^(?:body )?height\b/i, { format: 'float', settings: { min: 0 }, unit: 'cm' }),
  named(/\b(?:heart|pulse) rate\b|^pulse\b/i, { format: 'integer', settings: { min: 0 }, unit: 'bpm' }),
  named(/\bbody temperature\b|^temperature\b/i, { format: 'float', settings: {}, unit: '°C' }),
  named(/\brespirat(?:ory|ion) rate\b/i, { format: 'integer', settings: { min: 0 }, unit: 'breaths/min' }),
  named(/\b(?:systolic|diastolic)\b/i, { format: 'integer', settings: { min: 0 }, unit: 'mmHg' }),
  named(/\bhow many\b|\bnumber of\b|^count\b|\bhow often per\b/i, plain('integer', { min: 0 })),
  named(/^(?:sex|gender)$/i, plain('choice', { options: optionsFrom(['Female', 'Male', 'Other'], false) })),
]

const PERSON =
  /\b(?:e-?mail|phone|telephone|mobile|cell) ?(?:address|number|no\.?)?\b|\b(?:home|postal|street|mailing|your)? ?address\b|\bpost ?codes?\b|\bzip ?codes?\b|\b(?:first|last|full|family|given|middle|sur|maiden|your|participant'?s?|patient'?s?|contact|next of kin) ?name\b|^(?:sur)?name\b(?! of)|\bdate of birth\b|\bbirth ?date\b|^dob\b|\binitials\b|\b(?:social security|passport|national insurance|insurance|nhs|medical record) number\b/i
const QUESTION_OF_TRUTH = /^(?:do|does|did|are|is|was|were|have|has|had|can|could|will|would|should|may|am)\b.*\?/i

const LABELLED = /^(.{1,300}?)\s*(?::|–|—|\s-)\s+(\S.*)$/

/** The field that a line asks for. Understands what stands in brackets, after a colon, and in the words themselves. */
export function questionIn(line: string): Field {
  const isRequired = line.search(REQUIRED) >= 0
  const multiple = line.search(MULTIPLE) >= 0
  const bare = line
    .replace(REQUIRED, '')
    .replace(OPTIONAL, '')
    .replace(MULTIPLE, '')
    .replace(SINGLE, '')
    .replace(/\s*[_…]{2,}|\s*\.{4,}/g, '')
    .replace(/\*\*|__/g, '')
    .trim()
  const { title, kind } = kindOf(bare || line.trim(), multiple)
  const text = tidy(title) || tidy(bare) || line.trim()
  return {
    title: text,
    ...(kind ?? plain('text')),
    isCertain: kind !== undefined || PERSON.test(text),
    ...(isRequired ? { isRequired } : {}),
    ...(multiple ? { multiple } : {}),
    ...(PERSON.test(text) ? { isPii: true } : {}),
  }
}

const tidy = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/\s*[:–—-]\s*$/, '')
    .replace(/\(\s*\)/g, '')
    .trim()

type Found = { title: string; kind?: Kind | undefined }

function kindOf(text: string, multiple: boolean): Found {
  const scaled = scaleOf(text)
  if (scaled) return scaled
  const bracket = /^(.*?)[([]([^()[\]]{1,400})[)\]]\s*([?:.]?)\s*(.*)$/.exec(text)
  if (bracket) {
    const [, before, inside, sign, rest] = bracket as unknown as [string, string, string, string, string]
    const told = inBrackets(before, inside, multiple)
    if (told) return { title: `${before.trim()}${sign === '?' ? '?' : ''} ${rest}`.trim(), kind: told }
  }
  const labelled = LABELLED.exec(text) ?? /^(.{1,300}?\?)\s+(\S.*)$/.exec(text)
  if (labelled) {
    const [, label, rest] = labelled as unknown as [string, string, string]
    const choices = optionsIn(rest)
    const told =
      inBrackets(label, rest, multiple) ??
      (choices.length ? choiceOf(choices, multiple) : undefined) ??
      answerNamed(rest)
    if (told) return { title: label, kind: told }
  }
  const trailing = /^(.*\S)\s+in\s+(\S+(?: \S+)?)\??$/i.exec(text)
  const unit = trailing && unitOf(trailing[2]!)
  if (unit) return { title: text, kind: measured(unit, undefined) }
  for (const [words, kind] of byWords) if (words.test(text)) return { title: text, kind: ranged(text, kind) }
  const range = RANGE.exec(text)
  if (range && INTENSITY.test(text)) {
    const title = text.slice(0, range.index).trim()
    return { title: /\p{L}{2}$/u.test(title) && !/[?]/.test(text) ? title : text, kind: sliderOf(range) }
  }
  if (QUESTION_OF_TRUTH.test(text)) return { title: text, kind: plain('choice', { options: yesNo }) }
  return { title: text }
}

const choiceOf = (labels: readonly string[], multiple: boolean): Kind | undefined => {
  const options = optionsFrom(labels, multiple)
  return options.length >= 2 ? plain('choice', { options, ...(multiple ? { multiple: true } : {}) }) : undefined
}

/** “0 = no pain, 10 = worst pain” with a gap, “on a scale from 0 to 10”. */
function scaleOf(text: string): Found | undefined {
  const points = pointsIn(text)
  if (points.length) {
    const title = text.slice(0, text.search(/[([]?\s*(?:on a )?(?:scale\s*)?[:,]?\s*\d{1,3}\s*(?:=|:|–|—|-\s)/i)).trim()
    return title ? { title: title.replace(/[([,:–—-]+$/, '').trim(), kind: pointed(points) } : undefined
  }
  const found =
    /[([,]?\s*(?:please\s+)?(?:rated?\s+)?(?:on|using)?\s*(?:a|the)?\s*(?:\d+-point\s+)?scale\s*(?:of|from|between|:)?\s*(\d+)\s*(?:–|-|to|and)\s*(\d+)\s*(?:\(([^)]*)\))?[)\]]?/i.exec(
      text,
    )
  if (!found) return undefined
  const [span, low, high, labels] = found
  const title = `${text.slice(0, found.index)} ${text.slice(found.index + span.length)}`.replace(/\s+/g, ' ').trim()
  const ends = (labels ?? '').split(/\s*(?:,|;|\bto\b|–)\s*/).map((each) => each.replace(/^\d+\s*[=:]\s*/, ''))
  const settings: DataTypeSettings = { min: Number(low), max: Number(high), step: 1 }
  if (ends.length === 2) Object.assign(settings, { minLabel: ends[0], maxLabel: ends[1] })
  if (Number(low) >= Number(high)) return undefined
  return {
    title: /[\p{L}]{2}/u.test(title) ? title.replace(/^[,:]\s*/, '').replace(/\s+([?.,])/g, '$1') : text,
    kind: plain('slider', settings),
  }
}

/** A scale by its points: a slider where only the ends are named, else a choice of numbered options. */
export function pointed(points: readonly ScalePoint[]): Kind {
  const sorted = points.toSorted((a, b) => a.value - b.value)
  const [low, high] = [sorted[0]!, sorted.at(-1)!]
  if (sorted.length <= 3 && high.value - low.value > sorted.length) {
    return plain('slider', { min: low.value, max: high.value, step: 1, minLabel: low.label, maxLabel: high.label })
  }
  return plain('choice', { options: filled(points).map(({ value, label }): Option => ({ label, code: value })) })
}

function inBrackets(before: string, inside: string, multiple: boolean): Kind | undefined {
  const [first, ...more] = inside.split(/\s*[;,]\s*/)
  const unit = unitOf(inside) ?? unitOf(first ?? '')
  const range = RANGE.exec(more.length && unit ? more.join(' ') : inside)
  if (unit) return measured(unit, range ?? RANGE.exec(before.replace(/^[^:]*:/, '')) ?? undefined)
  const rest = range
    ? inside
        .replace(range[0], '')
        .replace(/[\s,;]+/g, ' ')
        .trim()
    : ''
  const other = range && unitOf(rest)
  if (other) return measured(other, range)
  if (range && (rest === '' || /^(?:points?|range|valid|allowed|scale)$/i.test(rest))) {
    return INTENSITY.test(before) && Number(range[2]) <= 100
      ? sliderOf(range)
      : ranged(inside, wordsKind(before) ?? plain('integer'))
  }
  const choices = optionsIn(inside)
  if (choices.length && !/^(?:e\.?g\.?|i\.?e\.?|for example|such as|including)\b/i.test(inside))
    return choiceOf(choices, multiple)
  return answerNamed(inside)
}

const wordsKind = (text: string) =>
  byWords.find(([words, { format }]) => words.test(text) && /integer|float/.test(format))?.[1]

const sliderOf = (range: RegExpExecArray): Kind | undefined =>
  number(range[1]!) < number(range[2]!)
    ? plain('slider', { min: number(range[1]!), max: number(range[2]!), step: 1 })
    : undefined

function measured(
  { unit, format, min, max }: NonNullable<ReturnType<typeof unitOf>>,
  range: RegExpExecArray | undefined,
): Kind {
  const settings: DataTypeSettings = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
  return ranged(range?.[0] ?? '', { format, settings, unit })
}

/** The kind with the range that a text gives, where it is one of numbers. */
function ranged(text: string, kind: Kind): Kind {
  const range = /integer|float|slider|rating/.test(kind.format) ? RANGE.exec(text) : null
  if (!range) return kind
  const [min, max] = [number(range[1]!), number(range[2]!)]
  if (!(min < max)) return kind
  const format = kind.format === 'integer' && /[.,]\d/.test(range[0]) ? 'float' : kind.format
  return { ...kind, format, settings: { ...kind.settings, min, max } }
}

/** A kind of answer that is named as such. */
function answerNamed(text: string): Kind | undefined {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[.\s]+$/, '')
  const names: Record<string, Kind> = {
    'yes/no': plain('choice', { options: yesNo }),
    'free text': plain('paragraph'),
    'open text': plain('paragraph'),
    text: plain('text'),
    'short text': plain('text'),
    paragraph: plain('paragraph'),
    'long text': plain('paragraph'),
    number: plain('float'),
    numeric: plain('float'),
    decimal: plain('float'),
    integer: plain('integer'),
    'whole number': plain('integer'),
    date: plain('date'),
    'dd/mm/yyyy': plain('date'),
    'yyyy-mm-dd': plain('date'),
    'mm/dd/yyyy': plain('date'),
    time: plain('time'),
    'hh:mm': plain('time'),
    'date and time': plain('datetime'),
    photo: plain('image'),
    image: plain('image'),
    file: plain('file'),
    upload: plain('file'),
    video: plain('video'),
    slider: plain('slider', { min: 0, max: 10, step: 1 }),
  }
  return Object.hasOwn(names, word) ? names[word] : undefined
}
