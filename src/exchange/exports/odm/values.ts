/** Answers as elements of ODM: values with their audit records, in rows and groups (pure). */
import { type Instant, instantText } from '#kernel/time'
import { isBeyondXml, xmlElement } from '#writers/xml'
import type { Edition, QueryNote } from './edition'
import type { Item, Question } from './items'
import type { AdminData } from './people'
import { spelled, textual } from './words'

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
export type Writing = {
  edition: Edition
  admin: AdminData
  /** The OID of the site. */
  location: string
  /** Called for each value with characters that XML cannot hold. */
  respelled(code: string): void
}

type Given = {
  source?: Source | undefined
  transaction?: TransactionType | undefined
  queries?: readonly QueryNote[] | undefined
}

/** The value of an item. @param value null for a blank; undefined if nothing is said of it */
export function itemElement(
  { edition, admin, location, respelled }: Writing,
  { oid }: Item,
  { field }: Question,
  value: string | null | undefined,
  { source, transaction, queries = [] }: Given,
): string {
  const text = value ?? undefined
  const isBeyond = text !== undefined && isBeyondXml(text)
  if (isBeyond) respelled(field.code)
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
      comments: isBeyond ? [`The value as a JSON string: ${spelled(text)}`] : [],
      queries,
      content: edition.isNew && text !== undefined ? [textual('Value', text)] : [],
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
    textual('DateTimeStamp', instantText(createdAt)),
    ...(updateNote === undefined ? [] : [textual('ReasonForChange', updateNote)]),
    ...(enteredAt === undefined ? [] : [textual('SourceID', `Entered ${instantText(enteredAt)}`)]),
  )

/** An answer: its value, and who sent it. */
type Entry = Source & { value?: unknown }

/**
 * The data of an item group: one element, or one for each row.
 * @param entryOf the answer to a question; undefined if there is none
 * @param queriesOf the queries on a question, which stand at its first item
 */
export function groupElements(
  writing: Writing,
  ItemGroupOID: string,
  asked: readonly Question[],
  entryOf: (question: Question) => Entry | undefined,
  queriesOf: (question: Question) => readonly QueryNote[],
): string[] {
  const rowOf = (question: Question, values: readonly (string | null)[], isFirst: boolean) =>
    question.items.map((item, at) => {
      const queries = isFirst && at === 0 ? queriesOf(question) : undefined
      return itemElement(writing, item, question, values[at] ?? null, { source: entryOf(question), queries })
    })
  const rowsOf = (question: Question) => {
    const value = entryOf(question)?.value ?? null
    return value === null ? [[]] : question.rowsOf(value)
  }
  const [first] = asked
  if (!first) return []
  if (!first.isRepeating) {
    const content = asked.flatMap((question) => rowOf(question, rowsOf(question)[0] ?? [], true))
    return [writing.edition.data('ItemGroupData', { ItemGroupOID }, { content })]
  }
  return rowsOf(first).map((values, at) =>
    writing.edition.data(
      'ItemGroupData',
      { ItemGroupOID, ItemGroupRepeatKey: at + 1 },
      { content: rowOf(first, values, at === 0) },
    ),
  )
}
