/** Determines what each stage waits for, after all stages are read. */

import { MOST_DAYS, MOST_OCCURRENCES } from '#design/schedule/problems'
import { cut } from '#kernel/text'
import type { GeneratedStage } from './plan'
import type { ReadStage } from './stage'

const BEGINNING = /\b(?:baseline|randomi[sz]ation|enrol?ment|inclusion)\b|^(?:visit|v)\s*1\b/i

const dayOf = ({ schedules }: ReadStage) => schedules.find(({ day }) => day !== undefined)?.day
const isPlain = ({ schedules }: ReadStage) => !schedules.some(({ settings }) => settings.adHoc || settings.isRecurring)

/** The settings of each stage; a note is added for what could not be determined. */
export function stageSettings(stages: readonly ReadStage[], notes: string[]): Partial<GeneratedStage>[] {
  const plain = stages.filter(isPlain)
  const start =
    plain.find((stage) => dayOf(stage) === 0 || dayOf(stage) === 1) ??
    plain.find((stage) => BEGINNING.test(stage.name) && (dayOf(stage) ?? 0) <= 1)
  const startDay = start ? (dayOf(start) ?? 0) : 0

  function waitConditionOf(stage: ReadStage): GeneratedStage['waits'] | undefined {
    const day = dayOf(stage)
    if (day === undefined || day === startDay || stage === start) return undefined
    if (day < startDay) {
      notes.push(`“${stage.name}”: day ${day} lies before the study begins; it opens at registration.`)
      return undefined
    }
    if (day - startDay > MOST_DAYS) {
      notes.push(`“${stage.name}”: a delay of ${day - startDay} days is not possible.`)
      return undefined
    }
    if (start && start.name.toLowerCase() === stage.name.toLowerCase()) {
      notes.push(`“${stage.name}” would wait for another of the same name; it opens at registration.`)
      return undefined
    }
    if (start) return { for: cut(start.name, 100).trim(), delay: day - startDay }
    notes.push(`“${stage.name}” is counted from “Day 0”, which is a date to be set for each participant.`)
    return { for: 'Day 0', delay: day }
  }

  return stages.map((stage) => {
    const { name, schedules } = stage
    const settings: Partial<GeneratedStage> = Object.assign({}, ...schedules.toReversed().map((each) => each.settings))
    for (const schedule of schedules) notes.push(...schedule.notes.map((each) => `“${name}”: ${each}`))
    limitRecurrence(name, settings, notes)
    const wait = settings.adHoc ? undefined : waitConditionOf(stage)
    return { ...settings, ...(wait ? { waits: wait } : {}) }
  })
}

/** Adds an end to a recurrence without one, and removes an invalid one; a note is added for both. */
function limitRecurrence(name: string, settings: Partial<GeneratedStage>, notes: string[]): void {
  if (!settings.isRecurring) return
  const every = settings.recurringFrequency ?? 0
  if (settings.recurringDuration === undefined) {
    const count = every === 1 ? 28 : 12
    settings.recurringDuration = count * every
    notes.push(`“${name}”: It is not said for how long it goes on; ${count} times were taken.`)
  }
  const during = settings.recurringDuration!
  const isPossible =
    every >= 1 && during >= 1 && Math.max(every, during) <= MOST_DAYS && during / every <= MOST_OCCURRENCES
  if (isPossible) return
  notes.push(`“${name}”: every ${every} days for ${during} days is not possible; it occurs once.`)
  for (const field of ['isRecurring', 'recurringFrequency', 'recurringDuration'] as const) delete settings[field]
}
