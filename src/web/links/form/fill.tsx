/** The form behind a link, as the app shows it, with what the server said about answers that it did not take. */
import type { ComponentChildren, ComponentProps } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Said, Sent } from '#web/app/device/model'
import { FormView } from '#web/app/form/formView'
import { type FormTexts, textsFor } from '#web/app/form/problems'
import type { StageDetail } from '#web/app/form/stage'
import { useEngine } from '#web/app/form/useEngine'
import { writtenIn } from '#web/app/form/written'
import { Boundary, Button, EmptyState, Skeleton } from '#web/ui/components'
import { useSpeaker } from '../speaking'
import { begunWith, type PageDraft, pageDraft } from './draft'
import type { Answers, Progressing } from './kept'
import { Refusal, Uploading } from './outcome'
import { useLeaveWarning } from './useLeaveWarning'

type Props = {
  stage: StageDetail
  sent: Sent | undefined
  /** Answers to begin with. */
  begun: Answers | undefined
  send: (answers: Answers, said: Said) => Promise<Sent>
  progress?: Progressing | undefined
  children?: ComponentChildren
}

export function Fill({ stage, sent, begun, send, progress, children }: Props) {
  const speaker = useSpeaker()
  const { say, language } = speaker
  const [texts, setTexts] = useState<FormTexts>()
  const latest = useRef(send)
  latest.current = send
  const [draft] = useState(() => pageDraft((answers, said) => latest.current(answers, said)))
  const engine = useEngine(stage)
  const [isTouched, setTouched] = useState(begun !== undefined)
  useLeaveWarning(isTouched)
  useEffect(() => {
    void textsFor(speaker).then(setTexts)
  }, [speaker])
  if (engine === 'lost') {
    return (
      <EmptyState icon="warning" title={say('app.notLoaded')} note={say('app.notLoadedNote')}>
        <Button onPress={() => location.reload()}>{say('app.again')}</Button>
      </EmptyState>
    )
  }
  if (!texts || engine === 'loading') return <Skeleton lines={6} />
  return (
    <>
      {sent?.kind === 'refused' && (
        <Refusal problem={sent.problem} texts={texts} written={writtenIn(language, stage.zone)} />
      )}
      {children}
      <Boundary isPart note={say('stage.notShownNote')}>
        <Form stage={stage} draft={draft} begun={begun} texts={texts} onTouched={() => setTouched(true)} />
      </Boundary>
      <Uploading progress={progress} />
    </>
  )
}

type FormProps = Pick<ComponentProps<typeof FormView>, 'stage' | 'texts' | 'onTouched'> & {
  draft: PageDraft
  begun: Answers | undefined
}

/** The form, with what was answered so far if it could not be shown in between. */
function Form({ draft, begun, ...rest }: FormProps) {
  const [kept] = useState(() => {
    const answers = Object.keys(draft.latest()).length ? draft.latest() : begun
    return answers && begunWith(answers)
  })
  return <FormView {...rest} draft={draft} kept={kept} onSent={() => {}} />
}
