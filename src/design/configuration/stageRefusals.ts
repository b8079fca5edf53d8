/** What keeps a stage from being saved or deleted (docs/timelines.md, "Openings"). */

import type { Db } from '#db/open'
import { groups, sites } from '#db/tables/index'
import { dependantsOf, timelineProblems } from '#design/schedule/problems'
import { occurrencesOf } from '#design/schedule/rules'
import { componentsProblems, type FieldTypes } from '#design/stages/checks'
import { countResponses, placesOf, type StageRow } from '#design/stages/store'
import type { Id } from '#kernel/id'
import { type FieldProblems, refuse } from '#kernel/problem'
import { usableFile } from '#storage/store'
import type { Configuration } from './configuration'
import { type Hidden, SEEING } from './hidden'

export type Saving = {
  db: Db
  configuration: Configuration
  /** The trial's data types, with those that come along with the stage. */
  dataTypes: FieldTypes
}

const twice = (ids: readonly string[]): string[] =>
  [...new Set(ids.filter((id, place) => ids.indexOf(id) !== place))].map((id) => `The id "${id}" occurs twice.`)

const ids = (entries: readonly { id: string }[] | null | undefined) => (entries ?? []).map(({ id }) => id)

/**
 * Refuses (403) to take the scoring from a field that is hidden from the caller: earlier scores would no longer be
 * hidden.
 */
export function refuseUnscoring(hidden: Hidden, before: StageRow, after: StageRow): void {
  const counts = (stage: StageRow, field: Id) =>
    stage.components.some(({ dataType, scoringRules }) => dataType === field && scoringRules?.length)
  const taken = after.components.some(
    ({ dataType }) => dataType && hidden(dataType) && counts(before, dataType) && !counts(after, dataType),
  )
  if (taken) throw refuse.lacking(SEEING)
}

/**
 * Refuses a stage that does not fit the trial: by field (422), or for a file that cannot be used, a circle, or another stage
 * that it breaks (400).
 */
export function refuseFaults({ db, configuration, dataTypes }: Saving, after: StageRow, before?: StageRow): void {
  const problems: FieldProblems = {}
  const report = (field: string, found: string[]) => {
    if (found.length) problems[field] = [...(problems[field] ?? []), ...found]
  }
  if (after.components !== before?.components) {
    report('components', componentsProblems(after.components, dataTypes))
    for (const { title, scoringRules } of after.components) {
      report(
        'components',
        twice(ids(scoringRules)).map((problem) => `“${title}”: scoringRules: ${problem}`),
      )
    }
  }
  report('customLinks', twice(ids(after.customLinks)))
  report('onSubmitRules', twice(ids(after.onSubmitRules)))
  report('availableToSites', strangers(db, 'site', after.trial, after.availableToSites))
  report('availableToGroups', strangers(db, 'group', after.trial, after.availableToGroups))
  const others = configuration.stageOrder.filter(({ _id }) => _id !== after._id)
  const timeline = timelineProblems([after, ...others], configuration.anchors)
  for (const { of, field, problem, isCircle } of timeline) if (of === after._id && !isCircle) report(field, [problem])
  if (Object.keys(problems).length) throw refuse.invalid(problems)
  const [broken] = timeline
  if (broken?.isCircle) throw refuse.bad(broken.problem)
  if (broken) {
    const name = [...others, ...configuration.anchors].find(({ _id }) => _id === broken.of)?.name
    throw refuse.bad(`“${name}” would no longer work. ${broken.problem}`)
  }
  refuseUnusableVideos(db, after, before)
  if (before) refuseLostOccurrences(db, before, after)
}

/** Responses of occurrences that there would no longer be could not be reached (400). */
function refuseLostOccurrences(db: Db, before: StageRow, after: StageRow): void {
  const kept = occurrencesOf(after)
  if (after.adHoc || (!before.adHoc && kept >= occurrencesOf(before))) return
  const count = countResponses(db, after._id, kept)
  if (count) throw refuse.bad(`“${before.name}” has ${responsesText(count)} in occurrences that would no longer exist.`)
}

const responsesText = (count: number) => `${count} response${count === 1 ? '' : 's'}`

function strangers(db: Db, noun: 'site' | 'group', trial: Id, named: readonly Id[] | null): string[] {
  if (!named?.length) return []
  const known = placesOf(db, noun === 'site' ? sites : groups, trial)
  return named.filter((id) => !known.has(id)).map((id) => `There is no ${noun} ${id} in the trial.`)
}

const videosOf = (stage: StageRow | undefined) => (stage?.components ?? []).flatMap(({ video }) => video ?? [])

/** A video must have been uploaded for this trial; one that the stage had already is not asked again. */
function refuseUnusableVideos(db: Db, after: StageRow, before: StageRow | undefined): void {
  const had = new Set(videosOf(before).map(({ fileName }) => fileName))
  for (const { name, fileName } of videosOf(after)) {
    if (had.has(fileName) || usableFile(db, fileName, 'trial', after.trial)) continue
    throw refuse.bad(`The video “${name}” is not a finished upload for this trial.`)
  }
}

/** Refuses to delete stages that others wait for, or that hold responses (400). */
export function refuseInUse(db: Db, configuration: Configuration, stages: readonly StageRow[]): void {
  const going = new Set(stages.map(({ _id }) => _id))
  const staying = configuration.stageOrder.filter(({ _id }) => !going.has(_id))
  for (const { _id, name } of stages) {
    const dependants = dependantsOf(_id, staying, configuration.anchors)
    if (dependants.length) throw refuse.needed(name, dependants)
    const count = countResponses(db, _id)
    if (count) throw refuse.bad(`“${name}” has ${responsesText(count)}, which would be lost.`)
  }
}
