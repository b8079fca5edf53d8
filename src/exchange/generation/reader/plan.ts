/**
 * The plan that is generated from a description: data types and stages that refer to each other, and notes on what was
 * not understood.
 */

import { DataTypeInput } from '#design/dataTypes/model'
import { codeProblem, settingsProblems } from '#design/dataTypes/rules'
import { MOST_DAYS, timelineProblems } from '#design/schedule/problems'
import { calculationCircle, componentsProblems } from '#design/stages/componentChecks'
import { Component, Condition } from '#design/stages/components'
import type { PlannedStage, PlannedType } from '#design/stages/importPlan'
import { StageInput } from '#design/stages/model'
import { stageDefaults } from '#design/stages/store'
import { placedText, type Reason } from '#kernel/refusals/reason'
import { textFaults } from '#kernel/text'
import { checker } from '#wire/check'
import { joinShapes, list, maybe, orNull, shape, text, type ValueOf, whole, withDescription } from '#wire/schema'

const code = text(1, 32)

const { video: _video, dataType: _id, condition: _condition, ...componentFields } = Component.properties
const PlannedComponent = shape({
  ...componentFields,
  dataType: maybe(orNull(withDescription('The code of its data type, for a field.', code))),
  condition: maybe(
    orNull(shape({ ...Condition.properties, dataType: withDescription('The code of a data type.', code) })),
  ),
})

const { name, description, adHoc, isRecurring, recurringFrequency, recurringDuration, recurrenceNames } =
  StageInput.properties
const { enableAtTime, availabilityWindowHours, behindCutoffTime, postSubmissionText } = StageInput.properties

/**
 * What a stage waits for, by name: a stage of the plan or of the trial, else an anchor, which is created if the trial
 * has none.
 */
const WaitCondition = shape({
  for: text(1, 100),
  delay: maybe(withDescription('In days.', whole(-MOST_DAYS, MOST_DAYS))),
  stageRecurrence: maybe(whole(0)),
})

const GeneratedStage = shape({
  name,
  description,
  adHoc,
  isRecurring,
  recurringFrequency,
  recurringDuration,
  recurrenceNames,
  enableAtTime,
  availabilityWindowHours,
  behindCutoffTime,
  postSubmissionText,
  waits: maybe(
    orNull(
      withDescription('The stage or date after which it opens; absent if it opens at registration.', WaitCondition),
    ),
  ),
  components: list(PlannedComponent, 5000),
})

/** The model by which a plan is requested and checked. */
export const GeneratedPlan = shape({
  name: maybe(orNull(withDescription('The name of the study.', text(1, 500)))),
  stages: list(GeneratedStage, 500),
  dataTypes: list(joinShapes(DataTypeInput, shape({ code })), 10_000),
  notes: maybe(list(withDescription('What was not understood or left out.', text(1, 2000)), 10_000)),
})

export type WaitCondition = ValueOf<typeof WaitCondition>
export type GeneratedStage = Omit<PlannedStage, 'enableAfter'> & { waits?: WaitCondition | null }
export type GeneratedPlan = {
  name?: string | null
  stages: GeneratedStage[]
  dataTypes: PlannedType[]
  notes: string[]
}

const checkPlan = checker(GeneratedPlan)
const checkStage = checker(GeneratedStage)
const checkType = checker(joinShapes(DataTypeInput, shape({ code })))

/** A made-up `_id` for the n-th stage of a plan, for rules that need one. */
const idOf = (n: number) => n.toString(16).padStart(24, '0')

/** Reads a plan from an untrusted value. Returns the plan, or its problems as sentences. */
export function planIn(value: unknown): { plan: GeneratedPlan } | { problems: string[] } {
  const faults = (of: string, problems: Record<string, Reason[]> | undefined) =>
    Object.entries(problems ?? {}).flatMap(([field, found]) =>
      found.map((each) => `${of}${field}: ${placedText(each)}`),
    )
  const { stages, dataTypes } = (value ?? {}) as { stages?: unknown; dataTypes?: unknown }
  const parts = (entries: unknown, of: string, check: typeof checkPlan) =>
    Array.isArray(entries) ? entries.flatMap((each, n) => faults(`${of}[${n}].`, check(each).problems)) : []
  const inner = [...parts(dataTypes, 'dataTypes', checkType), ...parts(stages, 'stages', checkStage)]
  if (inner.length) return { problems: inner }
  const texts = textFaults(value, 5)
  if (texts.length) return { problems: texts.map(({ path, problem }) => `${path.join('.')}: ${problem.text}`) }
  const { problems } = checkPlan(value)
  if (problems) return { problems: faults('', problems) }
  const plan = { notes: [], ...(value as Partial<GeneratedPlan>) } as GeneratedPlan
  const found = planProblems(plan)
  return found.length ? { problems: found } : { plan }
}

/** The problems of a well-formed plan, by the rules for every data type, stage and timeline. */
export function planProblems({ stages, dataTypes }: GeneratedPlan): string[] {
  const problems: string[] = []
  const types = new Map<string, PlannedType>()
  for (const type of dataTypes) {
    const key = type.code.toLowerCase()
    const fault = codeProblem(type.code)
    if (fault) problems.push(`The code "${type.code}": ${fault.text}`)
    if (types.has(key)) problems.push(`The code "${type.code}" occurs twice.`)
    types.set(key, type)
    for (const [field, found] of Object.entries(settingsProblems(type))) {
      problems.push(...found.map((problem) => `The data type "${type.code}": ${field}: ${placedText(problem)}`))
    }
  }
  const circle = calculationCircle(types.values())
  if (circle) problems.push(circle.text)
  const places = new Map<string, number>()
  stages.forEach((stage, n) => {
    const key = stage.name.toLowerCase()
    if (places.has(key)) problems.push(`Two stages are called "${stage.name}".`)
    places.set(key, n)
    const inStage = componentsProblems(stage.components.map(withLowerCaseCodes), types)
    problems.push(...inStage.map((problem) => `The stage "${stage.name}": ${problem.text}`))
  })
  const rows = stages.map(({ components: _, waits, ...stage }, n) => {
    const place = waits ? places.get(waits.for.toLowerCase()) : undefined
    const { delay = 0, stageRecurrence = 0 } = waits ?? {}
    const enableAfter =
      place === undefined ? null : ({ type: 'stage', stage: idOf(place), stageRecurrence, delay } as const)
    return { ...stageDefaults, ...(stage as object), _id: idOf(n), index: n, name: stage.name, enableAfter }
  })
  for (const { of, field, problem } of timelineProblems(rows, [])) {
    problems.push(`The stage "${stages[Number.parseInt(of, 16)]!.name}": ${field}: ${problem.text}`)
  }
  return problems
}

/** The component with its codes of data types in lower case. */
export const withLowerCaseCodes = <C extends { dataType?: string | null; condition?: { dataType: string } | null }>(
  component: C,
): C => ({
  ...component,
  ...(component.dataType ? { dataType: component.dataType.toLowerCase() } : {}),
  ...(component.condition
    ? { condition: { ...component.condition, dataType: component.condition.dataType.toLowerCase() } }
    : {}),
})
