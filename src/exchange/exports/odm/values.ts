/** Answers as elements of ODM: values with their audit records, in rows and groups (pure). */
import { type Instant, instantText } from '#kernel/time'
import { isBeyondXml, xmlElement } from '#writers/xml'
import type { Edition, QueryNote } from './edition'
import { asciiJson, textElement } from './elements'
import type { Item, Question } from './items'
import type { AdminData } from './people'

export type TransactionType = 'Insert' | 'Update' | 'Remove' | 'Context'

/** Who sent a value, when and why. */
export type Source = {
  createdBy: string | null
  createdByType: string
  createdAt: Instant
  updateNote?: string | undefined
  enteredAt?: Instant | undefined
}

/** What the elements of one participant are written with. */
export type ElementContext = {
  edition: Edition
  admin: AdminData
  /** The OID of the site. */
  location: string
  /** Called for each value with characters that XML cannot hold. */
  onReplacedCharacters(code: string): void
}

type ItemDetails = {
  source?: Source | undefined
  transaction?: TransactionType | undefined
  queries?: readonly QueryNote[] | undefined
}

/** The value of an item. @param value null for a blank; undefined if nothing is said of it */
export function itemElement(
  { edition, admin, location, onReplacedCharacters }: ElementContext,
  { oid }: Item,
  { field }: Question,
  value: string | null | undefined,
  { source, transaction, queries = [] }: ItemDetails,
): string {
  const text = value ?? undefined
  const isBeyond = text !== undefined && isBeyondXml(text)
  if (isBeyond) onReplacedCharacters(field.code)
  return edition.data(
    'ItemData',
    {
      ItemOID: oid,
      TransactionType: transaction,
      IsNull: value === null ? 'Yes' : undefined,
      Value: edition.isNew ? undefined : text,
    },
    {
      audit: source ? [auditRecord(admin, source, location)] : [],
      comments: isBeyond ? [`The value as a JSON string: ${asciiJson(text)}`] : [],
      queries,
      content: edition.isNew && text !== undefined ? [textElement('Value', text)] : [],
    },
  )
}

export const auditRecord = (
  admin: AdminData,
  { createdBy, createdByType, createdAt, updateNote, enteredAt }: Source,
  location: string,
): string =>
  xmlElement(
    'AuditRecord',
    {},
    xmlElement('UserRef', { UserOID: admin.user(createdBy, createdByType) }),
    xmlElement('LocationRef', { LocationOID: location }),
    textElement('DateTimeStamp', instantText(createdAt)),
    ...(updateNote === undefined ? [] : [textElement('ReasonForChange', updateNote)]),
    ...(enteredAt === undefined ? [] : [textElement('SourceID', `Entered ${instantText(enteredAt)}`)]),
  )

/** An answer: its value, and who sent it. */
type AnswerEntry = Source & { value?: unknown }

/**
 * The data of an item group: one element, or one for each row.
 * @param entryOf the answer to a question; undefined if there is none
 * @param queriesOf the queries on a question, which stand at its first item
 */
export function groupElements(
  context: ElementContext,
  ItemGroupOID: string,
  questions: readonly Question[],
  entryOf: (question: Question) => AnswerEntry | undefined,
  queriesOf: (question: Question) => readonly QueryNote[],
): string[] {
  const rowOf = (question: Question, values: readonly (string | null)[], isFirst: boolean) =>
    question.items.map((item, at) => {
      const queries = isFirst && at === 0 ? queriesOf(question) : undefined
      return itemElement(context, item, question, values[at] ?? null, { source: entryOf(question), queries })
    })
  const rowsOf = (question: Question) => {
    const value = entryOf(question)?.value ?? null
    return value === null ? [[]] : question.rowsOf(value)
  }
  const [first] = questions
  if (!first) return []
  if (!first.isRepeating) {
    const content = questions.flatMap((question) => rowOf(question, rowsOf(question)[0] ?? [], true))
    return [context.edition.data('ItemGroupData', { ItemGroupOID }, { content })]
  }
  return rowsOf(first).map((values, at) =>
    context.edition.data(
      'ItemGroupData',
      { ItemGroupOID, ItemGroupRepeatKey: at + 1 },
      { content: rowOf(first, values, at === 0) },
    ),
  )
}
