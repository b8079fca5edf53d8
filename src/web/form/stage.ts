/** A form as the server describes it to a participant, and what the app makes of it. */

import { compileCondition, compileForm, type Form } from '#web/form/engine/engine'

type Types = Parameters<typeof compileForm>[1]
/** The settings of a question. */
export type Settings = (Types extends ReadonlyMap<string, infer T> ? T : never) & { unit?: string | null }
type FormComponent = Parameters<typeof compileForm>[0]['components'][number]

export type EarlierAnswer = { value: unknown; createdAt: string; stageRecurrence: number }

/** A question, or a heading. */
export type Component = Pick<
  FormComponent,
  'id' | 'title' | 'description' | 'isRequired' | 'isHidden' | 'condition' | 'constraint'
> & {
  video?: { name: string; url: string } | null
  builtInType?: 'title' | 'sectionDivider'
  dataType?: string
  type?: Settings
  previousResponses?: readonly EarlierAnswer[]
}

/** A question with its data type. */
export type QuestionComponent = Component & { dataType: string; type: Settings }

/** A consent without which nothing is taken. */
export type ConsentNeeded = { formKey: string; status: 'missing' | 'outdated' | 'withdrawn'; link: string }

export type StageDetail = {
  _id: string
  stage: string
  stageRecurrence: number | null
  name: string
  description: string
  enabled: boolean
  completed: boolean
  enableAt: string | null
  expiresAt?: string | null
  expired: boolean
  adHoc: boolean
  allowIncompleteSubmission: boolean
  oneQuestionPerScreen: boolean
  showProgressBar: boolean
  zone: string
  version: string
  opened: string
  answered: readonly string[]
  /** Absent in a form that was kept on the device before there was this field. */
  added?: readonly string[] | null
  /** The consent without which nothing is taken; absent if nothing is missing. */
  consent?: ConsentNeeded
  components: readonly Component[]
  postSubmissionText?: string | null
  /** The messages that the device may compute. */
  deviceMessages?: DeviceMessages
}

type FormRules = Pick<Parameters<typeof compileForm>[0], 'messageRules'>
type DeviceMessages = {
  rules: NonNullable<FormRules['messageRules']>
  scoring: readonly { dataType: string; scoringRules: NonNullable<FormComponent['scoringRules']> }[]
  needs: readonly string[]
}

export const isQuestion = (component: Component): component is QuestionComponent =>
  component.dataType !== undefined && component.type !== undefined

export type CompiledStage = {
  form: Form
  /** Whether a heading is shown, by the answers. */
  isShown: (component: Component, values: Readonly<Record<string, unknown>>) => boolean
}

/** Compiles the form with the engine of the server. */
export function compileStage(stage: StageDetail): CompiledStage {
  const types = new Map(stage.components.filter(isQuestion).map(({ dataType, type }) => [dataType, type]))
  const { rules: messageRules = [], scoring = [] } = stage.deviceMessages ?? {}
  const scored = new Map(scoring.map(({ dataType, scoringRules }) => [dataType, scoringRules]))
  const components = stage.components.map(({ builtInType, video, type, previousResponses, ...rest }) => ({
    ...rest,
    type: builtInType ?? null,
  }))
  const { allowIncompleteSubmission } = stage
  const withScores = components.map((each) => ({ ...each, scoringRules: scored.get(each.dataType ?? '') ?? null }))
  const form = compileForm({ components: withScores, allowIncompleteSubmission, messageRules }, types)
  const tests = new Map(
    components.flatMap((component) => {
      const other = component.type && component.condition ? types.get(component.condition.dataType) : undefined
      return other && component.condition ? [[component.id, compileCondition(component.condition, other)] as const] : []
    }),
  )
  return {
    form,
    isShown: ({ id, condition }, values) => {
      if (!condition) return true
      return tests.get(id)?.(values[condition.dataType], stage.zone) ?? false
    },
  }
}

/** The stored answers of this occurrence that the server sent, if the study shows participants their earlier answers. */
export function knownAnswers({ components, stageRecurrence, completed }: StageDetail): Record<string, unknown> {
  if (!completed) return {}
  return Object.fromEntries(
    components.filter(isQuestion).flatMap(({ dataType, previousResponses = [] }) => {
      const own = previousResponses.find((each) => each.stageRecurrence === (stageRecurrence ?? 0))
      return own ? [[dataType, own.value]] : []
    }),
  )
}
