/** A participant's own food diary. */
import type { ParticipantCaller } from '#access/caller'
import { requireOwnConsent } from '#conduct/consents/required'
import { self } from '#conduct/participantSessions/scope'
import type { ParticipantRow } from '#conduct/participants/store'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { foodDiaryEntries } from '#db/tables/index'
import type { SharedTrial } from '#design/trials/store'
import { operation, type Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { partial, shape } from '#wire/schema'
import { addEntry, changeEntry, removeEntry } from './change'
import { DiaryWindow, FoodDiaryEntries, FoodDiaryEntry, FoodDiaryEntryInput } from './model'
import { diaryPage, PAGE_DESCRIPTION } from './page'
import type { EntryRow } from './store'

type OwnEntry = { trial: SharedTrial; participant: ParticipantRow; entry: EntryRow }

/** The participant's own entry that `:entryId` names. @throws 404 if it is somebody else's */
const ownEntry: Scope<OwnEntry, 'entryId', ParticipantCaller> = (context) => {
  const own = self({ ...context, params: {} })
  const entry = found(rowById(context.db, foodDiaryEntries, context.params.entryId), 'food diary entry')
  if (entry.participant !== own.participant._id) throw refuse.missing('food diary entry')
  return { ...own, entry }
}

type OwnDiary = Pick<OwnEntry, 'trial' | 'participant'> & { db: Db }

/** @throws 403 for a participant who has withdrawn, and without a consent that the trial requires */
function requireTakingPart({ db, trial, participant }: OwnDiary): void {
  if (participant.isWithdrawn) throw refuse.forbidden('withdrawn')
  requireOwnConsent(db, { trial, participant })
}

/** @throws 403 for an entry of the study team, and for a participant who may not add entries */
function requireOwnEntry({ entry, ...own }: OwnEntry & { db: Db }): void {
  requireTakingPart(own)
  if (entry.createdByType !== 'participant') throw refuse.forbidden('entryOfTeam')
}

const listOwnEntries = operation({
  id: 'listOwnFoodDiaryEntries',
  method: 'GET',
  path: '/participants/foodDiaryEntries',
  summary: 'List one’s own food diary',
  description: PAGE_DESCRIPTION,
  who: 'participant',
  scope: self,
  needs: 'nothing',
  feature: 'foodDiaries',
  query: DiaryWindow,
  returns: FoodDiaryEntries,
  run: ({ db, participant, query }) => diaryPage(db, participant._id, query),
})

const createOwnEntry = operation({
  id: 'createOwnFoodDiaryEntry',
  method: 'POST',
  path: '/participants/foodDiaryEntries',
  summary: 'Add an entry to one’s own food diary',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  feature: 'foodDiaries',
  changes: 'data',
  logs: 'createFoodDiaryEntry',
  body: FoodDiaryEntryInput,
  keepsKey: true,
  returns: FoodDiaryEntry,
  run: (context) => {
    requireTakingPart(context)
    return addEntry(context, context.body, { _id: context.participant._id, type: 'participant' })
  },
})

const editOwnEntry = operation({
  id: 'updateOwnFoodDiaryEntry',
  method: 'PUT',
  path: '/participants/foodDiaryEntries/:entryId',
  summary: 'Change an entry of one’s own food diary',
  description: 'Entries that the study team made cannot be changed here.',
  who: 'participant',
  scope: ownEntry,
  needs: 'nothing',
  feature: 'foodDiaries',
  changes: 'data',
  logs: 'updateFoodDiaryEntry',
  body: partial(FoodDiaryEntryInput),
  returns: FoodDiaryEntry,
  run: (context) => {
    requireOwnEntry(context)
    return changeEntry(context, context.entry, context.body)
  },
})

const deleteOwnEntry = operation({
  id: 'deleteOwnFoodDiaryEntry',
  method: 'DELETE',
  path: '/participants/foodDiaryEntries/:entryId',
  summary: 'Delete an entry of one’s own food diary',
  description: 'Entries that the study team made cannot be deleted here.',
  who: 'participant',
  scope: ownEntry,
  needs: 'nothing',
  feature: 'foodDiaries',
  changes: 'data',
  logs: 'deleteFoodDiaryEntry',
  returns: shape({}),
  run: (context) => {
    requireOwnEntry(context)
    return removeEntry(context, context.entry)
  },
})

export const ownFoodDiaryOperations = [listOwnEntries, createOwnEntry, editOwnEntry, deleteOwnEntry] as const
