/** A stage as a participant opens it (docs/participants.md, "What participants see"). */

import { ConsentNeeded } from '#conduct/consents/required'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import { ShownDataType } from '#design/dataTypes/participantModel'
import { isBlank } from '#design/dataTypes/values'
import { isSensitive } from '#design/hiddenFields/hiddenFields'
import type { Component } from '#design/stages/components'
import { Condition, MessageRule, ScoringRule } from '#design/stages/components'
import { TextLanguages } from '#design/translations/textLanguages'
import { type Id, sha256 } from '#kernel/id'
import { projector } from '#wire/project'
import * as t from '#wire/schema'
import { byDataType } from './layout'
import { layoutById, type ResponseRow, responsesOfStage, valuesOf } from './store'

const EarlierAnswer = t.shape('EarlierAnswer', {
  value: t.anything(),
  createdAt: t.instant(),
  stageRecurrence: t.whole(0),
})
type EarlierAnswer = t.ValueOf<typeof EarlierAnswer>

const ShownComponent = t.shape('ShownComponent', {
  id: t.text(1, 100),
  title: t.text(1, 2000),
  description: t.maybe(t.orNull(t.text(0, 5000))),
  isRequired: t.maybe(t.flag()),
  isHidden: t.withDescription(
    'Set for a calculation that is not to be shown: a condition names it.',
    t.maybe(t.flag()),
  ),
  condition: t.maybe(t.orNull(Condition)),
  video: t.maybe(t.orNull(t.shape({ name: t.text(0, 200), url: t.text(1, 2000) }))),
  builtInType: t.withDescription('For a component that takes no answer.', t.maybe(t.oneOf('title', 'sectionDivider'))),
  dataType: t.withDescription('The `_id` of the data type: the key of the answer in a submission.', t.maybe(t.id())),
  type: t.withDescription('The data type, with its options, scale and limits.', t.maybe(ShownDataType)),
  previousResponses: t.withDescription(
    'The participant’s earlier answers, newest first, if look-back is on; none of restricted and PII fields.',
    t.maybe(t.list(EarlierAnswer)),
  ),
})
type ComponentView = t.ValueOf<typeof ShownComponent>

const ScoredField = t.shape('ScoredField', { dataType: t.id(), scoringRules: t.list(ScoringRule, 200) })

/** What a device needs to say at once, also without a connection, what the server would say to the same answers. */
const DeviceMessages = t.shape('DeviceMessages', {
  rules: t.list(MessageRule, 100),
  scoring: t.withDescription('By what the score is computed; empty if no rule needs it.', t.list(ScoredField, 5000)),
  needs: t.withDescription(
    'The data types on which the score depends. Without the earlier answer to one of them a device cannot compute it.',
    t.list(t.id(), 5000),
  ),
})
export type DeviceMessages = t.ValueOf<typeof DeviceMessages>

export const StageDetail = t.shape('StageDetail', {
  _id: t.text(24, 40),
  stage: t.id(),
  stageRecurrence: t.orNull(t.whole(0)),
  name: t.text(0, 1000),
  description: t.text(0, 10_000),
  enabled: t.flag(),
  completed: t.flag(),
  completedAt: t.orNull(t.instant()),
  enableAt: t.orNull(t.instant()),
  expiresAt: t.maybe(t.orNull(t.instant())),
  expired: t.flag(),
  adHoc: t.flag(),
  allowIncompleteSubmission: t.flag(),
  oneQuestionPerScreen: t.flag(),
  showProgressBar: t.flag(),
  postSubmissionText: t.orNull(t.text(0, 3000)),
  zone: t.withDescription('The zone whose days count for the participant.', t.zone()),
  version: t.withDescription(
    'Changes with the form. Send it with the answers: a refusal then says if the form has changed since.',
    t.text(1, 100),
  ),
  opened: t.withDescription(
    'The proof that the form was opened now. Send it with answers that were given without a connection.',
    t.text(1, 200),
  ),
  answered: t.withDescription(
    'The data types that have an answer in this occurrence, so that an amendment need not ask for them; none of restricted and PII fields.',
    t.list(t.id(), 10_000),
  ),
  added: t.withDescription(
    'The data types that came into the form after this occurrence was submitted, which an amendment need not answer. Null before the first submission.',
    t.orNull(t.list(t.id(), 10_000)),
  ),
  consent: t.withDescription(
    'The consent without which nothing is taken now; absent if nothing is missing.',
    t.maybe(ConsentNeeded),
  ),
  components: t.list(ShownComponent, 10_000),
  texts: TextLanguages,
  deviceMessages: t.maybe(
    t.withDescription('The messages that a device may compute itself; absent if there are none.', DeviceMessages),
  ),
})

/** The fields of a response with an answer. Fields that participants are not asked, restricted and PII fields are left out. */
export function answeredFields(db: Db, config: Configuration, row: ResponseRow): Id[] {
  const { hidden } = config.form(row.stage)
  return Object.entries(byDataType(layoutById(db, row.layout), valuesOf(row))).flatMap(([dataType, value]) =>
    isBlank(value) || hidden.has(dataType) || isSensitive(config, dataType) ? [] : [dataType],
  )
}

type FormStage = Pick<
  Configuration['stages'] extends ReadonlyMap<Id, infer S> ? S : never,
  '_id' | 'components' | 'allowIncompleteSubmission'
>

/** Writes the components as participants read them: the version must not depend on what they do not see. */
const writeComponents = projector(t.list(ShownComponent))

/**
 * A hash of the form as participants see it. It changes if a question, its settings or its order does; not with the language
 * and not with a translation, since neither decides which answers fit.
 */
export function formVersion({ source }: Configuration, { _id }: FormStage): string {
  const stage = source.stages.get(_id)!
  const shown = visibleComponents(source, stage)
  const components = writeComponents(
    shown.map(({ video, ...component }) => component),
    { personal: () => false },
  )
  const videos = shown.map(({ video }) => video?.name ?? null)
  return sha256(JSON.stringify([components, videos, stage.allowIncompleteSubmission === true])).slice(0, 24)
}

/** Earlier answers by data type, newest first, at most ten of each. Restricted and PII answers are left out. */
function earlierAnswersOf(db: Db, config: Configuration, participant: Id, stage: Id): Map<Id, EarlierAnswer[]> {
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

/** A component as a participant sees it; `video` is the file and not yet its link. */
type ComponentWithoutLinks = Omit<ComponentView, 'video' | 'previousResponses'> & Pick<Component, 'video'>

/** Whether participants see a component: it asks them something, or a condition that they see refers to the calculation. */
export function isVisibleIn(
  config: Configuration,
  stage: Pick<FormStage, 'components'>,
): (component: Component) => boolean {
  const named = new Set(stage.components.map((each) => (each.isHidden ? undefined : each.condition?.dataType)))
  return ({ isHidden, dataType }) =>
    !isHidden || (named.has(dataType!) && config.dataTypes.get(dataType!)?.format === 'calculation')
}

/** The components of a stage that a participant sees, without what depends on the participant and the moment. */
function visibleComponents(config: Configuration, stage: Pick<FormStage, 'components'>): ComponentWithoutLinks[] {
  const isVisible = isVisibleIn(config, stage)
  return stage.components.flatMap((component): ComponentWithoutLinks[] => {
    const { scoringRules: _, constraint, type, ...others } = component
    const { notificationTitle, notificationBody, notificationDelay, ...shown } = others
    if (type === 'scheduledNotification' || !isVisible(component)) return []
    if (type) return [{ ...shown, dataType: undefined, builtInType: type }]
    const dataType = component.dataType!
    const { annotation, ...asked } = config.dataTypes.get(dataType)!
    return [{ ...shown, dataType, type: asked }]
  })
}

/**
 * The components of a stage as a participant sees them, without scoring rules, scheduled notifications, constraints and hidden
 * fields; but with a hidden calculation that a condition names, so that the condition can be evaluated.
 * @param previousOf the participant whose earlier answers are shown, if any
 */
export function shownComponents(
  db: Db,
  config: Configuration,
  stage: FormStage,
  previousOf: { participant: Id } | undefined,
  videoUrl: (storedName: string, name: string) => string,
): ComponentView[] {
  const previous = previousOf && earlierAnswersOf(db, config, previousOf.participant, stage._id)
  return visibleComponents(config, stage).map(({ video, ...component }): ComponentView => {
    const { dataType, isHidden } = component
    const link = video ? { name: video.name, url: videoUrl(video.fileName, video.name) } : undefined
    const earlier = previous && dataType && !isHidden ? { previousResponses: previous.get(dataType) ?? [] } : {}
    return { ...component, video: link, ...earlier }
  })
}
