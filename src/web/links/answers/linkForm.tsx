/** The form behind a link, as the app shows it, with what the server said about answers that it did not take. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { SubmissionFeedback, SubmissionResult } from '#web/form/answers/model'
import { type LoadedTexts, textsFor } from '#web/form/fillTexts'
import { FormView, NotLoaded } from '#web/form/formView'
import type { StageDetail } from '#web/form/stage'
import { useEngine } from '#web/form/useEngine'
import { createFormatter } from '#web/form/valueFormatter'
import { Boundary, Skeleton } from '#web/kit/ui/components'
import { useTranslator } from '#web/links/texts'
import { linkDraft } from './draft'
import { Refusal, UploadProgressBar } from './outcome'
import type { Answers, UploadProgress } from './pendingEntries'
import { useLeaveWarning } from './useLeaveWarning'

type Props = {
  stage: StageDetail
  sent: SubmissionResult | undefined
  /** Answers to begin with. */
  initialAnswers: Answers | undefined
  send: (answers: Answers, feedback: SubmissionFeedback) => Promise<SubmissionResult>
  progress?: UploadProgress | undefined
  children?: ComponentChildren
}

export function LinkForm({ stage, sent, initialAnswers, send, progress, children }: Props) {
  const translator = useTranslator()
  const { t, language } = translator
  const [texts, setTexts] = useState<LoadedTexts>()
  const latest = useRef(send)
  latest.current = send
  const [draft] = useState(() => linkDraft(initialAnswers, (answers, feedback) => latest.current(answers, feedback)))
  const engine = useEngine(stage)
  const [isTouched, setTouched] = useState(initialAnswers !== undefined)
  useLeaveWarning(isTouched)
  useEffect(() => {
    void textsFor(translator).then(setTexts)
  }, [translator])
  if (engine === 'lost') {
    return <NotLoaded />
  }
  if (!texts || engine === 'loading') return <Skeleton lines={6} />
  return (
    <>
      {sent?.kind === 'refused' && (
        <Refusal problem={sent.problem} texts={texts} formatValue={createFormatter(language, stage.zone)} />
      )}
      {children}
      <Boundary isPart note={t('stage.notShownNote')}>
        <FormView stage={stage} draft={draft} texts={texts} onTouched={() => setTouched(true)} onSent={() => {}} />
      </Boundary>
      <UploadProgressBar progress={progress} />
    </>
  )
}
