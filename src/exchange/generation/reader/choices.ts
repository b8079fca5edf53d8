/** Reads options and scales from a line of text. */
import type { DataTypeSettings } from '#design/dataTypes/model'

export type Option = NonNullable<DataTypeSettings['options']>[number]
export type ScalePoint = { value: number; label: string }

export const yesNo: Option[] = [{ label: 'Yes' }, { label: 'No' }]

const PAIR =
  /(\d{1,3})\s*(?:=|:|–|—|-(?=\s))\s*([^,;\d=][^,;=)]*?)(?=\s*(?:[,;)\]]|…|\.{3}|\bto\s+\d{1,3}\s*=|\band\s+\d{1,3}\s*=|\.?\s*$|\s\d{1,3}\s*=))/g

/** The points of a scale in a line such as “0 = Not at all … 3 = Nearly every day”; empty if there are fewer than two. */
export function pointsIn(text: string): ScalePoint[] {
  if (text.length > 2_000) return []
  const points = [...text.matchAll(PAIR)].map(([, value, label]) => ({ value: Number(value), label: label!.trim() }))
  const rising = points.every(({ value }, n) => n === 0 || value > points[n - 1]!.value)
  const falling = points.every(({ value }, n) => n === 0 || value < points[n - 1]!.value)
  return points.length >= 2 && (rising || falling) ? points : []
}

/** Adds the points of a scale that the text leaves out; their label is their number. */
export function fillScale(points: readonly ScalePoint[]): ScalePoint[] {
  const low = Math.min(...points.map(({ value }) => value))
  const high = Math.max(...points.map(({ value }) => value))
  if (high - low > 20) return [...points]
  return Array.from({ length: high - low + 1 }, (_, n) => {
    const value = low + n
    return points.find((point) => point.value === value) ?? { value, label: String(value) }
  })
}

/** Splits at separators outside brackets. */
function split(text: string, separator: RegExp): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if ('([{'.includes(text[at]!)) depth++
    else if (')]}'.includes(text[at]!)) depth = Math.max(0, depth - 1)
    else if (depth === 0) {
      separator.lastIndex = at
      const found = separator.exec(text)
      if (!found?.[0]) continue
      parts.push(text.slice(start, at))
      at += found[0].length - 1
      start = at + 1
    }
  }
  parts.push(text.slice(start))
  return parts.map((part) => part.trim()).filter(Boolean)
}

const isLabel = (text: string) => /\p{L}|\d/u.test(text) && text.length <= 80 && !/[.?!]\s+\p{Lu}/u.test(text)

/** The options in “Mild / Moderate / Severe”, “male, female or other”, “[ ] Yes [ ] No”; empty if there are fewer than two. */
export function optionsIn(text: string): string[] {
  const trimmed = text.trim().replace(/[.;]$/, '')
  if (trimmed.length > 1_000) return []
  if (/^(?:yes\s*[/,|]\s*no|y\s*\/\s*n)$/i.test(trimmed)) return ['Yes', 'No']
  if (/(?:\[[ _xX]?\]|☐|□|○|◯|\(\s?\))/.test(trimmed)) {
    const boxed = trimmed.split(/\s*(?:\[[ _xX]?\]|☐|□|○|◯|\(\s?\))\s*/).filter(Boolean)
    return boxed.length >= 2 ? boxed : []
  }
  for (const separator of [/\s*\|\s*/y, /\s+\/\s+/y, /\s*;\s*/y, /\//y]) {
    const parts = split(trimmed, separator)
    if (parts.length >= 2 && parts.every(isLabel)) return parts
  }
  const parts = split(trimmed, /\s*,\s*(?:(?:and|or)\s+)?|\s+or\s+/y)
  return parts.length >= 2 && parts.every((part) => isLabel(part) && part.split(/\s+/).length <= 6) ? parts : []
}

const EXCLUSIVE = /^(?:none(?: of (?:the above|these))?|no symptoms?|not applicable|n\/a)$/i

/** Makes options from labels, without duplicates; numbers before “=” become codes. */
export function optionsFrom(texts: readonly string[], multiple: boolean): Option[] {
  const labels = new Set<string>()
  return texts.flatMap((text) => {
    const coded = /^(\d{1,3})\s*(?:=|:|–|—|-\s)\s*(\S.*)$/.exec(text)
    const label = (coded?.[2] ?? text).replace(/[\s_.…]+$/, '').trim() || text.trim()
    if (!label || labels.has(label.toLowerCase())) return []
    labels.add(label.toLowerCase())
    return [
      {
        label,
        ...(coded ? { code: Number(coded[1]) } : {}),
        ...(multiple && EXCLUSIVE.test(label) ? { isExclusive: true } : {}),
      },
    ]
  })
}

export const isYesNo = (options: readonly Option[]) =>
  options.some(({ label }) => /^yes$/i.test(label)) && options.some(({ label }) => /^no$/i.test(label))
