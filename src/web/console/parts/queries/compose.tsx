import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useFieldTexts } from '#web/console/parts/field/field'
import type { Answer } from '#web/kit/api/send'
import { newId } from '#web/kit/storage/ids'
import { Button, Notice } from '#web/kit/ui/components'
import { draftOf, keepDraft } from './replyDrafts'

/** @param key the same when the same text is sent again */
type Send = (text: string, key: string) => Promise<Answer<unknown>>

type Props = {
  /** What the text is for: it is kept under this name until it was sent. */
  subject: string
  label: string
  takesFocus?: boolean
  /** What is said if nothing was written. */
  emptyNote: string
  send: { label: string; act: Send }
  /** What else may be done, with the text or without one. */
  more?: { label: string; labelWithText: string; act: Send } | undefined
  onCancel?: (() => void) | undefined
  cancelLabel?: string
}

/** A text to send. It stays until the server has it; Ctrl Enter sends it. */
export function Compose({ subject, label, takesFocus, emptyNote, send, more, onCancel, cancelLabel }: Props) {
  const { t } = useFieldTexts()
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const text = draftOf(subject)
  const isSending = useRef(false)
  /** The last try: if its answer was lost, the server may have the text already. */
  const attempt = useRef({ text: '', key: newId() })
  useEffect(() => {
    if (takesFocus) area.current?.focus()
  }, [])

  async function perform(act: Send, isTextNeeded: boolean): Promise<void> {
    const sent = draftOf(subject).trim()
    if (isSending.current) return
    if (!sent && isTextNeeded) {
      setFault(emptyNote)
      area.current?.focus()
      return
    }
    isSending.current = true
    setBusy(true)
    setFault(undefined)
    if (attempt.current.text !== sent) attempt.current = { text: sent, key: newId() }
    const answer = await act(sent, attempt.current.key)
    isSending.current = false
    setBusy(false)
    if (answer.isDone) {
      // What was typed in the meantime stays.
      if (draftOf(subject).trim() === sent) keepDraft(subject, '')
      attempt.current = { text: '', key: newId() }
    } else setFault(answer.fields.text ?? answer.message)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void perform(send.act, true)
  }
  return (
    <div class="compose">
      <label class="hidden" for={id}>
        {label}
      </label>
      <textarea
        ref={area}
        id={id}
        class="input"
        rows={3}
        dir="auto"
        value={text}
        placeholder={`${label}…`}
        aria-invalid={fault ? 'true' : undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
        onInput={({ currentTarget }) => keepDraft(subject, currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {fault && (
        <div id={`${id}-fault`}>
          <Notice kind="fault" title={fault} isLive />
        </div>
      )}
      <div class="compose-acts">
        <span class="faint keys">{t('thread.keys')}</span>
        <span class="grow" />
        {onCancel && <Button onPress={onCancel}>{cancelLabel}</Button>}
        {more && (
          <Button isBusy={isBusy} onPress={() => void perform(more.act, false)}>
            {text.trim() ? more.labelWithText : more.label}
          </Button>
        )}
        <Button kind="main" isBusy={isBusy} onPress={() => void perform(send.act, true)}>
          {send.label}
        </Button>
      </div>
    </div>
  )
}
