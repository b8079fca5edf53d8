/** The items of a QuestionnaireResponse: the answers that the reader may see (docs/fhir.md, "QuestionnaireResponse"). */
import type { Configuration } from '#design/configuration/configuration'
import { type Id, isId } from '#kernel/id'
import { instantText, parseInstant } from '#kernel/time'
import { stringOf, trimmedString } from './base'
import { coding, type Field, scaleCoding } from './items'

type Answer = Record<string, unknown>
export type AnswerItem = { linkId: string; text?: string | undefined; answer?: Answer[]; item?: AnswerItem[] }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** FHIR's integers have 32 bits. */
const isFhirInteger = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 31

/** The form that FHIR reads too. It is sent as it is: far from now, a moment has fewer digits than its text. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

const dateTime = (text: string): string => {
  const at = MOMENT.test(text) ? undefined : parseInstant(text)
  return at === undefined ? text : instantText(at)
}

/** One value as an answer; undefined if it has no form in FHIR. */
function answerOf({ format, options }: Field, value: unknown, url?: string): Answer | undefined {
  if (typeof value === 'number') {
    const isInteger = (format === 'integer' || format === 'rating') && isFhirInteger(value)
    return isInteger ? { valueInteger: value } : { valueDecimal: value }
  }
  if (typeof value === 'boolean') return { valueBoolean: value }
  if (typeof value === 'string') {
    if (!value.trim()) return undefined
    if (format === 'date') return { valueDate: value.slice(0, 10) }
    if (format === 'datetime') return { valueDateTime: dateTime(value) }
    if (format === 'time') return { valueTime: value.length === 5 ? `${value}:00` : value }
    if (format !== 'choice') return { valueString: stringOf(value) }
    return { valueCoding: coding(options?.find(({ label }) => label === value) ?? { label: value }) }
  }
  // The name of a file may be that of a person: only the file itself is linked, for those who may read it.
  return isObject(value) && url !== undefined ? { valueAttachment: { url } } : undefined
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const presentAnswers = (answers: readonly (Answer | undefined)[]): Answer[] =>
  answers.flatMap((answer) => (answer ? [answer] : []))

/** The items of a row of a table, of a Likert, or of a BMI. */
function partsOf(linkId: string, field: Field, value: Record<string, unknown>): AnswerItem[] {
  const item = (name: string, answers: readonly (Answer | undefined)[]): AnswerItem[] => {
    const answer = presentAnswers(answers)
    return answer.length ? [{ linkId: stringOf(`${linkId}.${name}`), answer }] : []
  }
  if (field.format === 'likert')
    return (field.statements ?? []).flatMap(({ key }) => {
      const point = field.scale?.find((each) => each.value === value[key])
      return item(key, [point && { valueCoding: scaleCoding(point) }])
    })
  if (field.format === 'table')
    return (field.columns ?? []).flatMap(({ id, ...column }) =>
      item(
        id,
        listOf(value[id]).map((each) => answerOf(column as Field, each)),
      ),
    )
  return ['height', 'weight', 'bmi'].flatMap((name) => item(name, [answerOf({ format: 'float' }, value[name])]))
}

/** The items of one field. A table has one for each of its rows. */
function itemsOfField(
  linkId: string,
  field: Field,
  text: string | undefined,
  value: unknown,
  url?: string,
): AnswerItem[] {
  if (field.format === 'table')
    return (Array.isArray(value) ? value : []).flatMap((row) => {
      const item = isObject(row) ? partsOf(linkId, field, row) : []
      return item.length ? [{ linkId, text, item }] : []
    })
  if (field.format === 'likert' || field.format === 'bmi') {
    const item = isObject(value) ? partsOf(linkId, field, value) : []
    return item.length ? [{ linkId, text, item }] : []
  }
  const answer = presentAnswers(listOf(value).map((each) => answerOf(field, each, url)))
  return answer.length ? [{ linkId, text, answer }] : []
}

/** The answers of a response by data type, as `readResponse` returns them. */
type Entries = Readonly<Record<Id, { value: unknown; url?: string | undefined }>>

/** The items of a response, in the order of the form; answers to fields that it no longer has come last. */
export function answerItems(config: Configuration, stage: Id, entries: Entries): AnswerItem[] {
  const components = config.stages.get(stage)?.components ?? []
  const titles = new Map(components.flatMap(({ dataType, title }) => (dataType ? [[dataType, title] as const] : [])))
  const order = [...new Set([...titles.keys(), ...Object.keys(entries).filter(isId)])]
  return order.flatMap((dataType) => {
    const [field, entry] = [config.dataTypes.get(dataType), entries[dataType]]
    if (!field || !entry) return []
    return itemsOfField(dataType, field, trimmedString(titles.get(dataType) ?? field.name), entry.value, entry.url)
  })
}
