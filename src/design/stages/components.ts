/** Models of a stage's components and of the actions after a submission (docs/forms.md, "Components"). */
import { renameCodes } from '#design/dataTypes/expressions'
import { translationsOf } from '#design/translations/model'
import {
  anything,
  flag,
  id,
  list,
  maybe,
  number,
  oneOf,
  orNull,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

export const operators = ['exists', 'equal', 'notequal', 'more', 'less'] as const
export type Operator = (typeof operators)[number]

/** Shows a component depending on another field's answer. For a Likert, `statement` is the key of the row to test. */
export const Condition = shape('Condition', {
  dataType: id(),
  operator: oneOf(...operators),
  value: maybe(anything()),
  statement: maybe(orNull(text(1, 100))),
})
export type Condition = ValueOf<typeof Condition>

export const ScoringRule = shape('ScoringRule', {
  id: text(1, 100),
  points: number(-1_000_000, 1_000_000),
  operator: oneOf(...operators),
  value: maybe(anything()),
})
export type ScoringRule = ValueOf<typeof ScoringRule>

/** A rule on the answer to a field. A blank answer, and an expression without a value, break no rule. */
export const Constraint = shape({
  expression: withDescription('True for a fitting answer, in the language of calculations.', text(1, 2000)),
  message: maybe(orNull(text(0, 1000))),
  isSoft: withDescription('Raises a query instead of refusing the answer.', maybe(flag())),
  translations: translationsOf('ConstraintTexts', { message: text(0, 1000) }),
})
export type Constraint = ValueOf<typeof Constraint>

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
  title: text(1, 2000),
  description: text(0, 5000),
  notificationTitle: text(0, 200),
  notificationBody: text(0, 1000),
}

const Video = shape({
  name: text(0, 200),
  fileName: text(1, 500),
  translations: translationsOf('VideoTexts', { name: text(0, 200) }),
})

export const Component = shape('Component', {
  id: withDescription('Unique within the stage. Keep it when you change the stage.', text(1, 100)),
  type: maybe(orNull(withDescription('For built-in components; a field has none.', oneOf(...builtIns)))),
  dataType: maybe(orNull(id('The data type, for a field.'))),
  title: componentTexts.title,
  description: maybe(orNull(componentTexts.description)),
  isRequired: maybe(flag()),
  isHidden: withDescription('Not asked of participants; only staff can answer it.', maybe(flag())),
  condition: maybe(orNull(Condition)),
  constraint: maybe(orNull(Constraint)),
  scoringRules: maybe(orNull(list(ScoringRule, 200))),
  video: maybe(orNull(Video)),
  notificationTitle: maybe(orNull(componentTexts.notificationTitle)),
  notificationBody: maybe(orNull(componentTexts.notificationBody)),
  notificationDelay: maybe(orNull(withDescription('Minutes after submission.', whole(0, 525_600)))),
  translations: translationsOf('ComponentTexts', componentTexts),
})
export type Component = ValueOf<typeof Component>

const scoreOperators = ['equal', 'notequal', 'more', 'less'] as const

const ScoreCondition = shape('ScoreCondition', {
  id: text(1, 100),
  operator: oneOf(...scoreOperators),
  scoreThreshold: number(),
})

const SubmitAction = shape('SubmitAction', {
  id: text(1, 100),
  type: oneOf('showMessage', 'notifyTeam', 'messageParticipant'),
  message: maybe(orNull(text(0, 3000))),
  translations: translationsOf('SubmitActionTexts', { message: text(0, 3000) }),
})
export type SubmitAction = ValueOf<typeof SubmitAction>

/** How important a message to the person who submits is: an urgent one covers the screen until it is read. */
export const Severity = oneOf('normal', 'urgent')
export type Severity = ValueOf<typeof Severity>

/** A message that is shown to the person who submits. */
export const RuleMessage = shape('RuleMessage', {
  id: withDescription('Of the rule and its action; unique within the stage.', text(1, 200)),
  severity: Severity,
  message: text(1, 3000),
})
export type RuleMessage = ValueOf<typeof RuleMessage>

/** The messages of a rule, and when they are shown. */
export const MessageRule = shape('MessageRule', {
  conditions: list(ScoreCondition, 20),
  messages: list(RuleMessage, 20),
})
export type MessageRule = ValueOf<typeof MessageRule>

/** What happens on submission when all its conditions hold for the score. */
export const OnSubmitRule = shape('OnSubmitRule', {
  id: text(1, 100),
  severity: maybe(
    withDescription(
      'Of what `showMessage` shows: `urgent` covers the screen until it was read. Default: `normal`.',
      Severity,
    ),
  ),
  conditions: list(ScoreCondition, 20),
  actions: list(SubmitAction, 20),
})
export type OnSubmitRule = ValueOf<typeof OnSubmitRule>
