/** Short messages to everybody in the meeting. The server passes them on and does not store them. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '#web/kit/ui/components'
import type { Call } from './call'
import { useTranslator } from './texts'

/** The most characters of a message, as the server takes it. */
const MOST = 1000

export function Chat({ call, onClose }: { call: Call; onClose: () => void }) {
  const { t } = useTranslator()
  const [text, setText] = useState('')
  const end = useRef<HTMLLIElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const lines = call.chat.value
  const isLost = call.isLost.value
  // At once: what is typed next is meant for it.
  useLayoutEffect(() => field.current?.focus(), [])
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [lines.length])
  const send = (event: Event) => {
    event.preventDefault()
    const written = text.trim().toWellFormed()
    // Without a connection it stays in the field.
    if (!written || isLost) return
    call.send({ type: 'chat', text: written })
    setText('')
  }
  return (
    <section class="room-chat" aria-labelledby="chat" onKeyDown={({ key }) => void (key === 'Escape' && onClose())}>
      <div class="room-chat-top">
        <h2 id="chat">{t('meeting.chat')}</h2>
        <Button icon="close" onPress={onClose}>
          {t('meeting.close')}
        </Button>
      </div>
      <p class="note">{t('meeting.chatNote')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it by the keyboard. */}
      <div class="room-chat-lines" role="log" aria-label={t('meeting.chat')} tabIndex={0}>
        <ol>
          {lines.length === 0 && <li class="note">{t('meeting.chatEmpty')}</li>}
          {lines.map(({ number, name, text, isOwn }, at) => (
            <li key={number} class={isOwn ? 'own' : undefined} ref={at === lines.length - 1 ? end : undefined}>
              <strong dir="auto">{name}</strong>
              <p dir="auto">{text}</p>
            </li>
          ))}
        </ol>
      </div>
      <form onSubmit={send}>
        <input
          ref={field}
          class="input"
          dir="auto"
          autoComplete="off"
          maxLength={MOST}
          aria-label={t('meeting.write')}
          placeholder={t('meeting.write')}
          value={text}
          onInput={({ currentTarget: { value } }) => setText(value)}
        />
        <Button kind="main" type="submit">
          {t('meeting.send')}
        </Button>
      </form>
    </section>
  )
}
