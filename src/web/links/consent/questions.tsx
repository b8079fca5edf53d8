/** Questions of understanding, with another try. */

import { useState } from 'preact/hooks'
import { studyText } from '#web/kit/language/studyText'
import { Button, Choice, Notice } from '#web/kit/ui/components'
import type { QuizResult } from './requests'
import { StepActions } from './stepActions'
import { useTranslator } from './translator'
import { useFaults } from './useFaults'
import type { Flow } from './useFlow'

export function Questions({ flow }: { flow: Flow }) {
  const { t } = useTranslator()
  const { session, ask, update, next, handleFailure, go } = flow
  const { quiz } = session.sheet
  const { form, faults, setFaults, clearOnInput } = useFaults()
  const [isBusy, setBusy] = useState(false)
  const [result, setResult] = useState<QuizResult>()
  const [problem, setProblem] = useState<string>()
  const isDone = session.hasPassedQuiz

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (isDone) return next()
    if (isBusy || !form.current) return
    const data = new FormData(form.current)
    const answers = quiz.map((_, at) => data.get(`question-${at}`))
    const open = answers.map((answer, at) => [`question-${at}`, answer === null ? t('consent.choose') : undefined])
    setProblem(undefined)
    setFaults(Object.fromEntries(open))
    if (answers.includes(null)) return
    setBusy(true)
    const answer = await ask.answerQuiz(answers.map(Number))
    setBusy(false)
    if (!answer.isDone) return setProblem(handleFailure(answer))
    const { hasPassed, results } = answer.body
    setResult(answer.body)
    if (hasPassed) return update({ hasPassedQuiz: true })
    const wrong = results.map(({ isRight }, at) => [`question-${at}`, isRight ? undefined : t('consent.wrong')])
    setFaults(Object.fromEntries(wrong))
  }
  return (
    <form ref={form} noValidate onInput={clearOnInput} onSubmit={(event) => void submit(event)}>
      <p class="lead">{t('consent.questionsLead')}</p>
      {!isDone && (
        <div class="actions look-up">
          <Button onPress={() => go('information')}>{t('consent.lookUp')}</Button>
        </div>
      )}
      {(!isDone || result) &&
        quiz.map(({ question, options }, at) => (
          <section class="card" key={at}>
            <Choice
              label={`${at + 1}. ${question}`}
              name={`question-${at}`}
              isOfStudy="all"
              fault={faults[`question-${at}`]}
              options={options.map((label, value) => ({ value: `${value}`, label, isDisabled: isDone }))}
            />
            <Explanation result={result?.results[at]} />
          </section>
        ))}
      {result && !result.hasPassed && (
        <Notice kind="warning" title={t('consent.wrongSome')} isLive>
          {t('consent.wrongSomeNote')}
        </Notice>
      )}
      {isDone && <Notice kind="success" title={t('consent.allRight')} isLive />}
      {problem && <Notice kind="fault" title={problem} isLive />}
      <StepActions flow={flow} label={t(isDone ? 'consent.next' : 'consent.check')} isBusy={isBusy} />
    </form>
  )
}

function Explanation({ result }: { result: QuizResult['results'][number] | undefined }) {
  const { t } = useTranslator()
  if (!result || (!result.isRight && !result.explanation)) return null
  return (
    <Notice kind={result.isRight ? 'success' : 'info'}>
      {result.isRight && <p class="notice-title">{t('consent.right')}</p>}
      {result.explanation && (
        <p class="lines-kept" {...studyText(result.explanation)}>
          {result.explanation}
        </p>
      )}
    </Notice>
  )
}
