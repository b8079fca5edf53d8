/** Stages and inputs for tests of timelines: a test gives the fields that matter, the others have simple values. */
import { nextReminder, type Reminder } from '#design/schedule/reminders'
import type { CompiledTimeline, TimelineInput, TimelineStage } from '#design/schedule/rules'
import { type Instant, instantText, parseInstant } from '#kernel/time'

/** The instant of a literal. */
export function at(text: string): Instant {
  const moment = parseInstant(text)
  if (moment === undefined) throw new Error(`"${text}" is no moment`)
  return moment
}

/** A moment as the tables write it: without seconds if they are zero. */
export const short = (moment: Instant | null | undefined) =>
  moment == null ? '-' : instantText(moment).replace('.000000Z', 'Z').replace(/:00Z$/, 'Z')

/** An `_id` from a short name in hexadecimal letters. */
export const idOf = (name: string) => name.padEnd(24, '0')

export const aStage = (settings: Partial<TimelineStage> = {}): TimelineStage => ({
  _id: idOf('a'),
  name: 'Form',
  description: null,
  index: 0,
  enabled: true,
  adHoc: false,
  isPoll: false,
  isRecurring: false,
  recurringFrequency: null,
  recurringDuration: null,
  recurrenceNames: null,
  enableAfter: null,
  enableAtTime: null,
  availabilityWindowHours: null,
  exemptFromBehindStatus: false,
  behindCutoffTime: null,
  isAnchored: false,
  anchorSchedule: null,
  availableToSites: null,
  availableToGroups: null,
  ...settings,
})

export const daily = (days: number, settings: Partial<TimelineStage> = {}): TimelineStage =>
  aStage({ isRecurring: true, recurringFrequency: 1, recurringDuration: days, ...settings })

export const anInput = (settings: Partial<TimelineInput> = {}): TimelineInput => ({
  now: at('2026-03-01T12:00Z'),
  zone: 'UTC',
  registeredAt: at('2026-03-01T10:00Z'),
  sites: [],
  groups: [],
  anchors: new Map(),
  completions: new Map(),
  overrides: [],
  ...settings,
})

/** The key under which a sent message is recorded: the occurrence and the occasion. */
export const reminderKey = ({ stage, stageRecurrence, occasion }: Reminder) =>
  `${stage}::${stageRecurrence} ${occasion}`

/** The reminders of a trial that sends no notices. */
export const reminded = (compiled: CompiledTimeline, input: TimelineInput, sent: ReadonlySet<string>) =>
  nextReminder(compiled, input, { notices: false, isSent: (each) => sent.has(reminderKey(each)) })

/** The reminders and notices of a trial. */
export const noticed = (compiled: CompiledTimeline, input: TimelineInput, sent: ReadonlySet<string>) =>
  nextReminder(compiled, input, { notices: true, isSent: (each) => sent.has(reminderKey(each)) })
