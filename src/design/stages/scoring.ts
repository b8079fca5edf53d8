/** Computes scores, and the actions that follow from them on submission (docs/forms.md, "Scores"). */

import type { FieldSettings } from '#design/dataTypes/model'
import { withoutRoundingError } from '#kernel/decimal'
import type { Component, MessageRule, OnSubmitRule, RuleMessage, SubmitAction } from './components'
import { compileMatches } from './conditions'

/** The answers of a submission by data type, without hidden fields and blanks. */
export type Answers = Readonly<Record<string, unknown>>

type ScoredComponent = Pick<Component, 'dataType' | 'scoringRules'>

/** Compiles the score of a stage; undefined if no component has a scoring rule. */
export function compileScore(
  components: readonly ScoredComponent[],
  dataTypes: ReadonlyMap<string, FieldSettings>,
): ((answers: Answers, zone: string) => number) | undefined {
  const rules = components.flatMap(({ dataType, scoringRules }) => {
    const settings = dataType ? dataTypes.get(dataType) : undefined
    if (!settings) return []
    return (scoringRules ?? []).map((rule) => ({
      dataType: dataType!,
      points: rule.points,
      matches: compileMatches(rule, settings),
    }))
  })
  if (!rules.length) return undefined
  return (answers, zone) => {
    let score = 0
    for (const { dataType, points, matches } of rules) {
      const answer = answers[dataType]
      if (answer !== undefined) score += points * matches(answer, zone)
    }
    return withoutRoundingError(score)
  }
}

const holds: Record<OnSubmitRule['conditions'][number]['operator'], (score: number, threshold: number) => boolean> = {
  equal: (score, threshold) => score === threshold,
  notequal: (score, threshold) => score !== threshold,
  more: (score, threshold) => score > threshold,
  less: (score, threshold) => score < threshold,
}

/** The actions of all rules whose conditions hold for the score. Without a score no condition holds. */
export function submitActionsFor(
  rules: readonly OnSubmitRule[] | null | undefined,
  score: number | undefined,
): SubmitAction[] {
  return rules?.filter((rule) => isMet(rule, score)).flatMap(({ actions }) => actions) ?? []
}

const isMet = ({ conditions }: Pick<OnSubmitRule, 'conditions'>, score: number | undefined): boolean =>
  conditions.every(({ operator, scoreThreshold }) => score !== undefined && holds[operator](score, scoreThreshold))

/** The messages that rules show to the person who submits, with their ids. */
export const messageRulesOf = (rules: readonly OnSubmitRule[]): MessageRule[] =>
  rules.flatMap(({ id, severity = 'normal', conditions, actions }) => {
    // The place of the action: its own id need not be unique.
    const messages = actions.flatMap(({ type, message }, at) =>
      type === 'showMessage' && message ? [{ id: `${id}/${at}`, severity, message }] : [],
    )
    return messages.length ? [{ conditions, messages }] : []
  })

/** The messages of all rules whose conditions hold for the score, in their order. Without a score no condition holds. */
export const messagesFor = (rules: readonly MessageRule[], score: number | undefined): RuleMessage[] =>
  rules.filter((rule) => isMet(rule, score)).flatMap(({ messages }) => messages)
