/** Telephone numbers in a text of the study, so that they can be called by a tap. Pure. */
import { plainDigits } from '#kernel/digits'

/** A part of a text; `call` is the number to be dialled, if it is one. */
export type TextPart = { text: string; call?: string }

/** Numbers of emergency services and helplines that are shorter than others; not 100, which mostly ends a scale. */
const SHORT: ReadonlySet<string> = new Set(
  '101 102 103 108 110 111 112 113 114 115 116 117 118 119 122 123 144 147 190 191 192 193 911 988 995 997 998 999 000'.split(
    ' ',
  ),
)

/** `tel:` before it makes a number of anything; else digits with what people write between them. */
const NUMBER =
  /(?:(tel:\s?)|(?<![\p{L}\p{Nd}.,:/-]))(\+?\(?\p{Nd}(?:[ \u00a0\u2011()/.-]{0,3}\p{Nd})*)(?![\p{L}\p{Nd}%°]|[.,:]\p{Nd})/gu
const DAY = /^\d{4}-\d{1,2}-\d{1,2}$|^\d{1,2}[./-]\s?\d{1,2}[./-]\s?\d{2,4}$/
/** A unit after a number: a short number before a unit is not a telephone number. */
const UNIT =
  /^[ \u00a0]?(?:m?g|kg|ml|mmol|mmhg|cm|mm|km|bpm|min|minut\w*|points?|punkte?n?|puntos?|units?|einheiten|unités|unidades|hours?|days?|stunden|tage|times|mal|heures?|jours?|horas?|d[ií]as?|veces|fois)\b/iu

/** What says that a short number is a result, in the same sentence. */
const RESULT =
  /(?<!\p{L})(?:scores?|results?|values?|totals?|punktwert|punktzahl|wert|ergebnis|summe|puntuaci[oó]n|puntaje|resultado|valor|résultat|valeur)(?!\p{L})[^.!?\n]{0,40}$/iu

const isNumber = (before: string, shown: string, digits: string, after: string): boolean => {
  if (DAY.test(shown)) return false
  if (digits.length < 6) return SHORT.has(digits) && shown === digits && !UNIT.test(after) && !RESULT.test(before)
  return digits.length <= 15 && (shown.startsWith('+') || /^\(?0/.test(shown) || /\D/.test(shown) || !UNIT.test(after))
}

/** Splits a text at its telephone numbers. */
export function phoneParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const match of text.matchAll(NUMBER)) {
    const [whole, explicit = '', number = ''] = match
    const shown = plainDigits(number)
    const digits = shown.replace(/\D/g, '')
    const end = match.index + whole.length
    const [before, after] = [text.slice(Math.max(0, match.index - 60), match.index), text.slice(end, end + 12)]
    if (!explicit && !isNumber(before, shown, digits, after)) continue
    if (match.index > from) parts.push({ text: text.slice(from, match.index) })
    parts.push({ text: number, call: (shown.startsWith('+') ? '+' : '') + digits })
    from = end
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}
