/** What became of the answers. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerTexts } from '#texts/answers/en'
import type { Sent } from '#web/app/device/model'
import { isHeld, isMendable } from '#web/app/device/verdict'
import { useSpeaker } from '#web/app/speaking'
import { Button, EmptyState } from '#web/ui/components'
import { refusalNote } from './problems'
import { Faults } from './refusal'

export function After({
  sent,
  texts,
  zone,
  onMend,
}: {
  sent: Sent
  texts: AnswerTexts | undefined
  zone: string
  onMend: () => Promise<void>
}) {
  const speaker = useSpeaker()
  const { say } = speaker
  const section = useRef<HTMLElement>(null)
  const [isBusy, setBusy] = useState(false)
  // The button that was pressed is gone.
  useEffect(() => section.current?.focus(), [])
  const isToMend = sent.kind === 'refused' && isMendable(sent.problem)
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
      <EmptyState icon="warning" title={say('form.refused')} note={isToMend ? '' : refusalNote(sent.problem, speaker)}>
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
