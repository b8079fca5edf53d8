/** Makes the components of a planned stage: titles and fields, their conditions, and the calculations that hold these. */
import type { PlannedComponent } from '#design/stages/importPlan'
import { excerptOf, pipedFieldNames } from '#documents/texts'
import { noteOf, titleOf } from './bounds'
import type { DraftItem } from './draft'
import { withExtras } from './extras'
import { annotate, type StageField } from './plannedTypes'
import { constraintOf } from './softRange'
import type { DisplayRule } from './stageConditions'
import { displayRules, type StageFields } from './stageFields'

/** @param calculations the keys of those that were added for conditions */
type Output = { components: PlannedComponent[]; calculations: Set<string> }

export function componentsOf(stage: StageFields): PlannedComponent[] {
  const shown = displayRules(stage)
  const output: Output = { components: [], calculations: new Set() }
  let headings = 0
  for (const item of stage.items) {
    const own = stage.fields.get(item)
    if (item.kind === 'field' && !own) continue
    const component = componentOf(stage, item, own, own?.key ?? `heading_${++headings}`)
    const extra = { ...item.extra?.component }
    const rule = shown.get(item)
    if (rule && 'problem' in rule)
      for (const field of ['condition', 'isHidden', 'isRequired'] as const) delete extra[field]
    if (rule) setCondition(stage, output, component, item, rule)
    output.components.push(withExtras(component, extra) as PlannedComponent)
  }
  return output.components
}

function componentOf(
  { warn, names }: StageFields,
  item: DraftItem,
  own: StageField | undefined,
  id: string,
): PlannedComponent {
  const component = {
    id,
    ...(own ? { dataType: own.key } : { type: 'title' as const }),
    title: titleOf(item, warn) || own?.type.code || 'Section',
    ...(item.note ? { description: noteOf(item, warn) } : {}),
    ...(own ? fieldProperties(own) : {}),
  }
  const references = pipedFieldNames(`${item.title} ${item.note ?? ''}`).filter((name) => names(name))
  if (references.length) warn(item.source, `Answers are not filled into texts here: ${references.join(', ')}.`)
  return component
}

/** The properties of a field component that say how it is asked. */
function fieldProperties({ field, type, isUncomputed }: StageField): Partial<PlannedComponent> {
  const isHidden = field.isHidden || isUncomputed
  const constraint = field.softRange && constraintOf(type.code, type.format, field.softRange)
  return {
    ...(field.isRequired && !isHidden ? { isRequired: true } : {}),
    ...(isHidden ? { isHidden: true } : {}),
    ...(constraint ? { constraint } : {}),
  }
}

/** Sets the condition of a component. If it takes a calculation, this is added as a component before it. */
function setCondition(
  stage: StageFields,
  output: Output,
  component: PlannedComponent,
  item: DraftItem,
  rule: DisplayRule,
): void {
  if ('condition' in rule) component.condition = rule.condition
  else if (stage.exact) return
  else if ('problem' in rule) hide(stage, component, item, rule.problem)
  else {
    const dataType = addCalculation(stage, output, component, rule.expression)
    for (const note of rule.notes) stage.warn(item.source, `In its condition, ${note}.`)
    const { code } = stage.types.byKey(dataType)!
    stage.warn(item.source, `Its condition is held by the calculation ${code}: ${conditionExcerpt(item)}`)
    component.condition = { dataType, operator: 'equal', value: 1 }
  }
}

const conditionExcerpt = ({ conditionText = '' }: DraftItem): string => excerptOf(conditionText)

/** Nobody is asked what has a condition that means nothing here. */
function hide({ types, warnUnasked }: StageFields, component: PlannedComponent, item: DraftItem, why: string): void {
  const problem = `It is not asked, as its condition cannot be used here, since ${why}: ${conditionExcerpt(item)}`
  warnUnasked(item.source, problem)
  delete component.isRequired
  component.isHidden = true
  const type = types.byKey(component.dataType ?? '')
  if (type) annotate(type, `Condition in the file: ${item.conditionText}`)
}

/** The key of the calculation that is 1 where the component is shown; added to the stage if it is not there yet. */
function addCalculation(
  { types }: StageFields,
  { components, calculations }: Output,
  component: PlannedComponent,
  expression: string,
): string {
  const key = types.ofCondition(component, expression)
  if (!calculations.has(key)) components.push({ id: key, dataType: key, title: types.byKey(key)!.name, isHidden: true })
  calculations.add(key)
  return key
}
