/** Whether forms are filled in on time, and how long it takes (pure). */
import { dayIn } from '#kernel/calendar'
import { HOUR } from '#kernel/time'
import { shareOf } from '#office/statistics/estimates'
import { spread } from '#office/statistics/samples'
import type { DueForm } from './due'

/** Beyond so many weeks, forms are counted by month. */
const MOST_WEEKS = 26

const dayText = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)

/** The first day of the week (from Monday) or month of a day. */
export function periodOf(day: number, by: 'week' | 'month'): string {
  return by === 'month' ? `${dayText(day).slice(0, 7)}-01` : dayText(day - ((((day + 3) % 7) + 7) % 7))
}

const count = (forms: readonly DueForm[], state: DueForm['state']) =>
  forms.filter((form) => form.state === state).length

/** How many of these forms were filled in on time, late and not. Those that are not behind schedule yet do not count. */
export function countsOf(forms: readonly DueForm[]) {
  const [onTime, late, missed] = [count(forms, 'onTime'), count(forms, 'late'), count(forms, 'missed')]
  const due = onTime + late + missed
  return { due, onTime, late, missed, share: shareOf(onTime, due) }
}

/** The adherence of a participant, all together and by the week or month in which the forms opened. @param zone the participant's */
export function adherenceOf(forms: readonly DueForm[], zone: string) {
  const days = forms.map(({ openedAt }) => dayIn(openedAt, zone))
  const by: 'week' | 'month' = days.length && days.at(-1)! - days[0]! > MOST_WEEKS * 7 ? 'month' : 'week'
  const counted = forms.filter(({ state }) => state !== null && state !== 'open')
  const groups = Map.groupBy(counted, ({ openedAt }) => periodOf(dayIn(openedAt, zone), by))
  return { ...countsOf(counted), by, periods: [...groups].map(([from, some]) => ({ from, ...countsOf(some) })) }
}

/** The hours from the opening of each form to its submission. Forms that staff entered before they opened say nothing. */
export const hoursToAnswer = (forms: readonly DueForm[]): number[] =>
  forms.flatMap(({ openedAt, completedAt }) =>
    completedAt === null || completedAt < openedAt ? [] : [(completedAt - openedAt) / HOUR],
  )

/** Time to answer, in hours. */
export const timeToAnswer = (forms: readonly DueForm[]) => spread(hoursToAnswer(forms))
