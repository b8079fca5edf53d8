/** The search of foods, for staff and participants who write a diary (docs/food.md, "How the search works"). */
import type { Access, ParticipantCaller, Staff } from '#access/caller'
import { self } from '#conduct/participantSessions/scope'
import { foodsFor } from '#design/foods/openStore'
import { searchFoods } from '#design/foods/searchStore'
import { tableInfoOf } from '#design/foods/tableStore'
import { sharedTrialVisibleTo } from '#design/trials/scope'
import type { SharedTrial } from '#design/trials/store'
import { anywhere, operation, type Scope } from '#http/operation'
import { requireDiariesEnabled } from './change'
import { FoodQuery, Foods } from './model'

type FoodSearchScope = { trial: SharedTrial; access?: Access }

/** The trial of the path, for staff who see it, and for its own participants. */
const foodSearchScope: Scope<FoodSearchScope, 'trialId', Staff | ParticipantCaller> = (context) => {
  const { caller } = context
  return caller.kind === 'participant'
    ? self({ ...context, caller })
    : sharedTrialVisibleTo({ db: context.db, caller }, context.params.trialId)
}

const findFoods = operation({
  id: 'searchFoods',
  method: 'GET',
  path: '/trials/:trialId/food-search',
  summary: 'Search the table of foods',
  description:
    'Finds words in any order, the last one as it is typed, plurals, misspelt words and brands; the most common foods first. The nutrients are those in 100 g.',
  who: ['staff', 'participant'],
  scope: foodSearchScope,
  needs: anywhere('trial.read'),
  feature: 'foodDiaries',
  limit: 30,
  query: FoodQuery,
  returns: Foods,
  run: ({ db, trial, query: { q, limit = 25, offset = 0 } }) => {
    requireDiariesEnabled(trial)
    const table = foodsFor(db)
    const found = searchFoods(table, q, limit + 1, offset)
    const foods = found.slice(0, limit).map(({ amounts, portions, ...food }) => ({
      ...food,
      portions: portions.map((portion) => ({ ...portion, unit: 'grams' as const })),
      nutrients: amounts,
    }))
    return { foods, nextPageAvailable: found.length > limit, source: tableInfoOf(table)!.source }
  },
})

export const foodSearchOperations = [findFoods] as const
