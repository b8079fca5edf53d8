import { useSpeaker } from '#web/app/speaking'
import type { Meal } from './answers'

/** The names of the meals. */
export function useMeals(): Record<Meal, string> {
  const { say } = useSpeaker()
  return {
    breakfast: say('food.breakfast'),
    lunch: say('food.lunch'),
    dinner: say('food.dinner'),
    snack: say('food.snack'),
    other: say('food.other'),
  }
}
