/** The page of a form: `/app/stages/<occurrence>`. It is loaded when the first form is opened. */

import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useCopy } from '#web/app/device/copies'
import { type OpenDraft, openDraft } from '#web/app/device/drafts'
import type { EntryProblem, Said } from '#web/app/device/model'
import { entries, reopen } from '#web/app/device/queue'
import { person } from '#web/app/device/session'
import { keepGroup } from '#web/app/device/worker'
import { useNow } from '#web/app/now'
import { useSpeaker } from '#web/app/speaking'
import { studyText } from '#web/common/studyText'
import { Button, Dialog, EmptyState, Notice, Skeleton } from '#web/ui/components'
import { After } from './after'
import type { SentEntry } from './fate'
import { hasPattern } from './hasPattern'
import { type FormTexts, textsFor } from './problems'
import { Ending, Shut } from './shut'
import { type StageDetail, toldAnswers } from './stage'
import { isShutIn, standingOf } from './standing'
import { useEngine } from './useEngine'
import { FormView } from './view'

/** The frame of a page: its heading and its content. */
type Frame = ComponentType<{ title: string; isOfStudy?: boolean; children: ComponentChildren }>

/** Milliseconds that somebody who corrects answers waits for the form as it is now. */
const PATIENCE = 3_000

type Props = {
  occurrence: string
  /** The person takes part no more. */
  hasLeft: boolean
  onRefused(problem: EntryProblem): void
  frame: Frame
}

export function FormPage({ occurrence, hasLeft, onRefused, frame: Frame }: Props) {
  const speaker = useSpeaker()
  const { say } = speaker
  const path = `/participants/trials/${person.value?.trial}/stages/${occurrence}`
  const { value: stage, fault, status, refresh } = useCopy<StageDetail>(path)
  const [form, setForm] = useState<StageDetail>()
  const [draft, setDraft] = useState<OpenDraft>()
  const [texts, setTexts] = useState<FormTexts>()
  const [sent, setSent] = useState<{ became: SentEntry; said: Said }>()
  const [round, setRound] = useState(0)
  const [problem, setProblem] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const isTouched = useRef(false)
  const engine = useEngine(form)
  const now = useNow()

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
  }, [stage, round])
  useEffect(() => {
    if (stage && hasPattern(stage)) void keepGroup('patterns')
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
    // The entry becomes the draft of this form, which must not be open meanwhile.
    draft?.close()
    if (entry) await reopen(entry.id)
    // The form may have changed, and that be the reason of the refusal.
    await Promise.race([refresh(), new Promise((resolve) => setTimeout(resolve, PATIENCE))])
    again()
  }
  if (sent) {
    return (
      <Frame title={form?.name ?? ''} isOfStudy>
        <After {...sent} texts={texts} zone={form?.zone ?? 'UTC'} onMend={mend} onRefused={onRefused} />
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
      <Frame title={form?.name ?? ''} isOfStudy>
        <Notice kind="fault" title={say('form.noRoom')} isLive />
      </Frame>
    )
  }
  if (form && engine === 'lost') {
    return (
      <Frame title={form.name} isOfStudy>
        <EmptyState icon="warning" title={say('app.notLoaded')} note={say('app.notLoadedNote')}>
          <Button onPress={() => location.reload()}>{say('app.again')}</Button>
        </EmptyState>
      </Frame>
    )
  }
  if (!form || !draft || !texts || engine === 'loading') return <Skeleton lines={6} />
  const kept = draft.draft
  const hasChanged = kept !== undefined && kept.version !== form.version
  const standing = standingOf(form, { status, hasLeft, now })
  // Who has begun in time may send what they have.
  const isShut = isShutIn(standing) && !isTouched.current && (kept === undefined || standing === 'left')
  const isReview = isShut && standing === 'ended' && Object.keys(toldAnswers(form)).length > 0
  if (isShut && !isReview) {
    return (
      <Frame title={form.name} isOfStudy>
        <Shut standing={standing} form={form} />
      </Frame>
    )
  }
  return (
    <Frame title={form.name} isOfStudy>
      {form.description && (
        <p class="lead" {...studyText(form.description)}>
          {form.description}
        </p>
      )}
      <Ending standing={standing} form={form} isReview={isReview} />
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
        key={`${round} ${form.version}`}
        stage={form}
        draft={draft}
        kept={kept}
        texts={texts}
        isReview={isReview}
        onTouched={() => {
          isTouched.current = true
        }}
        onSent={(became, said) => setSent({ became, said })}
      />
    </Frame>
  )
}
