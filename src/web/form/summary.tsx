/** The list of the questions that keep a form from being sent, above the questions. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '#web/kit/ui/components'
import { Sentence, StudyText } from '#web/kit/ui/studyText'
import { controlOf } from './question'
import { useTranslator } from './translator'

/** How many are listed before somebody asks for all: more would fill the screen of a phone. */
const FIRST = 5

export type FaultyQuestion = { dataType: string; title: string; text: string }

type Props = {
  questions: readonly FaultyQuestion[]
  /** Whether all of them only lack an answer. */
  isUnanswered: boolean
  /** Counts the attempts to send: each leads here. */
  attempt: number
  open(dataType: string): void
}

export function ProblemSummary({ questions, isUnanswered, attempt, open }: Props) {
  const { t, count } = useTranslator()
  const section = useRef<HTMLElement>(null)
  const [isWhole, setWhole] = useState(false)
  useEffect(() => {
    // A browser that scrolls to what gets the focus shows the middle of a list that is higher than the screen.
    section.current?.focus({ preventScroll: true })
    section.current?.scrollIntoView({ block: 'start' })
  }, [attempt])
  const [first] = questions
  const listed = isWhole ? questions : questions.slice(0, FIRST)
  return (
    <section class="notice fault summary" ref={section} tabIndex={-1} aria-labelledby="faults">
      <h2 id="faults">{isUnanswered ? count('form.unanswered', questions.length) : t('form.faults')}</h2>
      <ul>
        {listed.map(({ dataType, title, text }) => (
          <li key={dataType}>
            <a
              href={`#${controlOf(dataType)}`}
              onClick={(event) => {
                event.preventDefault()
                open(dataType)
              }}
            >
              {isUnanswered ? <StudyText text={title} /> : <Sentence text={text} of={title} />}
            </a>
          </li>
        ))}
      </ul>
      {questions.length > 1 && first && (
        <div class="actions">
          <Button onPress={() => open(first.dataType)}>{t('form.toFirstFault')}</Button>
          {listed.length < questions.length && (
            <Button
              onPress={() => {
                setWhole(true)
                section.current?.focus({ preventScroll: true })
              }}
            >
              {t('form.allFaults', { count: String(questions.length) })}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}
