/** What became of the answers. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerTexts } from '#texts/answers/en'
import type { EntryProblem, SubmissionFeedback } from '#web/form/answers/model'
import { isCorrectable, isHeld } from '#web/form/answers/verdict'
import { Faults } from '#web/form/formView'
import { refusalNote } from '#web/form/problems'
import { createFormatter } from '#web/form/valueFormatter'
import { Button, EmptyState } from '#web/kit/ui/components'
import { markNoticesRead, notices } from '#web/participant/device/notices'
import { useTranslator } from '#web/participant/texts'
import { FormMessages } from '../../form/formMessages'
import { type EntryResult, useEntryResult } from './entryResult'

type Props = {
  result: EntryResult
  /** What the device knew when it was sent. */
  feedback: SubmissionFeedback
  texts: AnswerTexts | undefined
  zone: string
  onCorrect: () => Promise<void>
  onRefused(problem: EntryProblem): void
}

export function SubmissionPage({ result, feedback, texts, zone, onCorrect, onRefused }: Props) {
  const translator = useTranslator()
  const { t } = translator
  const section = useRef<HTMLElement>(null)
  const [isBusy, setBusy] = useState(false)
  const sent = useEntryResult(result)
  const about = notices.value.filter(({ entry }) => entry === result.entry)
  const latest = useRef(about)
  latest.current = about
  // The button that was pressed is gone.
  useEffect(() => section.current?.focus(), [])
  // Who goes on has seen what stands here; an urgent message was confirmed before.
  useEffect(() => () => void markNoticesRead(latest.current.filter(({ severity }) => severity === 'normal')), [])
  const problem = sent.kind === 'refused' ? sent.problem : undefined
  useEffect(() => {
    if (problem) onRefused(problem)
  }, [problem])
  const isToCorrect = problem !== undefined && isCorrectable(problem)
  const home = (
    <a class={isToCorrect ? 'button' : 'button main'} href="/app/">
      {t('form.toStart')}
    </a>
  )
  const messageList = (
    <FormMessages text={(sent.kind === 'stored' ? sent.postSubmissionText : null) ?? feedback.text} messages={about} />
  )
  if (sent.kind !== 'refused') {
    const isStored = sent.kind === 'stored'
    return (
      <section role="status" ref={section} tabIndex={-1}>
        <EmptyState
          icon={isStored ? 'success' : 'inbox'}
          title={t(isStored ? 'form.stored' : 'form.waiting')}
          note={isStored ? '' : t('form.waitingNote')}
        >
          {messageList}
          {home}
        </EmptyState>
      </section>
    )
  }
  return (
    <section role="alert" ref={section} tabIndex={-1}>
      <EmptyState
        icon="warning"
        title={t('form.refused')}
        note={isToCorrect ? '' : refusalNote(sent.problem, translator)}
      >
        <FormMessages text={null} messages={about} />
        {texts && (
          <Faults fields={sent.problem.fields} texts={texts} formatValue={createFormatter(translator.language, zone)} />
        )}
        <p>{t(isToCorrect ? 'form.refusedNote' : isHeld(sent.problem) ? 'form.refusedHeld' : 'form.refusedKept')}</p>
        <div class="actions">
          {isToCorrect && (
            <Button
              kind="main"
              isBusy={isBusy}
              onPress={() => {
                setBusy(true)
                void onCorrect()
              }}
            >
              {t('form.mend')}
            </Button>
          )}
          {home}
        </div>
      </EmptyState>
    </section>
  )
}
