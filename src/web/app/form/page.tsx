/** The page of a form: `/app/stages/<occurrence>`. It is loaded when the first form is opened. */
import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { AnswerTexts } from '#texts/answers/en'
import { useCopy } from '#web/app/device/copies'
import { type OpenDraft, openDraft } from '#web/app/device/drafts'
import type { Sent } from '#web/app/device/model'
import { entries, reopen } from '#web/app/device/queue'
import { person } from '#web/app/device/session'
import { useSpeaker } from '#web/app/speaking'
import { Button, EmptyState, Notice, Skeleton } from '#web/ui/components'
import { problemTexts } from './problems'
import type { StageDetail } from './stage'
import { FormView } from './view'

/** Older browsers have no Temporal, which the engine computes days with. */
if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')

/** The frame of a page: its heading and its content. */
type Frame = ComponentType<{ title: string; children: ComponentChildren }>

export function FormPage({ occurrence, frame: Frame }: { occurrence: string; frame: Frame }) {
  const { say, language } = useSpeaker()
  const path = `/participants/trials/${person.value?.trial}/stages/${encodeURIComponent(occurrence)}`
  const { value: stage, fault, status, refresh } = useCopy<StageDetail>(path)
  const [form, setForm] = useState<StageDetail>()
  const [draft, setDraft] = useState<OpenDraft>()
  const [texts, setTexts] = useState<AnswerTexts>()
  const [sent, setSent] = useState<Sent>()
  const [round, setRound] = useState(0)

  useEffect(() => void problemTexts(language).then(setTexts), [language])
  useEffect(() => {
    let open: OpenDraft | undefined
    let isOver = false
    void openDraft(occurrence).then((opened) => {
      if (isOver) return opened.close()
      open = opened
      setDraft(opened)
    })
    return () => {
      isOver = true
      open?.close()
    }
  }, [occurrence, round])
  // The form does not change below the hands of somebody who fills it in: the first one that is known is taken.
  useEffect(() => {
    if (stage) setForm((before) => before ?? stage)
  }, [stage])

  async function mend(): Promise<void> {
    const entry = entries.value.findLast((each) => each.occurrence === occurrence && each.state !== 'waiting')
    draft?.close()
    if (entry) await reopen(entry.id)
    setDraft(undefined)
    setSent(undefined)
    setRound((before) => before + 1)
  }
  if (sent) {
    return (
      <Frame title={form?.name ?? ''}>
        <After sent={sent} onMend={() => void mend()} />
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
      {kept && (
        <Notice kind="info" title={say(hasChanged ? 'form.changed' : 'form.kept')}>
          <Button
            onPress={() => {
              void draft.discard().then(() => {
                draft.close()
                setDraft(undefined)
                setRound((before) => before + 1)
              })
            }}
          >
            {say('form.afresh')}
          </Button>
        </Notice>
      )}
      <FormView
        key={round}
        stage={form}
        draft={draft}
        kept={kept && { ...kept, answers: fitting(form, kept.answers) }}
        texts={texts}
        onSent={setSent}
      />
    </Frame>
  )
}

/** The answers of a draft to questions that the form still has. The others stay in the draft until it is sent. */
const fitting = <T,>({ components }: StageDetail, answers: Readonly<Record<string, T>>): Record<string, T> => {
  const asked = new Set(components.map(({ dataType }) => dataType))
  return Object.fromEntries(Object.entries(answers).filter(([dataType]) => asked.has(dataType)))
}

/** What became of the answers. */
function After({ sent, onMend }: { sent: Sent; onMend: () => void }) {
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
        <p>{say('form.refusedNote')}</p>
        <div class="actions">
          <Button onPress={onMend}>{say('form.mend')}</Button>
          {home}
        </div>
      </EmptyState>
    </section>
  )
}
