/** Makes, changes and deletes entries: for staff and for participants alike. */
import { changedFields } from '#audit/changedFields'
import type { ConsentCheck } from '#conduct/consents/required'
import type { ParticipantRow } from '#conduct/participants/store'
import type { Db } from '#db/open'
import { deleteById, insert, updateById } from '#db/rows'
import { foodDiaryEntries } from '#db/tables/index'
import { foodsFor } from '#design/foods/openStore'
import { foodById } from '#design/foods/searchStore'
import { settingsOf } from '#design/trials/rules'
import type { SharedTrial } from '#design/trials/store'
import type { Note, RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import type { ValueOf } from '#wire/schema'
import type { FoodDiaryEntryInput } from './model'
import { entryView, fieldDetails, requirePast } from './rules'
import type { EntryRow } from './store'

type Input = ValueOf<typeof FoodDiaryEntryInput>
type ChangeContext = Pick<RequestContext, 'db' | 'now' | 'id'> & {
  trial: SharedTrial
  participant: ParticipantRow
  record(note: Note): void
}

/** @throws 400 if the trial has no food diaries */
export function requireDiariesEnabled(trial: SharedTrial): void {
  if (!settingsOf(trial).foodDiariesEnabled) throw refuse.bad('foodDiariesOff')
}

/** The food as an entry keeps it. @throws 400 if the table has no such food */
function foodSnapshot(db: Db, foodId: number): EntryRow['food'] {
  const food = foodById(foodsFor(db), foodId)
  if (!food) throw refuse.bad('noSuchFood', undefined, fieldDetails('foodId', reason('notFoodId')))
  const { foodId: _, portions: __, ...kept } = food
  return kept
}

/** What the audit trail keeps of an entry: what was eaten, and apart from it what somebody wrote of the portion. */
function auditNoteOf(before: Partial<EntryRow>, after: Partial<EntryRow>, consent?: ConsentCheck): Note {
  const facts = ({ date, meal, foodId, food, portionSize, quantity, loggedAt }: Partial<EntryRow>) => ({
    ...{ date: date ?? null, meal: meal ?? null, foodId: foodId ?? null, food: food?.name ?? null },
    ...{ portionSize: portionSize ?? null, quantity: quantity ?? null, loggedAt: loggedAt ?? null },
  })
  const texts = ({ portionDescription = null }: Partial<EntryRow>) => ({ portionDescription })
  const entry = before._id ?? after._id
  return {
    event: { foodDiaryEntry: entry, ...changedFields(facts(before), facts(after)), ...consent?.event },
    personal: changedFields(texts(before), texts(after)),
  }
}

const portionColumns = (portion: Input['portion'] | undefined) =>
  portion && { portionSize: portion.size, portionDescription: portion.description || null }

/** Adds an entry. @param consent what the check of the consent found */
export function addEntry(
  context: ChangeContext,
  body: Input,
  by: { _id: Id; type: 'user' | 'participant' },
  consent?: ConsentCheck,
) {
  const { db, now, trial, participant, record } = context
  requireDiariesEnabled(trial)
  const { portion, ...fields } = body
  requirePast(now, fields)
  const row = insert(db, foodDiaryEntries, {
    ...{ _id: context.id(), createdAt: now, updatedAt: now, createdBy: by._id, createdByType: by.type },
    ...{ trial: trial._id, participant: participant._id, quantity: 1, loggedAt: now },
    ...fields,
    ...portionColumns(portion)!,
    food: foodSnapshot(db, fields.foodId),
  })
  record(auditNoteOf({}, row, consent))
  return entryView(row)
}

/**
 * Changes an entry. Its food stays as it was when it was chosen, also if the table has other values of it by now; only another
 * `foodId` takes over the values of today. @param consent what the check of the consent found
 */
export function changeEntry(context: ChangeContext, entry: EntryRow, body: Partial<Input>, consent?: ConsentCheck) {
  const { db, now, trial, record } = context
  requireDiariesEnabled(trial)
  const { portion, ...fields } = body
  requirePast(now, fields)
  const isOther = fields.foodId !== undefined && fields.foodId !== entry.foodId
  const food = isOther ? foodSnapshot(db, fields.foodId!) : undefined
  const row = updateById(db, foodDiaryEntries, entry._id, {
    ...fields,
    ...portionColumns(portion),
    food,
    updatedAt: now,
  })
  record(auditNoteOf(entry, row, consent))
  return entryView(row)
}

export function removeEntry({ db, record }: Pick<ChangeContext, 'db' | 'record'>, entry: EntryRow) {
  deleteById(db, foodDiaryEntries, entry._id)
  record(auditNoteOf(entry, {}))
  return {}
}
