/** Why something is refused: a code, what it is about, and the sentence in English. Pages say it in the reader's language. */
import { type CodeOf, fillTemplate, type PlaceholderIn, templateOf } from '../template'
import { sentences } from './sentences'

type Sentences = typeof sentences
/** The sentence of each code, its forms for numbers together. */
type Texts = { [K in keyof Sentences as CodeOf<K>]: Sentences[K] }
/** The code of a refusal (docs/refusals.md). */
export type Code = keyof Texts

/** What a sentence is about: a value, a further reason, or a list of these. */
export type Param = string | number | Reason | readonly (string | number | Reason)[]
/** The parameters of a sentence, by its placeholders. `count` chooses between the forms `.one` and `.other`. */
type ParamsOf<Text extends string> = {
  readonly [P in PlaceholderIn<Text>]: P extends 'count' ? number : Param
}

export type Reason = {
  readonly code: string
  readonly params: Readonly<Record<string, unknown>>
  /** The sentence in English. */
  readonly text: string
  /** In a list of problems of one field: the place inside it, such as `0.id`. */
  readonly at?: string
}

/** For programs: a reason without its sentence. */
export type CodedReason = { code: string; params?: Record<string, unknown> }

/** The parameters after each code: none if its sentence has no placeholder. Each is made where its code is used. */
export type ParamsAfter = {
  [C in Code]: [PlaceholderIn<Texts[C]>] extends [never] ? [params?: undefined] : [params: ParamsOf<Texts[C]>]
}

/** Whether a parameter is a further reason. */
export const isReason = (value: unknown): value is Reason =>
  typeof value === 'object' && value !== null && 'text' in value && 'code' in value

/** Applies this to a parameter, or to each entry of a list. */
const eachOf = <T>(param: unknown, to: (one: unknown) => T): T | T[] =>
  Array.isArray(param) ? param.map(to) : to(param)
const wordOf = (one: unknown): string => (isReason(one) ? one.text : String(one))

/** The reason of a code with parameters that were checked where they were given; elsewhere `reason` checks them. */
export function reasonWith(code: string, params: Readonly<Record<string, unknown>> = {}): Reason {
  const all: Readonly<Record<string, string | undefined>> = sentences
  const template = templateOf(all, code, params.count, 'en') ?? code
  const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, eachOf(value, wordOf)]))
  return { code, params, text: fillTemplate(template, texts) }
}

/** A reason for a refusal. @param params the values of the placeholders of its sentence */
export const reason = <C extends Code>(code: C, ...[params]: ParamsAfter[C]): Reason => reasonWith(code, params)

/** A reason with the place that it is about, as people read it. */
export const placedText = ({ at, text }: Reason): string => (at === undefined ? text : `${at}: ${text}`)

/** The same reason, about a place inside its field. @param place such as an index, or `0.id` */
export const at = (place: string | number, inner: Reason): Reason => ({
  ...inner,
  at: inner.at === undefined ? `${place}` : `${place}.${inner.at}`,
})

/** A reason as programs get it. */
export function coded({ code, params }: Reason): CodedReason {
  const codedOne = (one: unknown) => (isReason(one) ? coded(one) : one)
  const shown = Object.entries(params).map(([name, value]) => [name, eachOf(value, codedOne)])
  return shown.length ? { code, params: Object.fromEntries(shown) } : { code }
}
