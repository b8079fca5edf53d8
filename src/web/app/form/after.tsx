/** What became of the answers. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerTexts } from '#texts/answers/en'
import type { EntryProblem, Said } from '#web/app/device/model'
import { markNoticesRead, notices } from '#web/app/device/notices'
import { isHeld, isMendable } from '#web/app/device/verdict'
import { useSpeaker } from '#web/app/speaking'
import { Button, EmptyState } from '#web/ui/components'
import { type SentEntry, useFate } from './fate'
import { refusalNote } from './problems'
import { Faults } from './refusal'
import { ToldAfter } from './told'

type Props = {
  became: SentEntry
  /** What the device knew when it was sent. */
  said: Said
  texts: AnswerTexts | undefined
  zone: string
  onMend: () => Promise<void>
  onRefused(problem: EntryProblem): void
}

export function After({ became, said, texts, zone, onMend, onRefused }: Props) {
  const speaker = useSpeaker()
  const { say } = speaker
  const section = useRef<HTMLElement>(null)
  const [isBusy, setBusy] = useState(false)
  const sent = useFate(became)
  const about = notices.value.filter(({ entry }) => entry === became.entry)
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
  const isToMend = problem !== undefined && isMendable(problem)
  const home = (
    <a class={isToMend ? 'button' : 'button main'} href="/app/">
      {say('form.toStart')}
    </a>
  )
  const told = (
    <ToldAfter text={(sent.kind === 'stored' ? sent.postSubmissionText : null) ?? said.text} messages={about} />
  )
  if (sent.kind !== 'refused') {
    const isStored = sent.kind === 'stored'
    return (
      <section role="status" ref={section} tabIndex={-1}>
        <EmptyState
          icon={isStored ? 'success' : 'inbox'}
          title={say(isStored ? 'form.stored' : 'form.waiting')}
          note={isStored ? '' : say('form.waitingNote')}
        >
          {told}
          {home}
        </EmptyState>
      </section>
    )
  }
  return (
    <section role="alert" ref={section} tabIndex={-1}>
      <EmptyState icon="warning" title={say('form.refused')} note={isToMend ? '' : refusalNote(sent.problem, speaker)}>
        <ToldAfter text={null} messages={about} />
        {texts && <Faults fields={sent.problem.fields} zone={zone} texts={texts} />}
        <p>{say(isToMend ? 'form.refusedNote' : isHeld(sent.problem) ? 'form.refusedHeld' : 'form.refusedKept')}</p>
        <div class="actions">
          {isToMend && (
            <Button
              kind="main"
              isBusy={isBusy}
              onPress={() => {
                setBusy(true)
                void onMend()
              }}
            >
              {say('form.mend')}
            </Button>
          )}
          {home}
        </div>
      </EmptyState>
    </section>
  )
}
