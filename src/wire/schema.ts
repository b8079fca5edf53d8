/** The functions that models are written with. Each returns a TypeBox schema; marks on it define how it is decoded and hidden. */
import {
  Kind,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnion,
  Type,
  TypeRegistry,
} from '@sinclair/typebox'
import { type Id, isId } from '#kernel/id'
import { type Reason, reason } from '#kernel/refusals/reason'
import { isLanguage } from '#kernel/text'
import { type Instant, isDay, isTimeOfDay, isZone, parseInstant } from '#kernel/time'
import type { RichNode } from './richText'

export type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox'

/** The text of the refusal for this schema, in place of the general one. */
const withProblem = (problem: Reason) => ({ problem })

/** Every custom kind, with the test that a text must pass. */
const kinds: Record<string, (text: string) => boolean> = {
  Id: isId,
  Instant: (text) => parseInstant(text) !== undefined,
  Day: isDay,
  TimeOfDay: isTimeOfDay,
  Zone: isZone,
  Language: isLanguage,
  Email: (text) => text.length <= 200 && /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/.test(text),
}
for (const [kind, test] of Object.entries(kinds)) {
  TypeRegistry.Set(kind, (_schema, value) => typeof value === 'string' && test(value))
}

/** The kind, and the name, of a node of a tree of texts. */
export const RICH_NODE = 'RichNode'
TypeRegistry.Set(
  RICH_NODE,
  (_schema, value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
)

const special = <T>(kind: string, options: Record<string, unknown>) =>
  Type.Unsafe<T>({ [Kind]: kind, type: 'string', ...options })

type Options = Record<string, unknown>
type ShapeArguments<T> = [fields: T, options?: Options] | [name: string, fields: T, options?: Options]
const isNamed = <T>(given: ShapeArguments<T>): given is [string, T, Options?] => typeof given[0] === 'string'

/**
 * An object with exactly these fields.
 * @param name its name in the OpenAPI document, which is unique there; omit it for a shape that is only a part of others
 */
export function shape<T extends TProperties>(fields: T, options?: Options): TObject<T>
export function shape<T extends TProperties>(name: string, fields: T, options?: Options): TObject<T>
export function shape<T extends TProperties>(...given: ShapeArguments<T>): TObject<T> {
  if (!isNamed(given)) return Type.Object(given[0], { additionalProperties: false, ...given[1] })
  const [name, fields, options] = given
  return Type.Object(fields, { additionalProperties: false, name, ...options })
}

/** A field that may be left out. */
export const maybe = <T extends TSchema>(schema: T) => Type.Optional(schema)

/** A value or null. */
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** Text of `minLength` to `maxLength` characters. Text of spaces only is blank, so it is refused where text is required. */
export const text = (minLength: number, maxLength: number, options: Record<string, unknown> = {}) =>
  Type.String({ minLength, maxLength, ...(minLength > 0 ? { pattern: '\\S' } : {}), ...options })

/** What begins a new line wherever a text is shown: a name with one would be two lines of a log, a letter, a list. */
const BREAKS = '\\n\\r\\v\\f\\u0085\\u2028\\u2029'
const ONE_LINE = `^[^${BREAKS}]*$`
const ONE_LINE_NOT_BLANK = `^(?=.*\\S)[^${BREAKS}]*$`

/** Text of one line, such as a name. */
export const oneLine = (minLength: number, maxLength: number) =>
  text(minLength, maxLength, { pattern: minLength > 0 ? ONE_LINE_NOT_BLANK : ONE_LINE })

/** Whether a pattern is that of a text of one line. */
export const isOneLine = (pattern: unknown): boolean => pattern === ONE_LINE || pattern === ONE_LINE_NOT_BLANK

/** Text in which spaces count, such as a password, or what is looked for in texts. */
export const textWithSpaces = (minLength: number, maxLength: number) => Type.String({ minLength, maxLength })

/** An `_id`: 24 hexadecimal characters. */
export const id = (description?: string) =>
  special<Id>('Id', {
    pattern: '^[0-9a-f]{24}$',
    ...(description ? { description } : {}),
    ...withProblem(reason('notId')),
  })

/** The schema of a moment. Its type depends on the side: text for `OnWire`, a number for `Of`. */
interface TInstant extends TSchema {
  [Kind]: string
  static: this['params'] extends [Wire] ? string : Instant
}

/** A moment: ISO 8601 in UTC on the wire, microseconds (`Instant`) inside. The pipeline converts it. */
export const instant = (): TInstant =>
  special<Instant>('Instant', {
    format: 'date-time',
    ...withProblem(reason('notMoment')),
  })

/** A calendar day, `YYYY-MM-DD`. */
export const day = () => special<string>('Day', { format: 'date', ...withProblem(reason('notDay')) })

/** A time of day, `HH:MM` or `HH:MM:SS`. */
export const timeOfDay = () => special<string>('TimeOfDay', withProblem(reason('notTimeOfDay')))

/** An IANA time zone. */
export const zone = () => special<string>('Zone', withProblem(reason('notZone')))

/** A language, as a BCP 47 tag in its usual form. */
export const language = () => special<string>('Language', withProblem(reason('notLanguage')))

/** An e-mail address. */
export const email = () => special<string>('Email', { format: 'email', ...withProblem(reason('notEmail')) })

/** One of these words. */
export const oneOf = <T extends string>(...words: readonly T[]) =>
  Type.Unsafe<T>(
    Type.Union(
      words.map((word) => Type.Literal(word)),
      withProblem(words.length === 1 ? reason('notTheWord', { word: words[0]! }) : reason('notOneOf', { words })),
    ),
  )

/** True or false. */
export const flag = () => Type.Boolean()
/** A whole number, from `minimum` to `maximum`. */
export const whole = (minimum?: number, maximum?: number) =>
  Type.Integer({ ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) })
/** A number, from `minimum` to `maximum`. */
export const number = (minimum?: number, maximum?: number) =>
  Type.Number({ ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) })

/** A list of `minItems` to `maxItems`. */
export const list = <T extends TSchema>(items: T, maxItems = 10_000, minItems = 0) =>
  Type.Array(items, { maxItems, ...(minItems ? { minItems } : {}) })

/**
 * An object keyed by text.
 * @param options.missing the text of the refusal if it is missing; `problem`: if it is no object
 * @param options.wrongKeys keys that show a misunderstanding, each with the reason for the refusal
 */
export const keyed = <T extends TSchema>(
  value: T,
  options: { missing?: Reason; problem?: Reason; wrongKeys?: Record<string, Reason> } = {},
) => Type.Record(ANY_TEXT, value, options)

// Without this pattern, TypeBox takes one that no key with a line break fits, and does not check the value of such a key.
const ANY_TEXT = Type.String({ pattern: '' })

/** Any JSON value. */
export const anything = () => Type.Unknown()

/** A node of a text that is given as a tree (`richText`): a text, or an element with nodes in it. */
export const richNode = () => Type.Unsafe<RichNode>({ [Kind]: RICH_NODE, name: RICH_NODE })

/** A value of any of these schemas. */
export const either = <T extends TSchema[]>(...schemas: [...T]) => Type.Union(schemas)

/** The models of an answer by what chooses one of them. */
export type AnswerForms = Readonly<Record<string, TSchema>>

/** The mark of an answer whose form a parameter of the query chooses; the typed client reads it. */
export type ByQuery<Name extends string, Usual extends TSchema, Others extends AnswerForms> = {
  byQuery: { name: Name; usual: Usual; others: Others }
}

/** The mark of an answer whose form a field of the body chooses; the typed client reads it. */
export type ByBody<Usual extends TSchema, Others extends AnswerForms> = { byBody: { usual: Usual; others: Others } }

type FormsOf<F extends AnswerForms> = { readonly [Name in keyof F]: F[Name] }
type FormUnion<Usual extends TSchema, Others extends AnswerForms> = TUnion<[Usual, ...Others[keyof Others][]]>

/** One of several models: the usual one, unless this parameter of the query has one of the other values. */
export const byQuery = <const Name extends string, Usual extends TSchema, Others extends AnswerForms>(
  name: Name,
  usual: Usual,
  others: FormsOf<Others>,
): FormUnion<Usual, Others> & ByQuery<Name, Usual, FormsOf<Others>> =>
  Object.assign(either(usual, ...new Set(Object.values(others))), { byQuery: { name, usual, others } })

/** One of several models: the usual one, unless the body has one of these fields. */
export const byBody = <Usual extends TSchema, Others extends AnswerForms>(
  usual: Usual,
  others: FormsOf<Others>,
): FormUnion<Usual, Others> & ByBody<Usual, FormsOf<Others>> =>
  Object.assign(either(usual, ...new Set(Object.values(others))), { byBody: { usual, others } })

/** The fields of a shape, all of them optional: the body of a PUT. That of `GroupInput` is called `GroupChange`. */
export function partial<T extends TProperties>({ properties, name }: TObject<T>) {
  const options = typeof name === 'string' ? { name: `${name.replace(/Input$/, '')}Change` } : {}
  return Type.Partial(Type.Object(properties), { additionalProperties: false, ...options })
}

/** A shape with the fields of both shapes. @param name see `shape` */
export function joinShapes<A extends TProperties, B extends TProperties>(a: TObject<A>, b: TObject<B>): TObject<A & B>
export function joinShapes<A extends TProperties, B extends TProperties>(
  name: string,
  a: TObject<A>,
  b: TObject<B>,
): TObject<A & B>
export function joinShapes<A extends TProperties, B extends TProperties>(
  ...given: [TObject<A>, TObject<B>] | [string, TObject<A>, TObject<B>]
): TObject<A & B> {
  const [name, a, b] = given.length === 3 ? given : [undefined, ...given]
  const fields = { ...a.properties, ...b.properties }
  return name === undefined ? shape(fields) : shape(name, fields)
}

/**
 * Marks a field as a participant's personal information: the response omits it for callers who may not see it. The field is
 * a `maybe` too, so that its type says that it may be absent.
 */
export const personal = <T extends TSchema>(schema: T): T => ({ ...schema, personal: true })

/** Adds a description of a field, which the OpenAPI document shows. */
export const withDescription = <T extends TSchema>(description: string, schema: T): T => ({ ...schema, description })

/** The type of a schema's values inside the program. */
export type ValueOf<T extends TSchema> = Static<T>

type Wire = 'on the wire'

/** The type of what a schema looks like as JSON, as a client reads and writes it: moments are text. */
export type WireValueOf<T extends TSchema> = Static<T, [Wire]>
