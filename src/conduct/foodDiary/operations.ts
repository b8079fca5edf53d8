/** The food diaries of participants, for staff (docs/food.md). */
import { requireConsent } from '#conduct/consents/required'
import { type ParticipantScope, participant } from '#conduct/participants/scope'
import { rowById } from '#db/rows'
import { foodDiaryEntries } from '#db/tables/index'
import { operation, type Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { partial, shape } from '#wire/schema'
import { addEntry, changeEntry, removeEntry } from './change'
import { DiaryWindow, FoodDiaryEntries, FoodDiaryEntry, StaffEntryInput } from './model'
import { diaryPage, PAGE_DESCRIPTION } from './page'
import type { EntryRow } from './store'

/** The entry that `:entryId` names; 404 unless it is of the participant of the path. */
const entry: Scope<ParticipantScope & { entry: EntryRow }, 'trialId' | 'participantId' | 'entryId'> = (context) => {
  const ofParticipant = participant(context)
  const entry = found(rowById(context.db, foodDiaryEntries, context.params.entryId), 'food diary entry')
  if (entry.participant !== ofParticipant.participant._id) throw refuse.missing('food diary entry')
  return { ...ofParticipant, entry }
}

const listEntries = operation({
  id: 'listFoodDiaryEntries',
  method: 'GET',
  path: '/trials/:trialId/participants/:participantId/foodDiaryEntries',
  summary: 'List the food diary of a participant',
  description: PAGE_DESCRIPTION,
  scope: participant,
  needs: 'trial.readParticipantStudyData',
  feature: 'foodDiaries',
  query: DiaryWindow,
  returns: FoodDiaryEntries,
  run: ({ db, participant, query }) => diaryPage(db, participant._id, query),
})

const createEntry = operation({
  id: 'createFoodDiaryEntry',
  method: 'POST',
  path: '/trials/:trialId/participants/:participantId/foodDiaryEntries',
  summary: 'Add an entry to the food diary of a participant',
  scope: participant,
  needs: 'trial.writeParticipantStudyData',
  feature: 'foodDiaries',
  changes: 'data',
  logs: 'createFoodDiaryEntry',
  body: StaffEntryInput,
  returns: FoodDiaryEntry,
  run: (context) => {
    const { withoutConsentReason: reason, ...entry } = context.body
    const consent = requireConsent(context.db, context, [], reason)
    return addEntry(context, entry, { _id: context.caller.user._id, type: 'user' }, consent)
  },
})

const editEntry = operation({
  id: 'updateFoodDiaryEntry',
  method: 'PUT',
  path: '/trials/:trialId/participants/:participantId/foodDiaryEntries/:entryId',
  summary: 'Change an entry of a food diary',
  description:
    'The nutrients stay those that the food had when it was chosen; only another `foodId` has those of today.',
  scope: entry,
  needs: 'trial.writeParticipantStudyData',
  feature: 'foodDiaries',
  changes: 'data',
  logs: 'updateFoodDiaryEntry',
  body: partial(StaffEntryInput),
  returns: FoodDiaryEntry,
  run: (context) => {
    const { withoutConsentReason: reason, ...change } = context.body
    return changeEntry(context, context.entry, change, requireConsent(context.db, context, [], reason))
  },
})

const deleteEntry = operation({
  id: 'deleteFoodDiaryEntry',
  method: 'DELETE',
  path: '/trials/:trialId/participants/:participantId/foodDiaryEntries/:entryId',
  summary: 'Delete an entry of a food diary',
  scope: entry,
  needs: 'trial.writeParticipantStudyData',
  feature: 'foodDiaries',
  changes: 'data',
  logs: 'deleteFoodDiaryEntry',
  returns: shape({}),
  run: (context) => removeEntry(context, context.entry),
})

export const foodDiaryOperations = [listEntries, createEntry, editEntry, deleteEntry] as const
