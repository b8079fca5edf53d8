/** The questions of a screen, and what is wrong with each. */
import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { type FaultyPart, faultyPartOf } from './faultyPart'
import type { Filling } from './filling'
import { besideOf, type FormTexts, sentenceOf } from './problems'
import { Heading, Question } from './question'
import { isAsked } from './stage'
import type { Written } from './written'

/** What is wrong with the answer to a question; empty if nothing is. */
export const textOf = ({ result }: Filling, dataType: string, texts: FormTexts, written: Written): string => {
  const problem = result.problems[dataType]
  return problem ? sentenceOf(problem, texts, written) : ''
}

/** The part of the question in which it is. */
export function partOf(filling: Filling, dataType: string): FaultyPart | undefined {
  const problem = filling.result.problems[dataType]
  const type = filling.shown.find((each) => each.dataType === dataType)?.type
  return problem && type && faultyPartOf(problem, type, filling.valueOf(dataType))
}

type QuestionsProps = {
  filling: Filling
  components: Filling['shown']
  texts: FormTexts
  written: Written
  isReadOnly: boolean
}

type Drawn = { on: readonly unknown[]; node: VNode }

/** The questions. One whose answer and problem are as they were is not drawn again: a keystroke redraws its own only. */
export function Questions({ filling, components, texts, written, isReadOnly }: QuestionsProps) {
  const drawn = useRef(new Map<string, Drawn>())
  const latest = useRef(filling)
  latest.current = filling
  const { stage } = filling
  return (
    <>
      {components.map((component) => {
        if (!isAsked(component)) return <Heading key={component.id} component={component} />
        const { dataType, id } = component
        const isCalculated = component.type.format === 'calculation'
        const value = isCalculated ? filling.result.values[dataType] : filling.valueOf(dataType)
        const isTold = filling.isTold(dataType)
        const part = isTold ? partOf(filling, dataType) : undefined
        const problem = part?.own ?? filling.result.problems[dataType]
        const fault = isTold && problem ? besideOf(problem, texts, written, component.constraint?.message) : undefined
        const isKnown = !isCalculated && stage.answered.includes(dataType) && value === undefined
        const on = [value, fault, part?.suffix, isReadOnly, isKnown, component, texts]
        const before = drawn.current.get(id)
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
        drawn.current.set(id, { on, node })
        return node
      })}
    </>
  )
}
