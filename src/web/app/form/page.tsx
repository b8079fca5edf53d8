/** The page of a form: `/app/stages/<occurrence>`. It is loaded when the first form is opened. */
import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerTexts } from '#texts/answers/en'
import { useCopy } from '#web/app/device/copies'
import { type OpenDraft, openDraft } from '#web/app/device/drafts'
import type { Sent } from '#web/app/device/model'
import { entries, reopen } from '#web/app/device/queue'
import { person } from '#web/app/device/session'
import { useSpeaker } from '#web/app/speaking'
import { Button, Dialog, EmptyState, Notice, Skeleton } from '#web/ui/components'
import { refusalNote, textsFor } from './problems'
import { Faults } from './refusal'
import type { StageDetail } from './stage'
import { useEngine } from './useEngine'
import { FormView } from './view'

/** The frame of a page: its heading and its content. */
type Frame = ComponentType<{ title: string; children: ComponentChildren }>

export function FormPage({ occurrence, frame: Frame }: { occurrence: string; frame: Frame }) {
  const speaker = useSpeaker()
  const { say } = speaker
  const path = `/participants/trials/${person.value?.trial}/stages/${occurrence}`
  const { value: stage, fault, status, refresh } = useCopy<StageDetail>(path)
  const [form, setForm] = useState<StageDetail>()
  const [draft, setDraft] = useState<OpenDraft>()
  const [texts, setTexts] = useState<AnswerTexts>()
  const [sent, setSent] = useState<Sent>()
  const [round, setRound] = useState(0)
  const [problem, setProblem] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const isTouched = useRef(false)
  const engine = useEngine(form)

  useEffect(() => {
    void textsFor(speaker).then(setTexts)
  }, [speaker])
  useEffect(() => {
    let open: OpenDraft | undefined
    let isOver = false
    isTouched.current = false
    openDraft(occurrence).then(
      (opened) => {
        if (isOver) return opened.close()
        open = opened
        setDraft(opened)
      },
      () => setProblem(true),
    )
    return () => {
      isOver = true
      open?.close()
    }
  }, [occurrence, round])
  // The form does not change below the hands of somebody who fills it in; until then what the server says counts.
  useEffect(() => {
    if (stage) setForm((before) => (before && isTouched.current ? before : stage))
  }, [stage])

  /** Opens the draft again, as it is now on the device. */
  function again(): void {
    draft?.close()
    setDraft(undefined)
    setSent(undefined)
    setRound((before) => before + 1)
  }
  async function mend(): Promise<void> {
    const entry = entries.value.findLast((each) => each.occurrence === occurrence && each.state === 'refused')
    if (entry) await reopen(entry.id)
    again()
  }
  if (sent) {
    return (
      <Frame title={form?.name ?? ''}>
        <After sent={sent} texts={texts} zone={form?.zone ?? 'UTC'} onMend={() => void mend()} />
      </Frame>
    )
  }
  if (!form && fault !== undefined) {
    const isGone = status === 404 || status === 403
    return (
      <Frame title={say(isGone ? 'form.gone' : 'form.notHere')}>
        <EmptyState
          icon="info"
          title={say(isGone ? 'form.goneNote' : 'form.notHereNote')}
          note={status === 403 ? fault : ''}
        >
          <div class="actions">
            <Button onPress={() => void refresh()}>{say('form.tryAgain')}</Button>
            <a class="button" href="/app/">
              {say('form.toStart')}
            </a>
          </div>
        </EmptyState>
      </Frame>
    )
  }
  if (problem) {
    return (
      <Frame title={form?.name ?? ''}>
        <Notice kind="fault" title={say('form.noRoom')} isLive />
      </Frame>
    )
  }
  if (form && engine === 'lost') {
    return (
      <Frame title={form.name}>
        <EmptyState icon="warning" title={say('app.notLoaded')} note={say('app.notLoadedNote')}>
          <Button onPress={() => location.reload()}>{say('app.again')}</Button>
        </EmptyState>
      </Frame>
    )
  }
  if (!form || !draft || !texts || engine === 'loading') return <Skeleton lines={6} />
  const kept = draft.draft
  const hasChanged = kept !== undefined && kept.version !== form.version
  return (
    <Frame title={form.name}>
      {form.description && (
        <p class="lead">
          <bdi>{form.description}</bdi>
        </p>
      )}
      {kept && !draft.isReadOnly && (
        <Notice kind="info" title={say(hasChanged ? 'form.changed' : 'form.kept')}>
          <Button onPress={() => setAsking(true)}>{say('form.afresh')}</Button>
        </Notice>
      )}
      {isAsking && (
        <Dialog
          title={say('form.afreshTitle')}
          action={{
            label: say('form.afresh'),
            kind: 'danger',
            onPress: () => {
              setAsking(false)
              void draft.discard().then(again)
            },
          }}
          onClose={() => setAsking(false)}
        >
          <p>{say('form.afreshNote')}</p>
        </Dialog>
      )}
      <FormView
        key={round}
        stage={form}
        draft={draft}
        kept={kept}
        texts={texts}
        onTouched={() => {
          isTouched.current = true
        }}
        onSent={setSent}
      />
    </Frame>
  )
}

/** What became of the answers. */
function After({
  sent,
  texts,
  zone,
  onMend,
}: {
  sent: Sent
  texts: AnswerTexts | undefined
  zone: string
  onMend: () => void
}) {
  const speaker = useSpeaker()
  const { say } = speaker
  const section = useRef<HTMLElement>(null)
  // The button that was pressed is gone.
  useEffect(() => section.current?.focus(), [])
  const isToMend = sent.kind === 'refused' && Object.keys(sent.problem.fields).length > 0
  const home = (
    <a class={isToMend ? 'button' : 'button main'} href="/app/">
      {say('form.toStart')}
    </a>
  )
  if (sent.kind === 'stored') {
    return (
      <section role="status" ref={section} tabIndex={-1}>
        <EmptyState icon="success" title={say('form.stored')}>
          {sent.postSubmissionText && (
            <p dir="auto" class="after-text">
              {sent.postSubmissionText}
            </p>
          )}
          {sent.messages.map((message) => (
            <p dir="auto" class="notice info" key={message}>
              {message}
            </p>
          ))}
          {home}
        </EmptyState>
      </section>
    )
  }
  if (sent.kind === 'waiting') {
    return (
      <section role="status" ref={section} tabIndex={-1}>
        <EmptyState icon="inbox" title={say('form.waiting')} note={say('form.waitingNote')}>
          {home}
        </EmptyState>
      </section>
    )
  }
  return (
    <section role="alert" ref={section} tabIndex={-1}>
      <EmptyState icon="warning" title={say('form.refused')} note={refusalNote(sent.problem, speaker)}>
        {texts && <Faults fields={sent.problem.fields} zone={zone} texts={texts} />}
        <p>{say('form.refusedNote')}</p>
        <div class="actions">
          {isToMend && (
            <Button kind="main" onPress={onMend}>
              {say('form.mend')}
            </Button>
          )}
          {home}
        </div>
      </EmptyState>
    </section>
  )
}
