/** The name of an occurrence of a form, from the stage alone: the page of queries has no timelines (pure). */
import type { Stage } from '#web/console/parts/field/reading'

type NamedForm = Pick<Stage, 'name' | 'adHoc' | 'isRecurring' | 'recurrenceNames' | 'anchorSchedule'>
type T = (key: 'queries.occurrence', values: { form: string; number: number }) => string

/** @param recurrence from 0 */
export function formName(stage: NamedForm | undefined, recurrence: number, t: T): string {
  if (!stage) return ''
  const { name, adHoc, isRecurring, recurrenceNames, anchorSchedule } = stage
  const number = recurrence + 1
  const isRepeated = !adHoc && (isRecurring || (anchorSchedule?.length ?? 0) > 1)
  const own = (isRepeated && recurrenceNames?.[recurrence]) || name
  if (isRepeated && own.includes('%n')) return own.replaceAll('%n', `${number}`)
  const isNumbered = own === name && (isRepeated || (adHoc && recurrence > 0))
  return isNumbered ? t('queries.occurrence', { form: name, number }) : own
}
