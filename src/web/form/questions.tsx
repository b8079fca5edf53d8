/** The questions of a screen, and what is wrong with each. */
import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { type FaultyPart, faultyPartOf } from './faultyPart'
import type { ProblemTexts } from './fillTexts'
import type { FormState } from './formState'
import { fieldProblemText, problemSentence } from './problems'
import { Heading, Question } from './question'
import { isQuestion } from './stage'
import type { ValueFormatter } from './valueFormatter'

/** What is wrong with the answer to a question; empty if nothing is. */
export const problemTextOf = (
  { result }: FormState,
  dataType: string,
  texts: ProblemTexts,
  formatValue: ValueFormatter,
): string => {
  const problem = result.problems[dataType]
  return problem ? problemSentence(problem, texts, formatValue) : ''
}

/** The part of the question in which it is. */
export function partOf(formState: FormState, dataType: string): FaultyPart | undefined {
  const problem = formState.result.problems[dataType]
  const type = formState.shown.find((each) => each.dataType === dataType)?.type
  return problem && type && faultyPartOf(problem, type, formState.valueOf(dataType))
}

type QuestionsProps = {
  formState: FormState
  components: FormState['shown']
  texts: ProblemTexts
  formatValue: ValueFormatter
  isReadOnly: boolean
}

type RenderedQuestion = { on: readonly unknown[]; node: VNode }

/** The questions. One whose answer and problem are as they were is not drawn again: a keystroke redraws its own only. */
export function Questions({ formState, components, texts, formatValue, isReadOnly }: QuestionsProps) {
  const rendered = useRef(new Map<string, RenderedQuestion>())
  const latest = useRef(formState)
  latest.current = formState
  const { stage } = formState
  return (
    <>
      {components.map((component) => {
        if (!isQuestion(component)) return <Heading key={component.id} component={component} />
        const { dataType, id } = component
        const isCalculated = component.type.format === 'calculation'
        const value = isCalculated ? formState.result.values[dataType] : formState.valueOf(dataType)
        const isProblemShown = formState.isProblemShown(dataType)
        const part = isProblemShown ? partOf(formState, dataType) : undefined
        const problem = part?.own ?? formState.result.problems[dataType]
        const fault =
          isProblemShown && problem
            ? fieldProblemText(problem, texts, formatValue, component.constraint?.message)
            : undefined
        const isKnown = !isCalculated && stage.answered.includes(dataType) && value === undefined
        const on = [value, fault, part?.suffix, isReadOnly, isKnown, component, texts]
        const before = rendered.current.get(id)
        if (before?.on.every((each, at) => Object.is(each, on[at]))) return before.node
        const node = (
          <Question
            key={id}
            component={component}
            value={value}
            fault={fault}
            faultyPart={part}
            isReadOnly={isReadOnly}
            isKnown={isKnown}
            change={(answer) => latest.current.change(dataType, answer)}
            leave={() => latest.current.leave(dataType)}
          />
        )
        rendered.current.set(id, { on, node })
        return node
      })}
    </>
  )
}
