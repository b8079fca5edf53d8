/** The numbers of a dashboard from the figures that are kept (pure). */
import { facet } from '#conduct/participants/rules'
import { DAY, type Instant } from '#kernel/time'
import { spreadOfCounts, sum } from '#office/statistics/samples'
import type { AgeGroup } from './model'
import type { QueryFigure } from './store'

export type MonthCount = { month: string; enrolled: number }

/** The months over which the rate of recruitment is the mean. */
const RATE_MONTHS = 3

const monthNumber = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1
const monthText = (n: number) =>
  `${String(Math.floor(n / 12)).padStart(4, '0')}-${String((n % 12) + 1).padStart(2, '0')}`

/** Recruitment by month against the target. @param counts in any order, a month perhaps several times */
export function recruitmentOf(counts: readonly MonthCount[], target: number | null, now: Instant) {
  const byMonth = new Map<string, number>()
  for (const { month, enrolled } of counts) byMonth.set(month, (byMonth.get(month) ?? 0) + enrolled)
  const sorted = [...byMonth].sort(([a], [b]) => (a < b ? -1 : 1))
  let total = 0
  const months = sorted.map(([month, enrolled]) => ({ month, enrolled, total: (total += enrolled) }))
  const current = monthNumber(new Date(now / 1000).toISOString().slice(0, 7))
  const whole = months.length ? Math.min(RATE_MONTHS, current - monthNumber(months[0]!.month)) : 0
  const recentMonths = months.filter(
    ({ month }) => monthNumber(month) >= current - whole && monthNumber(month) < current,
  )
  const perMonth = whole > 0 ? sum(recentMonths.map(({ enrolled }) => enrolled)) / whole : null
  const missing = target === null ? 0 : target - total
  const expectedMonth = perMonth && missing > 0 ? monthText(current + Math.ceil(missing / perMonth)) : null
  return {
    enrolled: total,
    target,
    months,
    perMonth,
    expectedMonth: hasFourDigitYear(expectedMonth) ? expectedMonth : null,
  }
}

const hasFourDigitYear = (month: string | null) => month === null || month.length === 7

type Figure = { completed: number; overdue: number }

/** Completion of all figures together. */
export function completionOf(figures: readonly Figure[]) {
  const [completed, overdue] = [sum(figures.map((each) => each.completed)), sum(figures.map((each) => each.overdue))]
  return { completed, overdue, share: completed + overdue ? completed / (completed + overdue) : null }
}

/** Participants by their state. Archived ones do not count. */
export function peopleOf(counts: readonly { facets: number; count: number }[]) {
  const among = (test: (facets: number) => boolean) =>
    sum(counts.map(({ facets, count }) => (!(facets & facet.archived) && test(facets) ? count : 0)))
  return {
    total: among(() => true),
    joined: among((facets) => (facets & facet.joined) !== 0),
    withdrawn: among((facets) => (facets & facet.withdrawn) !== 0),
    behind: among((facets) => (facets & facet.behind) !== 0 && !(facets & facet.withdrawn)),
  }
}

function ageGroup(days: number): AgeGroup {
  if (days < 7) return 'under7'
  if (days < 14) return 'from7to13'
  if (days < 30) return 'from14to29'
  return days < 90 ? 'from30to89' : 'from90'
}

/** Queries by age, and how long they took. Days are those of UTC. */
export function queriesOf(figures: readonly QueryFigure[], now: Instant) {
  const today = Math.floor(now / DAY)
  const countByAge = (status: QueryFigure['status']) => {
    const ages = { total: 0, under7: 0, from7to13: 0, from14to29: 0, from30to89: 0, from90: 0 }
    for (const each of figures) {
      if (each.status !== status) continue
      ages.total += each.queries
      ages[ageGroup(today - each.days)] += each.queries
    }
    return ages
  }
  const daysToClose = new Map<number, number>()
  for (const { status, days, queries } of figures)
    if (status === 'closed') daysToClose.set(days, (daysToClose.get(days) ?? 0) + queries)
  return { open: countByAge('open'), answered: countByAge('answered'), resolution: spreadOfCounts(daysToClose) }
}
