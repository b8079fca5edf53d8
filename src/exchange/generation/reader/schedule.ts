/** Reads times from headings and tables of visits: “day 14 ± 3”, “week 4”, “daily for 14 days”. */
import type { GeneratedStage } from './plan'

type Settings = Partial<
  Pick<
    GeneratedStage,
    'adHoc' | 'isRecurring' | 'recurringFrequency' | 'recurringDuration' | 'enableAtTime' | 'availabilityWindowHours'
  >
>

/** `day`: the day of the study, counted from its beginning. `rest`: the text without the recognised words. */
export type Schedule = { settings: Settings; day?: number; notes: string[]; rest: string }

const DAYS: Record<string, number> = { d: 1, day: 1, week: 7, month: 30, quarter: 91, year: 365 }
const daysOf = (unit: string) => DAYS[unit.toLowerCase().replace(/s$/, '')]!
const adverbs: Record<string, number> = { daily: 1, weekly: 7, monthly: 30, quarterly: 91, yearly: 365 }
const MOST_HOURS = 8760

const AD_HOC = /[([,–-]?\s*\b(?:as needed|as required|ad[- ]?hoc|unscheduled|p\.?r\.?n\.?)\b\s*[)\]]?/i
const AD_HOC_NAME = /\badverse events?\b|\bprotocol deviations?\b|\bconcomitant medications?\b|\bunscheduled\b/i
const ADVERB = /\b(daily|weekly|monthly|quarterly|yearly)\b/i
const EVERY = /\bevery (?:(\d{1,4}) )?(day|week|month|quarter|year)s?\b/i
const FOR = /\b(?:for|over|×|x)\s+(\d{1,4})\s*(day|week|month|year|cycle|time)s?\b/i
const DAY = /\b(?:on |at )?(?:study )?(day|week|month|year|d)\s*([-−–]?\d{1,4})\b(?!\s*(?:to|–|-|and)\s*(?:day\s*)?\d)/i
const TOLERANCE =
  /[([,]?\s*(?:window(?: of)?:?\s*)?(?:±|\+\s*\/\s*[-−–]|\+-)\s*(\d{1,3})\s*(day|d|week|hour|h)?s?\b\s*[)\]]?/i

/**
 * Reads the time in a heading; undefined if there is none.
 * @param isName whether the text is a form's name, which can imply ad hoc
 */
export function scheduleIn(text: string, isName = false): Schedule | undefined {
  const schedule: Schedule = { settings: {}, notes: [], rest: text }
  const { settings, notes } = schedule
  const take = (wanted: RegExp): RegExpExecArray | null => {
    const found = wanted.exec(schedule.rest)
    if (found)
      schedule.rest = `${schedule.rest.slice(0, found.index)} ${schedule.rest.slice(found.index + found[0].length)}`
    return found
  }
  if (AD_HOC.test(text) || (isName && AD_HOC_NAME.test(text))) {
    settings.adHoc = true
    if (!isName) take(AD_HOC)
  } else recurrence()
  const tolerance = take(TOLERANCE)
  const day = take(DAY)
  if (day) schedule.day = Number(day[2]!.replace(/[−–]/, '-')) * daysOf(day[1]!)
  if (tolerance) window(tolerance)
  if (!Object.keys(settings).length && schedule.day === undefined && !notes.length) return undefined
  schedule.rest = schedule.rest
    .replace(/[([]\s*[)\]]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;:–—-]+|[\s,;:–—(-]+$/g, '')
  return schedule

  function recurrence(): void {
    const adverb = take(ADVERB)
    const every = adverb ? null : take(EVERY)
    const frequency = adverb ? adverbs[adverb[1]!.toLowerCase()]! : every && Number(every[1] ?? 1) * daysOf(every[2]!)
    if (!frequency) return
    settings.isRecurring = true
    settings.recurringFrequency = frequency
    if (frequency >= 30) notes.push('A month was counted as 30 days.')
    const duration = take(FOR)
    if (!duration) return
    const [, count, unit] = duration
    settings.recurringDuration = Number(count) * (/cycle|time/i.test(unit!) ? frequency : daysOf(unit!))
  }

  /** A window of as many calendar days before the day as after it. */
  function window([text, count, unit = 'day']: readonly (string | undefined)[]): void {
    const days = Number(count) * (/^h/i.test(unit) ? 1 / 24 : daysOf(unit))
    const isBefore = schedule.day !== undefined && !settings.isRecurring && days >= 1
    if (schedule.day === undefined && !settings.isRecurring) {
      notes.push(`It is not said of what “${text!.trim()}” is the window.`)
      return
    }
    const hours = isBefore ? (2 * days + 1) * 24 : Math.max(1, Math.round(days * 48))
    if (hours > MOST_HOURS) {
      notes.push(`A window of ${hours} hours is not possible.`)
      return
    }
    settings.availabilityWindowHours = hours
    if (!isBefore) return
    schedule.day! -= days
    settings.enableAtTime = '00:00:00'
  }
}
