/** Rules that say how likely it is that a participant stops to take part (pure). Each reason has the numbers behind it. */
import { DAY, type Instant } from '#kernel/time'
import { median } from '#office/statistics/samples'
import { countsOf, hoursToAnswer } from './adherence'
import type { DueForm } from './due'

export const dropoutRules = ['missedInRow', 'missedHalf', 'silence', 'fallingAdherence', 'slowerAnswers'] as const
export type DropoutRule = (typeof dropoutRules)[number]

/** `weight`: two weigh as much as one strong reason. `n` is how many forms or days the reason rests on. */
export type Reason = { rule: DropoutRule; weight: number; text: string; n: number; numbers: Record<string, number> }

export type DropoutInput = {
  now: Instant
  registeredAt: Instant
  /** When the participant was last seen in the app; null if never. */
  lastSeenAt: Instant | null
  /** All submissions, ad hoc ones too, in order. */
  submittedAt: readonly Instant[]
  forms: readonly DueForm[]
}

const FEWEST_DUE = 3
const RECENT = 10
const rounded = (value: number) => Math.round(value * 100) / 100
const percent = (share: number) => `${Math.round(share * 100)} %`

/** Forms that were due, in order. */
const pastForms = (forms: readonly DueForm[]) => forms.filter(({ state }) => state !== null && state !== 'open')

function missedInRow(due: readonly DueForm[]): Reason | undefined {
  const lastDone = due.findLastIndex(({ state }) => state !== 'missed')
  const missed = due.length - 1 - lastDone
  if (missed < 2) return undefined
  const text = `The last ${missed} forms that were due were not filled in.`
  return { rule: 'missedInRow', weight: missed >= 3 ? 2 : 1, text, n: due.length, numbers: { missed } }
}

function missedHalf(due: readonly DueForm[]): Reason | undefined {
  const { missed } = countsOf(due)
  if (due.length < 6 || missed * 2 < due.length) return undefined
  const text = `${missed} of ${due.length} forms that were due were not filled in.`
  return { rule: 'missedHalf', weight: 1, text, n: due.length, numbers: { missed, due: due.length } }
}

/** Silence counts only if something was asked of the participant since. */
function silence({ now, registeredAt, lastSeenAt, submittedAt, forms }: DropoutInput): Reason | undefined {
  const last = Math.max(registeredAt, lastSeenAt ?? 0, submittedAt.at(-1) ?? 0)
  const days = (now - last) / DAY
  const gaps = submittedAt.slice(1).map((at, n) => (at - submittedAt[n]!) / DAY)
  const usual = gaps.length >= FEWEST_DUE ? median(gaps) : 0
  const asked = forms.filter(({ openedAt, state }) => openedAt > last && state !== null).length
  if (days <= Math.max(14, 3 * usual) || asked === 0) return undefined
  const text = `Nothing was heard for ${Math.floor(days)} days, in which ${asked} forms opened.`
  const numbers = { days: rounded(days), opened: asked, usualDays: rounded(usual) }
  return { rule: 'silence', weight: 1, text, n: asked, numbers }
}

function fallingAdherence(due: readonly DueForm[]): Reason | undefined {
  const [before, lately] = [countsOf(due.slice(0, -RECENT)), countsOf(due.slice(-RECENT))]
  if (before.due < RECENT || before.share!.estimate - lately.share!.estimate < 0.25) return undefined
  const [earlierShare, recentShare] = [before.share!.estimate, lately.share!.estimate]
  const text = `Of the last ${RECENT} forms ${percent(recentShare)} were filled in on time, of the ${before.due} before ${percent(earlierShare)}.`
  return {
    rule: 'fallingAdherence',
    weight: 1,
    text,
    n: due.length,
    numbers: { before: rounded(earlierShare), lately: rounded(recentShare) },
  }
}

function slowerAnswers(forms: readonly DueForm[]): Reason | undefined {
  const hours = hoursToAnswer(forms)
  if (hours.length < 10) return undefined
  const [before, lately] = [median(hours.slice(0, -5)), median(hours.slice(-5))]
  if (lately < 2 * before || lately - before < 12) return undefined
  const text = `The last 5 answers came ${Math.round(lately)} hours after their form opened, those before ${Math.round(before)} hours.`
  return {
    rule: 'slowerAnswers',
    weight: 1,
    text,
    n: hours.length,
    numbers: { before: rounded(before), lately: rounded(lately) },
  }
}

/**
 * The risk by the weight of the reasons: `low` without any, `raised` with one, `high` with more or a strong one; `unknown` while fewer
 * than three forms were due and nothing is wrong. @param ended whether the participant was withdrawn or archived
 */
export function dropoutOf(input: DropoutInput, ended = false) {
  const due = pastForms(input.forms)
  if (ended) return { level: 'ended' as const, n: due.length, reasons: [] }
  const found = [missedInRow(due), missedHalf(due), silence(input), fallingAdherence(due), slowerAnswers(input.forms)]
  const reasons = found.filter((reason) => reason !== undefined)
  const weight = reasons.reduce((sum, { weight }) => sum + weight, 0)
  const defaultLevel = due.length < FEWEST_DUE ? ('unknown' as const) : ('low' as const)
  return {
    level: weight >= 2 ? ('high' as const) : weight ? ('raised' as const) : defaultLevel,
    n: due.length,
    reasons,
  }
}
