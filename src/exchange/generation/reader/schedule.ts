/** When something is done: “weekly for 8 weeks”, “day 14 ± 3”, “within 48 hours”, “as needed”. */
import type { GeneratedStage, Wait } from '#exchange/generation/plan'

type Settings = Partial<
  Pick<
    GeneratedStage,
    | 'adHoc'
    | 'isRecurring'
    | 'recurringFrequency'
    | 'recurringDuration'
    | 'enableAtTime'
    | 'availabilityWindowHours'
    | 'behindCutoffTime'
  >
>

/** What a text says of the time. `day`: the day of the study, counted from its beginning. `after`: what it follows, by name. */
export type Schedule = {
  settings: Settings
  day?: number
  after?: Pick<Wait, 'for' | 'delay'>
  notes: string[]
  /** The text without what was understood. */
  rest: string
}

const DAYS: Record<string, number> = { day: 1, week: 7, fortnight: 14, month: 30, quarter: 91, year: 365 }
const WORDS: Record<string, number> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  a: 1,
  an: 1,
  second: 2,
  other: 2,
  third: 3,
}
const NUMBER = '(\\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|an?)'
const numberOf = (text: string) => WORDS[text.toLowerCase()] ?? Number(text)
const daysOf = (unit: string) => DAYS[unit.toLowerCase().replace(/s$/, '')] ?? 1

const adverbs: Record<string, number> = {
  daily: 1,
  nightly: 1,
  weekly: 7,
  fortnightly: 14,
  biweekly: 14,
  'bi-weekly': 14,
  monthly: 30,
  quarterly: 91,
  yearly: 365,
  annually: 365,
}
const MOST_HOURS = 8760

const pattern = (source: string) => new RegExp(source, 'i')
const EVERY = pattern(
  `\\b(?:every|each|once (?:a|an|every|per))\\s+(?:${NUMBER.slice(0, -1)}|second|other|third)\\s+)?(day|night|morning|evening|week|fortnight|month|quarter|year)s?\\b`,
)
const FOR = pattern(
  `\\b(?:for|over|during|lasting|×|x)\\s+(?:a (?:total|period) of\\s+)?(?:the (?:first|next)\\s+)?${NUMBER}\\s*(?:consecutive\\s+)?(day|night|week|month|year|cycle|time|occasion|visit|occurrence|round|dose)s?\\b`,
)
const TIMES_DAILY =
  /\b(?:twice|two times|2\s*[x×]|three times|3\s*[x×]|\d times)\s+(?:a |per |each )?(?:daily|day)\b|\bmorning and evening\b/i
const AD_HOC =
  /\b(?:as needed|as required|ad[- ]?hoc|when(?:ever)? (?:needed|required|necessary)|on demand|unscheduled|p\.?r\.?n\.?|at any time|if and when)\b/i
const AD_HOC_NAME = /\badverse events?\b|\bprotocol deviations?\b|\bconcomitant medications?\b|\bunplanned\b/i
const DAY = /\b(?:on |at )?(?:study )?(day|week|month|year|d)\s*([-−–]?\d{1,4})\b(?!\s*(?:to|–|-|and)\s*(?:day\s*)?\d)/i
const DAYS_THROUGH = /\b(?:from )?days?\s*(\d{1,3})\s*(?:to|–|-|until|through)\s*(?:day\s*)?(\d{1,4})\b/i
const TOLERANCE =
  /[([,]?\s*(?:window(?: of)?:?\s*)?(?:±|\+\s*\/\s*[-−–]|\+-|plus or minus)\s*(\d{1,3})\s*(day|d|week|hour|h)?s?\b\s*[)\]]?/i
const AFTER = pattern(
  `\\b${NUMBER}\\s+(day|week|month|year)s?\\s+(after|following|post|from|since|before|prior to)[ -](?:the |an? |last |end of )?([\\p{L}\\d][\\p{L}\\d \\-]{1,60}?)(?=[.,;:()]|$| for | at | within |\\s±)`.replaceAll(
    '\\p{L}',
    'A-Za-zÀ-ÿ',
  ),
)
const POST = /\b(week|day|month)\s*(\d{1,3})\s+(?:after|post)[ -](?:the )?([A-Za-z][A-Za-z -]{2,40}?)(?=[.,;:()]|$)/i
const WITHIN = pattern(
  `\\b(?:to be (?:completed|filled in|answered) |completed? |open for |available for |filled in )?(?:within|window(?: of)?:?|open for|available for)\\s*${NUMBER}\\s*(hour|day|week)s?\\b`,
)
const CLOCK = '(\\d{1,2})(?:[:.h](\\d{2}))?\\s*(a\\.?m\\.?|p\\.?m\\.?|o.clock|h(?:rs|ours)?)?'
const BETWEEN = pattern(`\\b(?:between|from)\\s+${CLOCK}\\s*(?:and|to|-|–)\\s*${CLOCK}`)
const AT = pattern(
  `\\b(at|by|before|from)\\s+${CLOCK}(?![\\d/%.,]*\\s*(?:days?|weeks?|months?|visits?|hours?|years?|cm|kg))`,
)
const PARTS: Record<string, string> = {
  midnight: '00:00:00',
  noon: '12:00:00',
  midday: '12:00:00',
  bedtime: '21:00:00',
}

function clockOf(hour: string, minute: string | undefined, half: string | undefined): string | undefined {
  if (minute === undefined && half === undefined) return undefined
  const mark = half?.[0]?.toLowerCase()
  let hours = Number(hour)
  if (mark === 'p' && hours < 12) hours += 12
  if (mark === 'a' && hours === 12) hours = 0
  if (hours > 23 || Number(minute ?? 0) > 59) return undefined
  return `${String(hours).padStart(2, '0')}:${minute ?? '00'}:00`
}

const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** Reads what a heading or a sentence says of the time; undefined where it says nothing. @param isName of a form, which may itself say so */
export function scheduleIn(text: string, isName = false): Schedule | undefined {
  const schedule: Schedule = { settings: {}, notes: [], rest: text }
  const { settings } = schedule
  const take = (wanted: RegExp): RegExpExecArray | null => {
    const found = wanted.exec(schedule.rest)
    if (found)
      schedule.rest = `${schedule.rest.slice(0, found.index)} ${schedule.rest.slice(found.index + found[0].length)}`
    return found
  }
  if (AD_HOC.test(text) || (isName && AD_HOC_NAME.test(text))) {
    settings.adHoc = true
    take(
      /[([,–-]?\s*\b(?:as needed|as required|ad[- ]?hoc|when(?:ever)? (?:needed|required|necessary)|on demand|p\.?r\.?n\.?|at any time)\b\s*[)\]]?/i,
    )
  }
  times()
  if (!settings.adHoc) recurrence()
  after()
  const within = take(WITHIN)
  if (within) window(numberOf(within[1]!) * { hour: 1, day: 24, week: 168 }[within[2]!.toLowerCase() as 'hour'])
  const following =
    within &&
    !schedule.after &&
    /\b(?:after|of|following)\s+(?:the )?([a-z][\w -]{1,40}?)(?=[.,;:()]|$)/i.exec(schedule.rest)
  if (following) schedule.after = { for: following[1]!.trim(), delay: 0 }
  const isAny =
    Object.keys(settings).length || schedule.day !== undefined || schedule.after !== undefined || schedule.notes.length
  if (!isAny) return undefined
  schedule.rest = schedule.rest
    .replace(/[([]\s*[)\]]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;:–—-]+|[\s,;:–—(-]+$/g, '')
  return schedule

  function window(hours: number): void {
    if (hours >= 1 && hours <= MOST_HOURS) settings.availabilityWindowHours = Math.round(hours)
    else schedule.notes.push(`A window of ${hours} hours is not possible.`)
  }

  function times(): void {
    const between = take(BETWEEN)
    if (between) {
      const [from, to] = [
        clockOf(between[1]!, between[2], between[3] ?? between[6]),
        clockOf(between[4]!, between[5], between[6]),
      ]
      if (from && to) {
        settings.enableAtTime = from
        window(((minutes(to) - minutes(from) + 1440) % 1440 || 1440) / 60)
        if ((minutes(to) - minutes(from)) % 60) schedule.notes.push('Windows are whole hours; this one was rounded.')
        return
      }
      schedule.rest = text
    }
    const word = /\bat (midnight|noon|midday|bedtime)\b/i.exec(schedule.rest)
    if (word) {
      settings.enableAtTime = PARTS[word[1]!.toLowerCase()]!
      take(/\bat (?:midnight|noon|midday|bedtime)\b/i)
    }
    const found = AT.exec(schedule.rest)
    const time = found && clockOf(found[2]!, found[3], found[4])
    if (!found || !time) return
    take(AT)
    if (/^(?:by|before)$/i.test(found[1]!)) settings.behindCutoffTime = time
    else settings.enableAtTime = time
  }

  function recurrence(): void {
    const isTwice = take(TIMES_DAILY)
    if (isTwice)
      schedule.notes.push(`“${isTwice[0].trim()}”: a stage opens at most once a day; make another for the second time.`)
    const through = take(DAYS_THROUGH)
    const adverb = take(/\b(daily|nightly|weekly|fortnightly|bi-?weekly|monthly|quarterly|yearly|annually)\b/i)
    const every = take(EVERY)
    let frequency = isTwice ? 1 : undefined
    if (every)
      frequency =
        (every[1]
          ? numberOf(every[1])
          : (WORDS[/\b(second|other|third)\b/i.exec(every[0])?.[1]?.toLowerCase() ?? ''] ?? 1)) * daysOf(every[2]!)
    if (adverb) frequency = adverbs[adverb[1]!.toLowerCase()]!
    if (frequency === undefined && through) frequency = 1
    if (frequency === undefined || frequency < 1) return
    settings.isRecurring = true
    settings.recurringFrequency = frequency
    if (/month|quarter|year|annual/i.test(`${adverb?.[0]} ${every?.[0]}`))
      schedule.notes.push('A month was counted as 30 days.')
    const lasting = take(FOR)
    if (through) {
      settings.recurringDuration = Number(through[2]) - Number(through[1]) + 1
      if (!(settings.recurringDuration > 0)) settings.recurringDuration = frequency
      if (Number(through[1]) > 1) schedule.day = Number(through[1])
    } else if (lasting) {
      const [, count, noun] = lasting
      const isCount = /cycle|time|occasion|visit|occurrence|round|dose/i.test(noun!)
      settings.recurringDuration = numberOf(count!) * (isCount ? frequency : daysOf(noun!))
    }
  }

  function after(): void {
    const tolerance = take(TOLERANCE)
    const found = take(AFTER)
    const post = found ? null : take(POST)
    if (found) {
      const days = numberOf(found[1]!) * daysOf(found[2]!)
      schedule.after = { for: found[4]!.trim(), delay: /before|prior/i.test(found[3]!) ? -days : days }
    } else if (post) schedule.after = { for: post[3]!.trim(), delay: Number(post[2]) * daysOf(post[1]!) }
    else {
      const day = take(DAY)
      if (day)
        schedule.day = Number(day[2]!.replace(/[−–]/, '-')) * (day[1]!.toLowerCase() === 'd' ? 1 : daysOf(day[1]!))
    }
    if (!tolerance) return
    const unit = (tolerance[2] ?? 'day').toLowerCase()
    const days = Number(tolerance[1]) * (unit.startsWith('w') ? 7 : unit.startsWith('h') ? 1 / 24 : 1)
    if (schedule.day === undefined && !schedule.after && !settings.isRecurring) {
      schedule.notes.push(`It is not said of what “${tolerance[0].trim()}” is the window.`)
      return
    }
    if (settings.isRecurring || days < 1) {
      window(Math.max(1, days * 48))
      return
    }
    if (schedule.after) schedule.after.delay = (schedule.after.delay ?? 0) - days
    else schedule.day = schedule.day! - days
    // Whole calendar days: from the first midnight to the last.
    settings.enableAtTime ??= '00:00:00'
    window((2 * days + 1) * 24)
  }
}
