/** A form that somebody fills in. It takes its data by props, so that it serves links too. */

import { useMemo, useState } from 'preact/hooks'
import type { FormDraft } from '#web/form/answers/draft'
import type { SubmissionFeedback, SubmissionResult } from '#web/form/answers/model'
import { Button, Dialog, Notice, Progress } from '#web/kit/ui/components'
import { StudyText } from '#web/kit/ui/studyText'
import { commitHalfInput, handleEnter } from './enterKey'
import type { LoadedTexts } from './fillTexts'
import { FormContext, useFormState } from './formState'
import { endDoublePress, usePresses } from './presses'
import { partOf, problemTextOf, Questions } from './questions'
import { focusOn, useScreens } from './screens'
import { isQuestion, type StageDetail } from './stage'
import { ProblemSummary } from './summary'
import { FillTranslatorProvider, useTranslator } from './translator'
import { createFormatter } from './valueFormatter'

type Props = {
  stage: StageDetail
  draft: FormDraft
  texts: LoadedTexts
  /** The answers are only looked at. */
  isReview?: boolean
  /** The first change of an answer. */
  onTouched: () => void
  /** @param feedback what the device knew of the feedback when it was sent */
  onSent: (sent: SubmissionResult & { entry?: string }, feedback: SubmissionFeedback) => void
}

/** The form, in the language of its texts. */
export const FormView = (props: Props) => (
  <FillTranslatorProvider value={props.texts.translator}>
    <Form {...props} />
  </FillTranslatorProvider>
)

function Form({ stage, draft, texts, isReview = false, onTouched, onSent }: Props) {
  const { t, language } = useTranslator()
  const formatValue = useMemo(() => createFormatter(language, stage.zone), [language, stage.zone])
  const [kept] = useState(draft.kept)
  const firstScreen = stage.oneQuestionPerScreen ? (kept?.screen ?? 0) : 0
  const formState = useFormState(stage, draft, kept?.answers ?? {}, firstScreen, onTouched)
  const { screens, at, isLast, show, turn: turnTo } = useScreens(formState, firstScreen)
  const [isBusy, setBusy] = useState(false)
  /** How often somebody tried to send answers that have faults. */
  const [attempt, setAttempt] = useState(0)
  const [isUnkept, setUnkept] = useState(false)
  const [isAsking, setAsking] = useState(false)
  // While the answers are on their way, nothing changes: it would be neither in them nor lost.
  const isReadOnly = draft.isReadOnly || isBusy || isReview
  /** How many files are being kept on the device. */
  const [files, setFiles] = useState(0)
  const formContext = useMemo(() => {
    const countPendingFiles = (change: number) => setFiles((before) => before + change)
    return { zone: stage.zone, formatValue, draft, isReadOnly, countPendingFiles }
  }, [stage.zone, formatValue, draft, isReadOnly])
  usePresses()
  const { shown, faults } = formState

  /** @param isIncompleteAllowed also with required questions that have no answer, where the stage allows it */
  async function send(isIncompleteAllowed = false): Promise<void> {
    setAsking(false)
    if (faults.length) {
      formState.showAllProblems()
      const [first] = faults
      // With one question a screen, what is wrong stands beside the question: a list would say it twice.
      if (stage.oneQuestionPerScreen && first !== undefined) open(first)
      else setAttempt(attempt + 1)
      return
    }
    if (formState.blanks.length && !isIncompleteAllowed) {
      setAsking(true)
      return
    }
    setBusy(true)
    setUnkept(false)
    try {
      const feedback = formState.feedback()
      formState.keepSendable()
      onSent(await draft.send(stage.name, feedback), feedback)
    } catch {
      setUnkept(true)
    } finally {
      setBusy(false)
    }
  }

  /** Shows a question, and moves the focus to it. */
  function open(dataType: string): void {
    const place = screens.findIndex((each) => each.some((one) => one.dataType === dataType))
    if (place !== at && place >= 0) show(place)
    setTimeout(() => focusOn(dataType, partOf(formState, dataType)?.suffix))
  }

  /** To another screen; forward only past answers without problems. */
  function turn(to: number): void {
    const here = (screens[at] ?? []).flatMap(({ dataType }) => dataType ?? [])
    const open = to > at && !isReadOnly ? here.filter((dataType) => faults.includes(dataType)) : []
    for (const dataType of here) formState.leave(dataType)
    const [first] = open
    if (first === undefined) turnTo(to)
    else setTimeout(() => focusOn(first, partOf(formState, first)?.suffix))
  }
  const questions = shown.filter(isQuestion).filter(({ type }) => type.format !== 'calculation')
  const asked = questions.length
  const answered = questions.filter(({ dataType }) => formState.result.values[dataType] !== undefined).length
  const shownFaults = faults.filter((dataType) => formState.isProblemShown(dataType))
  const isUnanswered = shownFaults.every((dataType) => formState.result.problems[dataType]?.code === 'required')
  const titleOf = (dataType: string) => shown.find((each) => each.dataType === dataType)?.title ?? ''
  return (
    <FormContext value={formContext}>
      {draft.isReadOnly && <Notice kind="warning" title={t('form.elsewhere')} />}
      {isUnkept && <Notice kind="fault" title={t('form.noRoom')} isLive />}
      {isAsking && (
        <Dialog
          title={t('form.blanks')}
          action={{ label: t('form.sendAsItIs'), onPress: () => void send(true) }}
          onClose={() => setAsking(false)}
        >
          <p>{t('form.blanksNote')}</p>
          <ul>
            {formState.blanks.map((title, n) => (
              <li key={n}>
                <StudyText text={title} />
              </li>
            ))}
          </ul>
        </Dialog>
      )}
      {stage.showProgressBar && asked > 0 && (
        <Progress
          label={t('form.progress')}
          share={stage.oneQuestionPerScreen ? at / screens.length : answered / asked}
          note={t(
            'form.progressOf',
            stage.oneQuestionPerScreen ? { done: at + 1, all: screens.length } : { done: answered, all: asked },
          )}
        />
      )}
      <form
        noValidate
        onMouseDownCapture={(event) => isLast && at > 0 && endDoublePress(event)}
        onClickCapture={(event) => isLast && at > 0 && endDoublePress(event)}
        onKeyDown={(event) => handleEnter(event, isLast)}
        onSubmit={(event) => {
          event.preventDefault()
          if (files > 0 || commitHalfInput(document.activeElement)) return
          if (isLast ? !isReadOnly : !isBusy) void (isLast ? send() : turn(at + 1))
        }}
      >
        {attempt > 0 && shownFaults.length > 0 && (
          <ProblemSummary
            questions={shownFaults.map((dataType) => ({
              dataType,
              title: titleOf(dataType),
              text: problemTextOf(formState, dataType, texts, formatValue),
            }))}
            isUnanswered={isUnanswered}
            attempt={attempt}
            open={open}
          />
        )}
        {(screens[at] ?? []).some((component) => isQuestion(component) && component.isRequired) && (
          // Screen readers say it at each question.
          <p class="note" aria-hidden="true">
            <span class="required-mark">*</span> {t('form.required')}
          </p>
        )}
        <Questions
          formState={formState}
          components={screens[at] ?? []}
          texts={texts}
          formatValue={formatValue}
          isReadOnly={isReadOnly}
        />
        <div class="actions steps">
          {at > 0 && <Button onPress={() => turn(at - 1)}>{t('form.back')}</Button>}
          {!(isLast && (draft.isReadOnly || isReview)) && (
            <Button kind="main" type="submit" isBusy={isBusy || files > 0}>
              {t(isLast ? 'form.send' : 'form.next')}
            </Button>
          )}
        </div>
      </form>
    </FormContext>
  )
}
