import { useTranslator } from '#web/participant/texts'
import type { Meal } from './apiTypes'

/** The names of the meals. */
export function useMeals(): Record<Meal, string> {
  const { t } = useTranslator()
  return {
    breakfast: t('food.breakfast'),
    lunch: t('food.lunch'),
    dinner: t('food.dinner'),
    snack: t('food.snack'),
    other: t('food.other'),
  }
}
