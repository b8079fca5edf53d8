/** A form that somebody fills in. It takes its data by props, so that it serves links too. */
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerTexts } from '#texts/answers/en'
import type { OpenDraft } from '#web/app/device/drafts'
import type { Draft, Sent } from '#web/app/device/model'
import { useSpeaker } from '#web/app/speaking'
import { Button, Notice, Progress } from '#web/ui/components'
import { Around, type Filling, useFilling } from './filling'
import { sentenceOf } from './problems'
import { controlOf, Heading, Question } from './question'
import { isAsked, type StageDetail } from './stage'

type Props = {
  stage: StageDetail
  draft: OpenDraft
  kept: Draft | undefined
  texts: AnswerTexts
  /** The first change of an answer. */
  onTouched: () => void
  onSent: (sent: Sent) => void
}

/** Moves the focus to the question. */
function focusOn(dataType: string): void {
  const control = document.getElementById(controlOf(dataType))
  control?.focus()
  control?.closest('.question')?.scrollIntoView({ block: 'start' })
}

export function FormView({ stage, draft, kept, texts, onTouched, onSent }: Props) {
  const { say } = useSpeaker()
  const [screen, setScreen] = useState(stage.oneQuestionPerScreen ? (kept?.screen ?? 0) : 0)
  const filling = useFilling(stage, draft, kept?.answers ?? {}, screen, onTouched)
  const [isBusy, setBusy] = useState(false)
  const [isTried, setTried] = useState(false)
  const summary = useRef<HTMLElement>(null)
  const [isUnkept, setUnkept] = useState(false)
  // While the answers are on their way, nothing changes: it would be neither in them nor lost.
  const isReadOnly = draft.isReadOnly || isBusy
  const { shown, faults } = filling
  const screens = stage.oneQuestionPerScreen ? screensOf(filling) : [shown]
  const at = Math.min(screen, screens.length - 1)
  const isLast = at >= screens.length - 1

  async function send(): Promise<void> {
    if (faults.length) {
      filling.tellAll()
      setTried(true)
      setTimeout(() => summary.current?.focus())
      return
    }
    setBusy(true)
    setUnkept(false)
    try {
      filling.keepSendable()
      onSent(await draft.send(stage.name))
    } catch {
      setUnkept(true)
    } finally {
      setBusy(false)
    }
  }

  /** To another screen; forward only past answers without problems. */
  function turn(to: number): void {
    const here = (screens[at] ?? []).flatMap(({ dataType }) => dataType ?? [])
    const open = to > at ? here.filter((dataType) => faults.includes(dataType)) : []
    for (const dataType of here) filling.leave(dataType)
    const [first] = open
    if (first === undefined) {
      setScreen(to)
      filling.keepScreen(to)
    } else focusOn(first)
  }
  const isFirst = useRef(true)
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    const [next] = (screens[at] ?? []).flatMap(({ dataType }) => dataType ?? [])
    if (next !== undefined) focusOn(next)
    else document.getElementById('page')?.focus()
  }, [at])

  const questions = shown.filter(isAsked).filter(({ type }) => type.format !== 'calculation')
  const asked = questions.length
  const answered = questions.filter(({ dataType }) => filling.result.values[dataType] !== undefined).length
  const told = faults.filter((dataType) => filling.isTold(dataType))
  return (
    <Around value={{ zone: stage.zone, draft, isReadOnly }}>
      {draft.isReadOnly && <Notice kind="warning" title={say('form.elsewhere')} />}
      {isUnkept && <Notice kind="fault" title={say('form.noRoom')} isLive />}
      {stage.showProgressBar && asked > 0 && (
        <Progress
          label={say('form.progress')}
          share={stage.oneQuestionPerScreen ? at / screens.length : answered / asked}
          note={stage.oneQuestionPerScreen ? `${at + 1} / ${screens.length}` : `${answered} / ${asked}`}
        />
      )}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy && !isReadOnly) void (isLast ? send() : turn(at + 1))
        }}
      >
        {isTried && told.length > 0 && (
          <section class="notice fault summary" ref={summary} tabIndex={-1} aria-labelledby="faults">
            <h2 id="faults">{say('form.faults')}</h2>
            <ul>
              {told.map((dataType) => (
                <li key={dataType}>
                  <a
                    href={`#${controlOf(dataType)}`}
                    onClick={(event) => {
                      event.preventDefault()
                      const place = screens.findIndex((each) => each.some((one) => one.dataType === dataType))
                      if (place !== at && place >= 0) setScreen(place)
                      setTimeout(() => focusOn(dataType))
                    }}
                  >
                    {textOf(filling, dataType, texts)}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )}
        <Questions filling={filling} components={screens[at] ?? []} texts={texts} isReadOnly={isReadOnly} />
        {!draft.isReadOnly && (
          <div class="actions">
            {at > 0 && <Button onPress={() => turn(at - 1)}>{say('form.back')}</Button>}
            <Button kind="main" type="submit" isBusy={isBusy}>
              {say(isLast ? 'form.send' : 'form.next')}
            </Button>
          </div>
        )}
      </form>
    </Around>
  )
}

const textOf = ({ result }: Filling, dataType: string, texts: AnswerTexts): string => {
  const problem = result.problems[dataType]
  return problem ? sentenceOf(problem, texts) : ''
}

/** One question each; headings go with the question after them. */
function screensOf({ shown }: Filling): Filling['shown'][] {
  const screens: Filling['shown'][] = []
  let open: Filling['shown'][number][] = []
  for (const component of shown) {
    open.push(component)
    if (!isAsked(component) || component.type.format === 'calculation') continue
    screens.push(open)
    open = []
  }
  if (open.length) screens.push(open)
  return screens.length ? screens : [[]]
}

type QuestionsProps = { filling: Filling; components: Filling['shown']; texts: AnswerTexts; isReadOnly: boolean }

type Drawn = { on: readonly unknown[]; node: VNode }

/** The questions. One whose answer and problem are as they were is not drawn again: a keystroke redraws its own only. */
function Questions({ filling, components, texts, isReadOnly }: QuestionsProps) {
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
        const fault = filling.isTold(dataType) ? textOf(filling, dataType, texts) : undefined
        const isKnown = !isCalculated && stage.answered.includes(dataType) && value === undefined
        const on = [value, fault, isReadOnly, isKnown, component, texts]
        const before = drawn.current.get(id)
        if (before?.on.every((each, at) => Object.is(each, on[at]))) return before.node
        const node = (
          <Question
            key={id}
            component={component}
            value={value}
            fault={fault}
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
