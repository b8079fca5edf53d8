/** What each stage waits for, once all of them are known. */

import { MOST_DAYS, MOST_OCCURRENCES } from '#design/schedule/problems'
import type { GeneratedStage } from '#exchange/generation/plan'
import { cut } from '#exchange/imports/texts'
import type { Schedule } from './schedule'
import type { ReadStage } from './stage'

const BEGINNING = /\b(?:baseline|randomi[sz]ation|enrol?ment|inclusion)\b|^(?:visit|v)\s*1\b|^day\s*[01]\b/i
const words = (name: string) =>
  name
    .toLowerCase()
    .replace(/\b(?:the|form|visit completion|completion|completing)\b/g, '')
    .replace(/\s+/g, ' ')
    .trim()

/** The settings of each stage; what could not be settled is added to the notes. */
export function timed(stages: readonly ReadStage[], notes: string[]): Partial<GeneratedStage>[] {
  const dayOf = ({ schedules }: ReadStage) => schedules.find(({ day }) => day !== undefined)?.day
  const isFirst = (stage: ReadStage) => dayOf(stage) === 0 || dayOf(stage) === 1
  const isPlain = (stage: ReadStage) => !stage.schedules.some(({ settings }) => settings.adHoc || settings.isRecurring)
  const start =
    stages.find((stage) => isFirst(stage) && isPlain(stage)) ??
    stages.find(
      (stage) =>
        BEGINNING.test(stage.name) &&
        isPlain(stage) &&
        (dayOf(stage) ?? 0) <= 1 &&
        !stage.schedules.some(({ after }) => after),
    )
  const startDay = start ? (dayOf(start) ?? 0) : 0

  function waits(stage: ReadStage, schedules: readonly Schedule[]): GeneratedStage['waits'] | undefined {
    const after = schedules.find((each) => each.after)?.after
    if (after) {
      const others = stages.filter((each) => each !== stage)
      const wanted = words(after.for)
      const found =
        others.find(({ name }) => words(name) === wanted) ??
        others.find(({ name }) => words(name).split(/\W+/).includes(wanted) || words(name).startsWith(`${wanted} `))
      if (!found)
        notes.push(`“${stage.name}” waits for “${after.for}”, which is a date to be set for each participant.`)
      return { ...after, for: found?.name ?? after.for.charAt(0).toUpperCase() + after.for.slice(1) }
    }
    const day = dayOf(stage)
    if (day === undefined || stage === start) return undefined
    if (day < startDay) {
      notes.push(`“${stage.name}”: day ${day} lies before the study begins; it opens at registration.`)
      return undefined
    }
    if (day === startDay) return undefined
    if (start) return { for: start.name, delay: day - startDay }
    notes.push(`“${stage.name}” is counted from “Day 0”, which is a date to be set for each participant.`)
    return { for: 'Day 0', delay: day }
  }

  const settled = stages.map((stage) => {
    const { schedules } = stage
    const settings: Partial<GeneratedStage> = Object.assign({}, ...schedules.toReversed().map((each) => each.settings))
    if (settings.isRecurring && settings.recurringDuration === undefined) {
      const count = settings.recurringFrequency === 1 ? 28 : 12
      settings.recurringDuration = count * settings.recurringFrequency!
      notes.push(`“${stage.name}”: It is not said for how long it goes on; ${count} times were taken.`)
    }
    for (const { notes: told } of schedules) notes.push(...told.map((each) => `“${stage.name}”: ${each}`))
    soundRecurrence(stage.name, settings, notes)
    const wait = settings.adHoc ? undefined : waits(stage, schedules)
    if (wait && Math.abs(wait.delay ?? 0) > MOST_DAYS) {
      notes.push(`“${stage.name}”: a delay of ${wait.delay} days is not possible.`)
      return settings
    }
    return { ...settings, ...(wait ? { waits: { ...wait, for: cut(wait.for, 100).trim() } } : {}) }
  })
  withoutCircles(stages, settled, notes)
  return settled
}

/** A recurrence that cannot be is left out, and told. */
function soundRecurrence(name: string, settings: Partial<GeneratedStage>, notes: string[]): void {
  if (!settings.isRecurring) return
  const [every, during] = [settings.recurringFrequency ?? 0, settings.recurringDuration ?? 0]
  const isSound =
    every >= 1 && during >= 1 && Math.max(every, during) <= MOST_DAYS && during / every <= MOST_OCCURRENCES
  if (isSound) return
  notes.push(`“${name}”: every ${every} days for ${during} days is not possible; it occurs once.`)
  for (const field of ['isRecurring', 'recurringFrequency', 'recurringDuration'] as const) delete settings[field]
}

/** Of stages that wait for each other in a circle, one does not wait. */
function withoutCircles(stages: readonly ReadStage[], settled: Partial<GeneratedStage>[], notes: string[]): void {
  const places = new Map(stages.map(({ name }, n) => [name.toLowerCase(), n]).reverse() as [string, number][])
  stages.forEach((stage, first) => {
    const seen = new Set<number>()
    for (let at: number | undefined = first; at !== undefined; ) {
      if (seen.has(at)) {
        notes.push(`“${stage.name}” would wait for itself; it opens at registration.`)
        delete settled[first]!.waits
        return
      }
      seen.add(at)
      const next: string | undefined = settled[at]!.waits?.for
      at = next === undefined ? undefined : places.get(next.toLowerCase())
    }
  })
}
