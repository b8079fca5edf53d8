/** Refusals when a stage is saved or deleted (docs/timelines.md, "Openings"). */

import type { Db } from '#db/open'
import { groups, sites } from '#db/tables/index'
import { type HiddenFieldTest, SEE_ALL_ANSWERS } from '#design/hiddenFields/hiddenFields'
import { timelineProblems } from '#design/schedule/problems'
import { occurrencesOf } from '#design/schedule/rules'
import { componentsProblems, ofComponent } from '#design/stages/componentChecks'
import { pollProblems } from '#design/stages/polls'
import type { FieldTypes } from '#design/stages/references'
import { countResponses, placesOf, type StageRow } from '#design/stages/store'
import { languageProblems } from '#design/translations/rules'
import { stageTexts } from '#design/translations/textKinds'
import { languagesOf } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { type FieldProblems, refuse } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'
import { usableFile } from '#storage/store'
import type { Configuration } from './configuration'
import { formKeyProblems, refuseOfferedStage } from './consentFormStore'
import { refuseReferenced } from './dependants'
import { refuseRandomised } from './randomisedStore'

type StageSaveContext = {
  db: Db
  configuration: Configuration
  /** The trial's data types, and the new ones that are saved with the stage. */
  dataTypes: FieldTypes
}

const duplicateProblems = (ids: readonly string[]): Reason[] =>
  [...new Set(ids.filter((id, place) => ids.indexOf(id) !== place))].map((value) => reason('idTwice', { value }))

/** A browser takes these at the end of an address as steps to another place: no link with them would open the poll. */
const linkProblems = (ids: readonly string[]): Reason[] =>
  ids.filter((id) => id === '.' || id === '..').map((id) => reason('idInLink', { id }))

const ids = (entries: readonly { id: string }[] | null | undefined) => (entries ?? []).map(({ id }) => id)

/**
 * Refuses (403) to remove the scoring rules of a field that is hidden from the caller: earlier scores, computed from it,
 * would no longer be hidden.
 */
export function refuseRemovedScoring(hidden: HiddenFieldTest, before: StageRow, after: StageRow): void {
  const counts = (stage: StageRow, field: Id) =>
    stage.components.some(({ dataType, scoringRules }) => dataType === field && scoringRules?.length)
  const losesScoring = after.components.some(
    ({ dataType }) => dataType && hidden(dataType) && counts(before, dataType) && !counts(after, dataType),
  )
  if (losesScoring) throw refuse.missingPermission(SEE_ALL_ANSWERS)
}

/**
 * Refuses a stage that does not fit the trial: with problems by field (422), or for an unusable file, a circle, or another
 * stage that would no longer work (400).
 */
export function refuseInvalidStage(
  { db, configuration, dataTypes }: StageSaveContext,
  after: StageRow,
  before?: StageRow,
): void {
  const problems: FieldProblems = {}
  const report = (field: string, found: readonly Reason[]) => {
    if (found.length) problems[field] = [...(problems[field] ?? []), ...found]
  }
  if (after.components !== before?.components) {
    report('components', componentsProblems(after.components, dataTypes))
    for (const { title, scoringRules } of after.components) {
      report(
        'components',
        duplicateProblems(ids(scoringRules)).map((problem) =>
          ofComponent(title, reason('ofScoringRules', { problem })),
        ),
      )
    }
  }
  if (after.isPoll && !(before?.isPoll && after.components === before.components))
    report('components', pollProblems(after.components, dataTypes))
  report('translations', languageProblems(after, before, stageTexts, languagesOf(db, after.trial)))
  report('customLinks', duplicateProblems(ids(after.customLinks)))
  report('requiresConsent', consentProblems(db, after))
  if (after.customLinks !== before?.customLinks) report('customLinks', linkProblems(ids(after.customLinks)))
  report('onSubmitRules', duplicateProblems(ids(after.onSubmitRules)))
  report('availableToSites', unknownPlaces(db, 'site', after.trial, after.availableToSites))
  report('availableToGroups', unknownPlaces(db, 'group', after.trial, after.availableToGroups))
  const others = configuration.stageOrder.filter(({ _id }) => _id !== after._id)
  const timeline = timelineProblems([after, ...others], configuration.anchors)
  for (const { of, field, problem, isCircle } of timeline) if (of === after._id && !isCircle) report(field, [problem])
  if (Object.keys(problems).length) throw refuse.invalid(problems)
  const [broken] = timeline
  if (broken?.isCircle) throw refuse.bad(broken.problem)
  if (broken) {
    const { name = '' } = [...others, ...configuration.anchors].find(({ _id }) => _id === broken.of) ?? {}
    throw refuse.bad('wouldNotWork', { name, problem: broken.problem })
  }
  refuseUnusableVideos(db, after, before)
  if (before) refuseLostOccurrences(db, before, after)
}

/** A poll is anonymous: the consent of a person who answers cannot be looked up. */
const consentProblems = (db: Db, { trial, isPoll, requiresConsent }: StageRow): Reason[] =>
  isPoll && requiresConsent.length ? [reason('pollRequiresConsent')] : formKeyProblems(db, trial, requiresConsent)

/** Refuses (400) to remove occurrences that have responses: these could no longer be opened. */
function refuseLostOccurrences(db: Db, before: StageRow, after: StageRow): void {
  const occurrenceCount = occurrencesOf(after)
  if (after.adHoc || (!before.adHoc && occurrenceCount >= occurrencesOf(before))) return
  const count = countResponses(db, after._id, occurrenceCount)
  if (count) throw refuse.bad('occurrencesHaveResponses', { name: before.name, count })
}

function unknownPlaces(db: Db, noun: 'site' | 'group', trial: Id, named: readonly Id[] | null): Reason[] {
  if (!named?.length) return []
  const existing = placesOf(db, noun === 'site' ? sites : groups, trial)
  return named
    .filter((id) => !existing.has(id))
    .map((id) => reason(noun === 'site' ? 'noSiteOfTrial' : 'noGroupOfTrial', { id }))
}

const videosOf = (stage: StageRow | undefined) => (stage?.components ?? []).flatMap(({ video }) => video ?? [])

/** Refuses (400) a video that was not uploaded for this trial. Videos that the stage had already are not checked again. */
function refuseUnusableVideos(db: Db, after: StageRow, before: StageRow | undefined): void {
  const earlier = new Set(videosOf(before).map(({ fileName }) => fileName))
  for (const { name, fileName } of videosOf(after)) {
    if (earlier.has(fileName) || usableFile(db, fileName, 'trial', after.trial)) continue
    throw refuse.bad('videoNotUploaded', { name })
  }
}

/** Refuses (400) to delete stages that have responses, or that other stages or anchors wait for. */
export function refuseInUse(db: Db, configuration: Configuration, stages: readonly StageRow[]): void {
  const deletedIds = new Set(stages.map(({ _id }) => _id))
  const remaining = configuration.stageOrder.filter(({ _id }) => !deletedIds.has(_id))
  for (const stage of stages) {
    refuseReferenced({ stageOrder: remaining, anchors: configuration.anchors }, stage)
    refuseRandomised(db, stage)
    refuseOfferedStage(db, stage)
    const count = countResponses(db, stage._id)
    if (count) throw refuse.bad('stageHasResponses', { name: stage.name, count })
  }
}
