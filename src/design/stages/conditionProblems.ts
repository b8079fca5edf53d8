/** What is wrong with conditions and scoring rules, when a stage is saved (docs/forms.md, "Conditions"). */
import { reasonsOf } from '#design/dataTypes/missingReasons'
import type { FieldSettings } from '#design/dataTypes/model'
import { type Reason, reason } from '#kernel/refusals/reason'
import type { ScoringRule } from './components'
import { type ConditionTest, operatorsOf, threshold } from './conditions'

/** The problem of the operator or value of a test on a data type; undefined if there is none. */
function testProblem(test: ConditionTest, settings: FieldSettings): Reason | undefined {
  const allowed = operatorsOf[settings.format]
  if (!allowed.includes(test.operator)) {
    return reason('operatorUnfit', { operator: test.operator, format: settings.format, operators: allowed })
  }
  if (test.operator === 'exists') return undefined
  const bound = threshold(settings, test.value)
  if (bound === undefined || bound === '') return reason('valueUnfit', { format: settings.format })
  if (settings.format === 'choice' && !settings.options?.some((option) => option.label === bound)) {
    return reason('optionUnknown', { option: bound })
  }
  if (settings.format !== 'likert') return undefined
  const ordering = test.operator === 'more' || test.operator === 'less'
  if (ordering) return typeof bound === 'number' ? undefined : reason('valueNotNumber')
  return settings.scale?.some((point) => point.value === bound) ? undefined : reason('pointUnknown', { point: bound })
}

/** The problem of a condition on this data type, when a stage is saved; undefined if there is none. */
export function conditionProblem(condition: ConditionTest, settings: FieldSettings): Reason | undefined {
  const { statement } = condition
  if (settings.format === 'likert') {
    if (statement == null && condition.operator !== 'exists') return reason('statementNeeded')
    if (statement != null && !settings.statements?.some(({ key }) => key === statement)) {
      return reason('statementUnknown', { statement })
    }
  } else if (statement != null) return reason('statementWithoutLikert')
  return testProblem(condition, settings)
}

/** The problem of a scoring rule on this data type, when a stage is saved; undefined if there is none. */
export function scoringProblem(rule: ScoringRule, settings: FieldSettings): Reason | undefined {
  const [label] = Array.isArray(rule.value) ? rule.value : [rule.value]
  return rule.operator === 'equal' && reasonsOf(settings).has(label)
    ? reason('missingReasonScored', { label: String(label) })
    : testProblem(rule, settings)
}
