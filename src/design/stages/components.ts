/** Models of a stage's components and of the actions after a submission (docs/forms.md, "Components"). */
import { renameCodes } from '#design/dataTypes/expressions'
import { translationsOf } from '#design/translations/model'
import * as t from '#wire/schema'

export const operators = ['exists', 'equal', 'notequal', 'more', 'less'] as const
export type Operator = (typeof operators)[number]

/** Shows a component depending on another field's answer. For a Likert, `statement` is the key of the row to test. */
export const Condition = t.shape('Condition', {
  dataType: t.id(),
  operator: t.oneOf(...operators),
  value: t.maybe(t.anything()),
  statement: t.maybe(t.orNull(t.text(1, 100))),
})
export type Condition = t.ValueOf<typeof Condition>

export const ScoringRule = t.shape('ScoringRule', {
  id: t.text(1, 100),
  points: t.number(-1_000_000, 1_000_000),
  operator: t.oneOf(...operators),
  value: t.maybe(t.anything()),
})
export type ScoringRule = t.ValueOf<typeof ScoringRule>

/** A rule on the answer to a field. A blank answer, and an expression without a value, break no rule. */
export const Constraint = t.shape({
  expression: t.withDescription('True for a fitting answer, in the language of calculations.', t.text(1, 2000)),
  message: t.maybe(t.orNull(t.text(0, 1000))),
  isSoft: t.withDescription('Raises a query instead of refusing the answer.', t.maybe(t.flag())),
  translations: translationsOf('ConstraintTexts', { message: t.text(0, 1000) }),
})
export type Constraint = t.ValueOf<typeof Constraint>

/** The component with the codes of fields replaced in its constraint. @param codes the new ones, by the old in lower case */
export function withRenamedCodes<C extends { constraint?: Constraint | null }>(
  component: C,
  codes: ReadonlyMap<string, string>,
): C {
  const { constraint } = component
  if (!constraint) return component
  return { ...component, constraint: { ...constraint, expression: renameCodes(constraint.expression, codes) } }
}

const builtIns = ['title', 'sectionDivider', 'scheduledNotification'] as const

const componentTexts = {
  title: t.text(1, 2000),
  description: t.text(0, 5000),
  notificationTitle: t.text(0, 200),
  notificationBody: t.text(0, 1000),
}

const Video = t.shape({
  name: t.text(0, 200),
  fileName: t.text(1, 500),
  translations: translationsOf('VideoTexts', { name: t.text(0, 200) }),
})

export const Component = t.shape('Component', {
  id: t.withDescription('Unique within the stage. Keep it when you change the stage.', t.text(1, 100)),
  type: t.maybe(t.orNull(t.withDescription('For built-in components; a field has none.', t.oneOf(...builtIns)))),
  dataType: t.maybe(t.orNull(t.id('The data type, for a field.'))),
  title: componentTexts.title,
  description: t.maybe(t.orNull(componentTexts.description)),
  isRequired: t.maybe(t.flag()),
  isHidden: t.withDescription('Not asked of participants; only staff can answer it.', t.maybe(t.flag())),
  condition: t.maybe(t.orNull(Condition)),
  constraint: t.maybe(t.orNull(Constraint)),
  scoringRules: t.maybe(t.orNull(t.list(ScoringRule, 200))),
  video: t.maybe(t.orNull(Video)),
  notificationTitle: t.maybe(t.orNull(componentTexts.notificationTitle)),
  notificationBody: t.maybe(t.orNull(componentTexts.notificationBody)),
  notificationDelay: t.maybe(t.orNull(t.withDescription('Minutes after submission.', t.whole(0, 525_600)))),
  translations: translationsOf('ComponentTexts', componentTexts),
})
export type Component = t.ValueOf<typeof Component>

const scoreOperators = ['equal', 'notequal', 'more', 'less'] as const

const ScoreCondition = t.shape('ScoreCondition', {
  id: t.text(1, 100),
  operator: t.oneOf(...scoreOperators),
  scoreThreshold: t.number(),
})

const SubmitAction = t.shape('SubmitAction', {
  id: t.text(1, 100),
  type: t.oneOf('showMessage', 'notifyTeam', 'messageParticipant'),
  message: t.maybe(t.orNull(t.text(0, 3000))),
  translations: translationsOf('SubmitActionTexts', { message: t.text(0, 3000) }),
})
export type SubmitAction = t.ValueOf<typeof SubmitAction>

/** How important a message to the person who submits is: an urgent one covers the screen until it is read. */
const Severity = t.oneOf('normal', 'urgent')
export type Severity = t.ValueOf<typeof Severity>

/** A message that is shown to the person who submits. */
export const RuleMessage = t.shape('RuleMessage', {
  id: t.withDescription('Of the rule and its action; unique within the stage.', t.text(1, 200)),
  severity: Severity,
  message: t.text(1, 3000),
})
export type RuleMessage = t.ValueOf<typeof RuleMessage>

/** The messages of a rule, and when they are shown. */
export const MessageRule = t.shape('MessageRule', {
  conditions: t.list(ScoreCondition, 20),
  messages: t.list(RuleMessage, 20),
})
export type MessageRule = t.ValueOf<typeof MessageRule>

/** What happens on submission when all its conditions hold for the score. */
export const OnSubmitRule = t.shape('OnSubmitRule', {
  id: t.text(1, 100),
  severity: t.maybe(
    t.withDescription(
      'Of what `showMessage` shows: `urgent` covers the screen until it was read. Default: `normal`.',
      Severity,
    ),
  ),
  conditions: t.list(ScoreCondition, 20),
  actions: t.list(SubmitAction, 20),
})
export type OnSubmitRule = t.ValueOf<typeof OnSubmitRule>
