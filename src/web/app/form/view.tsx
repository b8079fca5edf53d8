/** A form that somebody fills in. It takes its data by props, so that it serves links too. */

import { useMemo, useState } from 'preact/hooks'
import type { OpenDraft } from '#web/app/device/drafts'
import type { Draft, Said, Sent } from '#web/app/device/model'
import { useSpeaker } from '#web/app/speaking'
import { Button, Dialog, Notice, Progress } from '#web/ui/components'
import { StudyText } from '#web/ui/studyText'
import { endHalf, goOnByEnter } from './enterKey'
import { Around, useFilling } from './filling'
import { endDoublePress, usePresses } from './pressing'
import type { FormTexts } from './problems'
import { partOf, Questions, textOf } from './questions'
import { focusOn, useScreens } from './screens'
import { isAsked, type StageDetail } from './stage'
import { Summary } from './summary'
import { writtenIn } from './written'

type Props = {
  stage: StageDetail
  draft: OpenDraft
  kept: Draft | undefined
  texts: FormTexts
  /** The answers are only looked at. */
  isReview?: boolean
  /** The first change of an answer. */
  onTouched: () => void
  /** @param said what the device knew of it when it was sent */
  onSent: (sent: Sent & { entry?: string }, said: Said) => void
}

export function FormView({ stage, draft, kept, texts, isReview = false, onTouched, onSent }: Props) {
  const { say, language } = useSpeaker()
  const written = useMemo(() => writtenIn(language, stage.zone), [language, stage.zone])
  const [firstScreen] = useState(stage.oneQuestionPerScreen ? (kept?.screen ?? 0) : 0)
  const filling = useFilling(stage, draft, kept?.answers ?? {}, firstScreen, onTouched)
  const { screens, at, isLast, show, turn: turnTo } = useScreens(filling, firstScreen)
  const [isBusy, setBusy] = useState(false)
  /** How often somebody tried to send answers that have faults. */
  const [attempt, setAttempt] = useState(0)
  const [isUnkept, setUnkept] = useState(false)
  const [isAsking, setAsking] = useState(false)
  // While the answers are on their way, nothing changes: it would be neither in them nor lost.
  const isReadOnly = draft.isReadOnly || isBusy || isReview
  /** How many files are being kept on the device. */
  const [files, setFiles] = useState(0)
  const around = useMemo(() => {
    const keeping = (change: number) => setFiles((before) => before + change)
    return { zone: stage.zone, written, draft, isReadOnly, keeping }
  }, [stage.zone, written, draft, isReadOnly])
  usePresses()
  const { shown, faults } = filling

  /** @param asItIs also with required questions that have no answer, where the stage allows it */
  async function send(asItIs = false): Promise<void> {
    setAsking(false)
    if (faults.length) {
      filling.tellAll()
      const [first] = faults
      // With one question a screen, what is wrong stands beside the question: a list would say it twice.
      if (stage.oneQuestionPerScreen && first !== undefined) open(first)
      else setAttempt(attempt + 1)
      return
    }
    if (filling.blanks.length && !asItIs) {
      setAsking(true)
      return
    }
    setBusy(true)
    setUnkept(false)
    try {
      const said = filling.said()
      filling.keepSendable()
      onSent(await draft.send(stage.name, said), said)
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
    setTimeout(() => focusOn(dataType, partOf(filling, dataType)?.suffix))
  }

  /** To another screen; forward only past answers without problems. */
  function turn(to: number): void {
    const here = (screens[at] ?? []).flatMap(({ dataType }) => dataType ?? [])
    const open = to > at && !isReadOnly ? here.filter((dataType) => faults.includes(dataType)) : []
    for (const dataType of here) filling.leave(dataType)
    const [first] = open
    if (first === undefined) turnTo(to)
    else setTimeout(() => focusOn(first, partOf(filling, first)?.suffix))
  }
  const questions = shown.filter(isAsked).filter(({ type }) => type.format !== 'calculation')
  const asked = questions.length
  const answered = questions.filter(({ dataType }) => filling.result.values[dataType] !== undefined).length
  const told = faults.filter((dataType) => filling.isTold(dataType))
  const isUnanswered = told.every((dataType) => filling.result.problems[dataType]?.code === 'required')
  const titleOf = (dataType: string) => shown.find((each) => each.dataType === dataType)?.title ?? ''
  return (
    <Around value={around}>
      {draft.isReadOnly && <Notice kind="warning" title={say('form.elsewhere')} />}
      {isUnkept && <Notice kind="fault" title={say('form.noRoom')} isLive />}
      {isAsking && (
        <Dialog
          title={say('form.blanks')}
          action={{ label: say('form.sendAsItIs'), onPress: () => void send(true) }}
          onClose={() => setAsking(false)}
        >
          <p>{say('form.blanksNote')}</p>
          <ul>
            {filling.blanks.map((title, n) => (
              <li key={n}>
                <StudyText text={title} />
              </li>
            ))}
          </ul>
        </Dialog>
      )}
      {stage.showProgressBar && asked > 0 && (
        <Progress
          label={say('form.progress')}
          share={stage.oneQuestionPerScreen ? at / screens.length : answered / asked}
          note={say(
            'form.progressOf',
            stage.oneQuestionPerScreen ? { done: at + 1, all: screens.length } : { done: answered, all: asked },
          )}
        />
      )}
      <form
        noValidate
        onMouseDownCapture={(event) => isLast && at > 0 && endDoublePress(event)}
        onClickCapture={(event) => isLast && at > 0 && endDoublePress(event)}
        onKeyDown={(event) => goOnByEnter(event, isLast)}
        onSubmit={(event) => {
          event.preventDefault()
          if (files > 0 || endHalf(document.activeElement)) return
          if (isLast ? !isReadOnly : !isBusy) void (isLast ? send() : turn(at + 1))
        }}
      >
        {attempt > 0 && told.length > 0 && (
          <Summary
            questions={told.map((dataType) => ({
              dataType,
              title: titleOf(dataType),
              text: textOf(filling, dataType, texts, written),
            }))}
            isUnanswered={isUnanswered}
            attempt={attempt}
            open={open}
          />
        )}
        {(screens[at] ?? []).some((component) => isAsked(component) && component.isRequired) && (
          // Screen readers say it at each question.
          <p class="note" aria-hidden="true">
            <span class="required-mark">*</span> {say('form.required')}
          </p>
        )}
        <Questions
          filling={filling}
          components={screens[at] ?? []}
          texts={texts}
          written={written}
          isReadOnly={isReadOnly}
        />
        <div class="actions steps">
          {at > 0 && <Button onPress={() => turn(at - 1)}>{say('form.back')}</Button>}
          {!(isLast && (draft.isReadOnly || isReview)) && (
            <Button kind="main" type="submit" isBusy={isBusy || files > 0}>
              {say(isLast ? 'form.send' : 'form.next')}
            </Button>
          )}
        </div>
      </form>
    </Around>
  )
}
