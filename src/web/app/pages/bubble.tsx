/** One message of the thread. */

import { Calling } from '#web/app/form/said'
import { useSpeaker } from '#web/app/speaking'
import { writtenText } from '#web/common/studyText'
import type { Attachment, Message } from './answers'
import { Glyph } from './glyph'
import type { Unsent } from './outbox'
import { sizeText } from './sizes'
import { useClock } from './study'

/** What a message is that nobody wrote by hand. */
function useKind({ type, sender }: Message): string | undefined {
  const { say } = useSpeaker()
  if (sender.type !== 'system') return undefined
  const kinds: Record<string, string> = {
    welcome: say('messages.welcome'),
    reminder: say('messages.reminder'),
    notice: say('messages.reminder'),
    appointment: say('messages.appointment'),
    notification: say('messages.notification'),
  }
  return kinds[type] ?? say('messages.automatic')
}

export function Bubble({ message, isFirstUnread }: { message: Message; isFirstUnread: boolean }) {
  const { say } = useSpeaker()
  const clock = useClock()
  const { sender, createdAt, attachments, readAt, title } = message
  const kind = useKind(message)
  const isOwn = sender.type === 'participant'
  const name = isOwn ? say('messages.you') : (kind ?? sender.name ?? say('messages.team'))
  return (
    <>
      {isFirstUnread && !isOwn && <li class="unread-mark">{say('messages.new')}</li>}
      <li class={`bubble ${isOwn ? 'own' : sender.type}`}>
        <p class="bubble-head">
          <bdi class={isOwn ? 'hidden' : undefined}>{name}</bdi>
          <time dateTime={createdAt}>{clock.time(createdAt)}</time>
        </p>
        {title && (
          <p class="strong" {...writtenText()}>
            {title}
          </p>
        )}
        {message.message && (
          // What the person wrote is in a language of their own.
          <p class="bubble-text" dir="auto" {...(isOwn ? {} : writtenText())}>
            {isOwn ? message.message : <Calling text={message.message} />}
          </p>
        )}
        {attachments.map((each) => (
          <Attached key={each.fileName} attachment={each} />
        ))}
        {isOwn && (
          <p class="bubble-state">
            <Glyph name="done" />
            {say(readAt ? 'messages.read' : 'messages.sent')}
          </p>
        )}
      </li>
    </>
  )
}

const SHOWN = /^image\/(png|jpeg|gif|webp|avif)$/

function Attached({ attachment: { name, type, size, url } }: { attachment: Attachment }) {
  const { say, language } = useSpeaker()
  const path = new URL(url, location.href)
  const href = path.pathname + path.search
  if (SHOWN.test(type))
    return (
      <a class="picture" href={href} target="_blank" rel="noreferrer">
        <img src={href} alt={say('messages.picture', { name })} loading="lazy" />
      </a>
    )
  return (
    <a class="attachment" href={href} target="_blank" rel="noreferrer">
      <Glyph name="file" />
      <span>
        <bdi>{name}</bdi> <span class="note">{sizeText(language, size)}</span>
      </span>
    </a>
  )
}

export function Waiting({
  message,
  fault,
  onDrop,
}: {
  message: Unsent
  fault: string | undefined
  onDrop: () => void
}) {
  const { say } = useSpeaker()
  const clock = useClock()
  return (
    <li class="bubble own waiting">
      <p class="bubble-head">
        <span class="hidden">{say('messages.you')}</span>
        <time dateTime={message.at}>{clock.time(message.at)}</time>
      </p>
      <p class="bubble-text" dir="auto">
        {message.text}
      </p>
      <p class="bubble-state">
        <Glyph name="clock" />
        {fault ?? say('messages.waiting')}
      </p>
      <button type="button" class="plain" onClick={onDrop}>
        {say('messages.takeBack')}
      </button>
    </li>
  )
}
