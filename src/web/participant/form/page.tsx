/** The page of a form: `/app/stages/<occurrence>`. It is loaded when the first form is opened. */

import type { ComponentChildren, ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { FormDraft } from '#web/form/answers/draft'
import type { EntryProblem, SubmissionFeedback } from '#web/form/answers/model'
import { type LoadedTexts, textsFor } from '#web/form/fillTexts'
import { FormView, NotLoaded } from '#web/form/formView'
import { hasPattern } from '#web/form/hasPattern'
import { knownAnswers, type StageDetail } from '#web/form/stage'
import { useEngine } from '#web/form/useEngine'
import type { AnswerOf } from '#web/kit/api/operations'
import { studyText } from '#web/kit/language/studyText'
import { useNow } from '#web/kit/page/useNow'
import { Button, Dialog, EmptyState, Notice, Skeleton } from '#web/kit/ui/components'
import { useCopy } from '#web/participant/device/copies'
import { openDraft } from '#web/participant/device/drafts'
import { entries, reopen } from '#web/participant/device/queue'
import { person } from '#web/participant/device/session'
import { keepGroup } from '#web/participant/device/worker'
import { useTranslator } from '#web/participant/texts'
import { ClosedForm, FormStatusNotice } from './closedForm'
import type { EntryResult } from './entryResult'
import { formStatusOf, isClosedStatus } from './formStatus'
import { SubmissionPage } from './submissionPage'

/** The frame of a page: its heading and its content. */
type Frame = ComponentType<{ title: string; isOfStudy?: boolean; children: ComponentChildren }>

/** Milliseconds that somebody who corrects answers waits for the form as it is now. */
const REFRESH_TIMEOUT = 3_000

type Props = {
  occurrence: string
  /** The person takes part no more. */
  hasLeft: boolean
  onRefused(problem: EntryProblem): void
  frame: Frame
}

export function FormPage({ occurrence, hasLeft, onRefused, frame: Frame }: Props) {
  const translator = useTranslator()
  const { t } = translator
  const path = `/participants/trials/${person.value?.trial}/stages/${occurrence}`
  const { value: stage, fault, status, refresh } = useCopy<AnswerOf<'openStage'>>(path)
  const [form, setForm] = useState<StageDetail>()
  const [draft, setDraft] = useState<FormDraft>()
  const [texts, setTexts] = useState<LoadedTexts>()
  const [sent, setSent] = useState<{ result: EntryResult; feedback: SubmissionFeedback }>()
  const [round, setRound] = useState(0)
  const [problem, setProblem] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const isTouched = useRef(false)
  const engine = useEngine(form)
  const now = useNow()

  useEffect(() => {
    void textsFor(translator).then(setTexts)
  }, [translator])
  useEffect(() => {
    let open: FormDraft | undefined
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
  function reopenDraft(): void {
    draft?.close()
    setDraft(undefined)
    setSent(undefined)
    setRound((before) => before + 1)
  }
  async function correctEntry(): Promise<void> {
    const entry = entries.value.findLast((each) => each.occurrence === occurrence && each.state === 'refused')
    // The entry becomes the draft of this form, which must not be open meanwhile.
    draft?.close()
    if (entry) await reopen(entry.id)
    // The form may have changed, and that be the reason of the refusal.
    await Promise.race([refresh(), new Promise((resolve) => setTimeout(resolve, REFRESH_TIMEOUT))])
    reopenDraft()
  }
  if (sent) {
    return (
      <Frame title={form?.name ?? ''} isOfStudy>
        <SubmissionPage
          {...sent}
          texts={texts}
          zone={form?.zone ?? 'UTC'}
          onCorrect={correctEntry}
          onRefused={onRefused}
        />
      </Frame>
    )
  }
  if (!form && fault !== undefined) {
    const isGone = status === 404 || status === 403
    return (
      <Frame title={t(isGone ? 'form.gone' : 'form.notHere')}>
        <EmptyState
          icon="info"
          title={t(isGone ? 'form.goneNote' : 'form.notHereNote')}
          note={status === 403 ? fault : ''}
        >
          <div class="actions">
            <Button onPress={() => void refresh()}>{t('form.tryAgain')}</Button>
            <a class="button" href="/app/">
              {t('form.toStart')}
            </a>
          </div>
        </EmptyState>
      </Frame>
    )
  }
  if (problem) {
    return (
      <Frame title={form?.name ?? ''} isOfStudy>
        <Notice kind="fault" title={t('form.noRoom')} isLive />
      </Frame>
    )
  }
  if (form && engine === 'lost') {
    return (
      <Frame title={form.name} isOfStudy>
        <NotLoaded />
      </Frame>
    )
  }
  if (!form || !draft || !texts || engine === 'loading') return <Skeleton lines={6} />
  const kept = draft.kept
  const hasChanged = kept !== undefined && kept.version !== form.version
  const formStatus = formStatusOf(form, { status, hasLeft, now })
  // Who has begun in time may send what they have.
  const isShut = isClosedStatus(formStatus) && !isTouched.current && (kept === undefined || formStatus === 'left')
  const isReview = isShut && formStatus === 'ended' && Object.keys(knownAnswers(form)).length > 0
  if (isShut && !isReview) {
    return (
      <Frame title={form.name} isOfStudy>
        <ClosedForm status={formStatus} form={form} />
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
      <FormStatusNotice status={formStatus} form={form} isReview={isReview} />
      {kept && !draft.isReadOnly && (
        <Notice kind="info" title={t(hasChanged ? 'form.changed' : 'form.kept')}>
          <Button onPress={() => setAsking(true)}>{t('form.afresh')}</Button>
        </Notice>
      )}
      {isAsking && (
        <Dialog
          title={t('form.afreshTitle')}
          action={{
            label: t('form.afresh'),
            kind: 'danger',
            onPress: () => {
              setAsking(false)
              void draft.discard().then(reopenDraft)
            },
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t('form.afreshNote')}</p>
        </Dialog>
      )}
      <FormView
        key={`${round} ${form.version}`}
        stage={form}
        draft={draft}
        texts={texts}
        isReview={isReview}
        onTouched={() => {
          isTouched.current = true
        }}
        onSent={(result, feedback) => setSent({ result, feedback })}
      />
    </Frame>
  )
}
