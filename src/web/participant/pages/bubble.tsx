/** One message of the thread. */

import { PhoneLinks } from '#web/form/messages'
import { personalText } from '#web/kit/language/studyText'
import { useTranslator } from '#web/participant/texts'
import type { Attachment, Message } from './apiTypes'
import { Glyph } from './glyph'
import type { UnsentMessage } from './outbox'
import { sizeText } from './sizes'
import { useClock } from './study'

/** The kind of an automatic message. */
function useKind({ type, sender }: Message): string | undefined {
  const { t } = useTranslator()
  if (sender.type !== 'system') return undefined
  const kinds: Record<string, string> = {
    welcome: t('messages.welcome'),
    reminder: t('messages.reminder'),
    notice: t('messages.reminder'),
    appointment: t('messages.appointment'),
    notification: t('messages.notification'),
  }
  return kinds[type] ?? t('messages.automatic')
}

export function Bubble({ message, isFirstUnread }: { message: Message; isFirstUnread: boolean }) {
  const { t } = useTranslator()
  const clock = useClock()
  const { sender, createdAt, attachments, readAt, title } = message
  const kind = useKind(message)
  const isOwn = sender.type === 'participant'
  const name = isOwn ? t('messages.you') : (kind ?? sender.name ?? t('messages.team'))
  return (
    <>
      {isFirstUnread && !isOwn && <li class="unread-mark">{t('messages.new')}</li>}
      <li class={`bubble ${isOwn ? 'own' : sender.type}`}>
        <p class="bubble-head">
          <bdi class={isOwn ? 'hidden' : undefined}>{name}</bdi>
          <time dateTime={createdAt}>{clock.time(createdAt)}</time>
        </p>
        {title && (
          <p class="strong" {...personalText()}>
            {title}
          </p>
        )}
        {message.message && (
          // What the person wrote is in a language of their own.
          <p class="bubble-text" dir="auto" {...(isOwn ? {} : personalText())}>
            {isOwn ? message.message : <PhoneLinks text={message.message} />}
          </p>
        )}
        {attachments.map((each) => (
          <AttachmentView key={each.fileName} attachment={each} />
        ))}
        {isOwn && (
          <p class="bubble-state">
            <Glyph name="done" />
            {t(readAt ? 'messages.read' : 'messages.sent')}
          </p>
        )}
      </li>
    </>
  )
}

const SHOWN = /^image\/(png|jpeg|gif|webp|avif)$/

function AttachmentView({ attachment: { name, type, size, url } }: { attachment: Attachment }) {
  const { t, language } = useTranslator()
  const path = new URL(url, location.href)
  const href = path.pathname + path.search
  if (SHOWN.test(type))
    return (
      <a class="picture" href={href} target="_blank" rel="noreferrer">
        <img src={href} alt={t('messages.picture', { name })} loading="lazy" />
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

export function UnsentBubble({
  message,
  fault,
  onDrop,
}: {
  message: UnsentMessage
  fault: string | undefined
  onDrop: () => void
}) {
  const { t } = useTranslator()
  const clock = useClock()
  return (
    <li class="bubble own waiting">
      <p class="bubble-head">
        <span class="hidden">{t('messages.you')}</span>
        <time dateTime={message.at}>{clock.time(message.at)}</time>
      </p>
      <p class="bubble-text" dir="auto">
        {message.text}
      </p>
      <p class="bubble-state">
        <Glyph name="clock" />
        {fault ?? t('messages.waiting')}
      </p>
      <button type="button" class="plain" onClick={onDrop}>
        {t('messages.takeBack')}
      </button>
    </li>
  )
}
