import { useState } from 'preact/hooks'
import { act } from '#web/console/data/request'
import { useStudy } from '#web/console/data/study'
import { useFieldTexts } from '#web/console/parts/field/field'
import { Button, showToast } from '#web/kit/ui/components'
import { Compose } from './compose'
import { draftOf } from './replyDrafts'

type Props = {
  response: string
  /** Null for the form as a whole. */
  dataType: string | null
  onRaised: () => void
}

/** Raises a query about a field. Only where the person may (`mayRaise`). */
export function RaiseQuery({ response, dataType, onRaised }: Props) {
  const { t } = useFieldTexts()
  const { _id } = useStudy()
  const subject = `new ${response} ${dataType}`
  const [isOpen, setOpen] = useState(draftOf(subject) !== '')
  const [isPressed, setPressed] = useState(false)
  async function raise(text: string, key: string) {
    const answer = await act('raiseQuery', 'POST', '/trials/:trialId/queries', [_id], { response, dataType, text }, key)
    if (!answer.isDone) return answer
    showToast(t('thread.raised'))
    setOpen(false)
    onRaised()
    return answer
  }
  if (!isOpen) {
    return (
      <div class="compose-acts pad">
        <Button
          onPress={() => {
            setPressed(true)
            setOpen(true)
          }}
        >
          {t('thread.raise')}
        </Button>
      </div>
    )
  }
  return (
    <div class="thread">
      <Compose
        subject={subject}
        takesFocus={isPressed}
        label={t('thread.question')}
        emptyNote={t('thread.emptyQuestion')}
        send={{ label: t('thread.raiseSend'), act: raise }}
        onCancel={() => setOpen(false)}
        cancelLabel={t('thread.cancel')}
      />
    </div>
  )
}
