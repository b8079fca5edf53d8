/** A stage as a participant opens it (docs/participants.md, "What participants see"). */
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import { isSensitive } from '#design/configuration/hidden'
import { DataType } from '#design/dataTypes/model'
import type { Component } from '#design/stages/components'
import { Condition } from '#design/stages/components'
import type { Id } from '#kernel/id'
import {
  anything,
  flag,
  id,
  instant,
  list,
  maybe,
  type Of,
  orNull,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/words'
import { byDataType } from './layout'
import { layoutById, responsesOfStage, valuesOf } from './store'

/** A data type without the note for the study team. */
const { annotation: _, ...shownFields } = DataType.properties
const ShownType = shape('ShownDataType', shownFields)

const EarlierAnswer = shape('EarlierAnswer', { value: anything(), createdAt: instant(), stageRecurrence: whole(0) })
type EarlierAnswer = Of<typeof EarlierAnswer>

const ShownComponent = shape('ShownComponent', {
  id: text(1, 100),
  title: text(1, 2000),
  description: maybe(orNull(text(0, 5000))),
  isRequired: maybe(flag()),
  isHidden: withDescription('Set for a calculation that is not to be shown: a condition names it.', maybe(flag())),
  condition: maybe(orNull(Condition)),
  video: maybe(orNull(shape({ name: text(0, 200), url: text(1, 2000) }))),
  builtInType: withDescription('For a component that takes no answer.', maybe(text(1, 50))),
  dataType: withDescription('The `_id` of the data type: the key of the answer in a submission.', maybe(id())),
  type: withDescription('The data type, with its options, scale and limits.', maybe(ShownType)),
  previousResponses: withDescription(
    'The participant’s earlier answers, newest first, if look-back is on; none of restricted and PII fields.',
    maybe(list(EarlierAnswer)),
  ),
})
type Shown = Of<typeof ShownComponent>

export const StageDetail = shape('StageDetail', {
  _id: text(24, 40),
  stage: id(),
  stageRecurrence: orNull(whole(0)),
  name: text(0, 1000),
  description: text(0, 10_000),
  enabled: flag(),
  completed: flag(),
  completedAt: orNull(instant()),
  enableAt: orNull(instant()),
  expiresAt: maybe(orNull(instant())),
  expired: flag(),
  adHoc: flag(),
  allowIncompleteSubmission: flag(),
  oneQuestionPerScreen: flag(),
  showProgressBar: flag(),
  postSubmissionText: orNull(text(0, 3000)),
  components: list(ShownComponent, 10_000),
})

/** Earlier answers by data type, newest first, at most ten of each. Restricted and PII answers are left out. */
function lookBack(db: Db, config: Configuration, participant: Id, stage: Id): Map<Id, EarlierAnswer[]> {
  const previous = new Map<Id, EarlierAnswer[]>()
  for (const row of responsesOfStage(db, participant, stage)) {
    const answers = byDataType(layoutById(db, row.layout), valuesOf(row))
    for (const [dataType, value] of Object.entries(answers)) {
      if (isSensitive(config, dataType)) continue
      const list = previous.get(dataType) ?? []
      previous.set(dataType, list)
      if (list.length < 10) list.push({ value, createdAt: row.createdAt, stageRecurrence: row.stageRecurrence })
    }
  }
  return previous
}

/**
 * The components of a stage as a participant sees them, without scoring rules, scheduled notifications, constraints and hidden
 * fields; but with a hidden calculation that a condition names, so that the condition can be evaluated.
 * @param previousOf the participant whose earlier answers are shown, if any
 */
export function shownComponents(
  db: Db,
  config: Configuration,
  stage: { _id: Id; components: readonly Component[] },
  previousOf: { participant: Id } | undefined,
  videoUrl: (storedName: string, name: string) => string,
): Shown[] {
  const previous = previousOf && lookBack(db, config, previousOf.participant, stage._id)
  const named = new Set(stage.components.map((each) => (each.isHidden ? undefined : each.condition?.dataType)))
  const isTold = ({ isHidden, dataType }: Component) =>
    !isHidden || (named.has(dataType!) && config.dataTypes.get(dataType!)?.format === 'calculation')
  return stage.components.flatMap((component): Shown[] => {
    const { scoringRules: _, constraint, type, video, ...others } = component
    const { notificationTitle, notificationBody, notificationDelay, ...shown } = others
    if (type === 'scheduledNotification' || !isTold(component)) return []
    const link = video
      ? { video: { name: video.name, url: videoUrl(video.fileName, video.name) } }
      : { video: undefined }
    if (type) return [{ ...shown, ...link, dataType: undefined, builtInType: type }]
    const dataType = component.dataType!
    const earlier = previous && !component.isHidden ? { previousResponses: previous.get(dataType) ?? [] } : {}
    const { annotation, ...asked } = config.dataTypes.get(dataType)!
    return [{ ...shown, ...link, dataType, type: asked, ...earlier }]
  })
}
