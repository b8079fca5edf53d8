/** What the first page shows of a timeline: what can be done now, what comes, what was. Pure: the same timeline gives the same page. */
import type { TimelineEntry } from './apiTypes'

/** `sending`: answered, and kept on the device until it is sent. `refused`: the server did not take it. `held`: staff have it. */
export type State = 'open' | 'late' | 'draft' | 'sending' | 'refused' | 'held' | 'coming' | 'done' | 'missed'

export type Item = {
  entry: TimelineEntry
  state: State
  /** When it opens or opened, and when it closes, in milliseconds. */
  opens: number | undefined
  closes: number | undefined
}

/** What can be done now of one form: the one to be done first, and those from before that are still open. */
export type Group = { item: Item; earlier: readonly Item[] }

export type Day = {
  now: readonly Group[]
  anyTime: readonly Item[]
  /** By their opening. Those without a date, which wait for something else, come last. */
  coming: readonly Item[]
  /** The newest first. */
  past: readonly Item[]
  done: number
  all: number
}

/** What the device keeps of a person's forms, by occurrence. */
export type OnDevice = {
  drafts: ReadonlySet<string>
  entries: ReadonlyMap<string, 'waiting' | 'refused' | 'held'>
}

const time = (text: string | null | undefined): number | undefined => (text ? Date.parse(text) : undefined)

/** @param knownAt when the server wrote the timeline: a form that opened since is open, though the timeline does not say so */
function stateOf(entry: TimelineEntry, { drafts, entries }: OnDevice, now: number, knownAt: number): State {
  const kept = entries.get(entry._id)
  if (kept === 'waiting') return 'sending'
  if (kept) return kept
  if (entry.completed && !entry.adHoc) return 'done'
  const [opens, closes] = [time(entry.enableAt), time(entry.expiresAt)]
  const hasEnded = entry.expired || (closes !== undefined && closes <= now)
  // What was answered in time can still be sent.
  if (hasEnded && !entry.adHoc) return drafts.has(entry._id) ? 'draft' : 'missed'
  const isOpen = entry.enabled || (opens !== undefined && opens > knownAt && opens <= now)
  if (!isOpen) return 'coming'
  if (drafts.has(entry._id)) return 'draft'
  return entry.behind ? 'late' : 'open'
}

const stageOf = ({ entry }: Item): string => entry._id.split('::')[0] ?? entry._id
const byOpening = (a: Item, b: Item): number => (a.opens ?? Infinity) - (b.opens ?? Infinity)

/** What should be done first: what needs the person, what they began, what closes soonest, what opened first. */
const urgency: Partial<Record<State, number>> = { refused: 0, draft: 1, late: 2, open: 3 }
const byUrgency = (a: Item, b: Item): number =>
  (urgency[a.state] ?? 9) - (urgency[b.state] ?? 9) ||
  (a.closes ?? Number.MAX_VALUE) - (b.closes ?? Number.MAX_VALUE) ||
  byOpening(a, b)

const DAY = 86_400_000

/**
 * Of each form, the newest that is open is shown, and those before it behind it. What was begun or refused stands alone, and what
 * closes within a day: behind another it would be missed.
 */
function groupItems(items: readonly Item[], now: number): Group[] {
  const alone = items.filter(
    ({ state, closes }) => state === 'refused' || state === 'draft' || (closes !== undefined && closes - now < DAY),
  )
  const others = Map.groupBy(
    items.filter((each) => !alone.includes(each)),
    stageOf,
  )
  const groups = [...others.values()].map((list) => {
    const [item, ...earlier] = list.toSorted((a, b) => byOpening(b, a))
    return { item, earlier }
  })
  return [...alone.map((item) => ({ item, earlier: [] })), ...groups]
    .flatMap(({ item, earlier }) => (item ? [{ item, earlier }] : []))
    .sort((a, b) => byUrgency(a.item, b.item))
}

/** What is shown to somebody who takes part no more: what needs them, and what was. */
export const withdrawnDay = (day: Day): Day => ({
  ...day,
  now: day.now.filter(({ item }) => item.state === 'refused'),
  anyTime: [],
  coming: [],
})

/** Arranges a timeline for the first page. */
export function arrangeTimeline(
  stages: readonly TimelineEntry[],
  device: OnDevice,
  { now, knownAt = now }: { now: number; knownAt?: number },
): Day {
  const items = stages.map((entry) => ({
    entry,
    state: stateOf(entry, device, now, knownAt),
    opens: time(entry.enableAt),
    closes: time(entry.expiresAt),
  }))
  const timed = items.filter(({ entry }) => !entry.adHoc)
  const among = (list: readonly Item[], ...states: State[]) => list.filter(({ state }) => states.includes(state))
  const endOf = ({ entry, opens, closes }: Item) => time(entry.completedAt) ?? closes ?? opens ?? 0
  return {
    now: groupItems(
      [
        ...among(timed, 'open', 'late', 'draft', 'refused'),
        ...among(items, 'refused').filter(({ entry }) => entry.adHoc),
      ],
      now,
    ),
    anyTime: items.filter(({ entry, state }) => entry.adHoc && !['coming', 'missed'].includes(state)),
    coming: among(timed, 'coming').sort(byOpening),
    past: among(timed, 'done', 'missed', 'sending', 'held').sort((a, b) => endOf(b) - endOf(a)),
    done: among(timed, 'done', 'sending', 'held').length,
    all: timed.length,
  }
}
