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
import { problemTexts, sentenceOf } from './problems'
import type { StageDetail } from './stage'
import { FormView } from './view'

/** Older browsers have no Temporal, which the engine computes days with. */
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')

/** The frame of a page: its heading and its content. */
type Frame = ComponentType<{ title: string; children: ComponentChildren }>

export function FormPage({ occurrence, frame: Frame }: { occurrence: string; frame: Frame }) {
  const { say, language } = useSpeaker()
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

  useEffect(() => {
    // Without a connection, a language that is not on the device cannot be read: English is.
    void problemTexts(language)
      .catch(() => problemTexts('en'))
      .then(setTexts)
  }, [language])
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
        <After sent={sent} texts={texts} onMend={() => void mend()} />
      </Frame>
    )
  }
  if (!form && fault !== undefined) {
    const isGone = status === 404 || status === 403
    return (
      <Frame title={say(isGone ? 'form.gone' : 'form.notHere')}>
        <EmptyState icon="info" title={isGone ? fault : say('form.notHereNote')}>
          <Button onPress={() => void refresh()}>{say('form.tryAgain')}</Button>
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
  if (!form || !draft || !texts) return <Skeleton lines={6} />
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
function After({ sent, texts, onMend }: { sent: Sent; texts: AnswerTexts | undefined; onMend: () => void }) {
  const { say } = useSpeaker()
  const home = (
    <a class="button main" href="/app/">
      {say('form.toStart')}
    </a>
  )
  if (sent.kind === 'stored') {
    return (
      <section role="status">
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
      <section role="status">
        <EmptyState icon="inbox" title={say('form.waiting')} note={say('form.waitingNote')}>
          {home}
        </EmptyState>
      </section>
    )
  }
  return (
    <section role="alert">
      <EmptyState icon="warning" title={say('form.refused')} note={sent.problem.message}>
        {texts && (
          <ul class="refusals">
            {Object.entries(sent.problem.fields).map(([dataType, problem]) => (
              <li key={dataType}>
                <bdi>{sentenceOf(problem, texts)}</bdi>
              </li>
            ))}
          </ul>
        )}
        <p>{say('form.refusedNote')}</p>
        <div class="actions">
          {Object.keys(sent.problem.fields).length > 0 && <Button onPress={onMend}>{say('form.mend')}</Button>}
          {home}
        </div>
      </EmptyState>
    </section>
  )
}
