/** The messages after a submission that a device may compute by itself (docs/forms.md, "Messages after a submission"). */
import type { Configuration } from '#design/configuration/configuration'
import { isSensitive } from '#design/hiddenFields/hiddenFields'
import type { Component } from '#design/stages/components'
import { dataTypesByCode, referencesOf } from '#design/stages/references'
import { messageRulesOf } from '#design/stages/scoring'
import type { Id } from '#kernel/id'
import { type DeviceMessages, isVisibleIn } from './stageDetail'

type FormStage = Configuration['stages'] extends ReadonlyMap<Id, infer S> ? S : never

type Reader = {
  /** There are answers already. */
  isAmended: boolean
  /** Whether the reader knows which fields have an answer. */
  knowsAnswers: boolean
}

/** The data types on which the score depends: the fields that count, what shows them, and what they are computed from. */
function fieldsForScore(config: Configuration, components: readonly Component[]): Set<Id> {
  const codes = dataTypesByCode(components, config.dataTypes)
  const conditions = Map.groupBy(components, ({ dataType }) => dataType)
  const needs = new Set<Id>()
  const add = (dataType: Id) => {
    if (needs.has(dataType)) return
    needs.add(dataType)
    for (const { condition } of conditions.get(dataType) ?? []) if (condition) add(condition.dataType)
    for (const code of referencesOf(config.dataTypes.get(dataType))) {
      const operand = codes.get(code.toLowerCase())
      if (operand) add(operand)
    }
  }
  for (const { dataType, scoringRules } of components) if (dataType && scoringRules?.length) add(dataType)
  return needs
}

/**
 * The rules whose messages the device may compute, and by what. A rule without conditions always may. One with conditions needs the
 * score: then every field that counts must be one that the participant is asked, and everything else that decides about it must be on
 * the device; if there are answers already, it must not include restricted or PII fields, because participants must not learn whether those have an answer.
 */
export function messagesOnDevice(
  config: Configuration,
  stage: FormStage,
  { isAmended, knowsAnswers }: Reader,
): { deviceMessages?: DeviceMessages } {
  const rules = messageRulesOf(stage.onSubmitRules)
  if (!rules.length) return {}
  const { components } = stage
  const scored = components.filter(({ dataType, scoringRules }) => dataType && scoringRules?.length)
  const needs = fieldsForScore(config, components)
  const visibleFields = new Set(components.filter(isVisibleIn(config, stage)).map(({ dataType }) => dataType))
  const isUnknown = (dataType: Id) => isAmended && (!knowsAnswers || isSensitive(config, dataType))
  const canScore =
    scored.length > 0 &&
    scored.every(({ isHidden }) => !isHidden) &&
    [...needs].every((dataType) => visibleFields.has(dataType) && !isUnknown(dataType))
  const computed = canScore ? rules : rules.filter(({ conditions }) => conditions.length === 0)
  if (!computed.length) return {}
  const scoring = scored.map(({ dataType, scoringRules }) => ({ dataType: dataType!, scoringRules: scoringRules! }))
  return {
    deviceMessages: {
      rules: computed,
      scoring: canScore ? scoring : [],
      needs: canScore ? [...needs] : [],
    },
  }
}
