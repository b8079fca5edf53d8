/** A response in ODM: an event with its form, which is an element of its own in 1.3.2 and an item group in 2.0 (pure). */
import type { Edition, ElementParts } from './edition'
import type { Form } from './forms'
import type { TransactionType } from './values'

/** @param occurrence of the stage, from 0 */
export function eventElement(
  edition: Edition,
  { event, oid, isRepeating }: Form,
  occurrence: number,
  parts: ElementParts,
  transaction?: TransactionType,
): string {
  const TransactionType = transaction
  const key = isRepeating || occurrence > 0 ? String(occurrence) : undefined
  const form = edition.isNew
    ? edition.data('ItemGroupData', { ItemGroupOID: oid, TransactionType }, parts)
    : edition.data('FormData', { FormOID: oid, TransactionType }, parts)
  return edition.data(
    'StudyEventData',
    { StudyEventOID: event, StudyEventRepeatKey: key, TransactionType },
    { content: [form] },
  )
}
