/** The thread with the study team. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { EmptyState } from '#web/kit/ui/components'
import { useCopy } from '#web/participant/device/copies'
import { markNoticesRead, type Notice, notices } from '#web/participant/device/notices'
import { askAs } from '#web/participant/device/request'
import { isOnline } from '#web/participant/device/session'
import { useTranslator } from '#web/participant/texts'
import type { Message, Thread } from './apiTypes'
import { Bubble, UnsentBubble } from './bubble'
import { Composer } from './composer'
import { dropMessage, sendMessages, unsentMessages } from './outbox'
import { CopyContent, Page as Frame, RefreshButton } from './page'
import { useClock } from './study'
import { markRead, THREAD } from './unread'

/** How often new messages are looked for while the thread is shown, in milliseconds. */
const POLL_INTERVAL = 15_000

const NOTHING: Thread = { messages: [], earlierMessages: false, unreadCount: 0 }

/** A message that a form showed, as a message of the thread. */
const asMessage = ({ entry, id, title, message, at, readAt }: Notice): Message => ({
  ...{ _id: `${entry} ${id}`, type: 'onSubmit', title, message, createdAt: at },
  ...{ attachments: [], isRead: readAt !== undefined, readAt: readAt ?? null, sender: { type: 'system', name: null } },
})

export function Page() {
  const { t } = useTranslator()
  const copy = useCopy<Thread>(THREAD)
  // What is on the device can be read without a connection.
  const isUnknown = copy.value === undefined && copy.fault !== undefined && notices.value.length > 0
  const [fault, setFault] = useState<string>()
  const send = async () => {
    setFault(await sendMessages())
    await copy.refresh()
  }
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible' && isOnline.value) void copy.refresh()
    }
    const timer = setInterval(look, POLL_INTERVAL)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  // What was sent meanwhile is in the thread now.
  const waiting = unsentMessages.value.length
  useEffect(() => {
    if (isOnline.value) void copy.refresh()
  }, [waiting])
  return (
    <Frame
      title={t('app.messages')}
      action={<RefreshButton isLoading={copy.isLoading} onPress={() => void copy.refresh()} />}
    >
      <div class="thread">
        <CopyContent copy={isUnknown ? { ...copy, value: NOTHING } : copy}>
          {(thread) => <Messages thread={thread} />}
        </CopyContent>
        <ol class="bubbles" aria-label={t('messages.unsent')} hidden={unsentMessages.value.length === 0}>
          {unsentMessages.value.map((each) => (
            <UnsentBubble key={each.id} message={each} fault={fault} onDrop={() => dropMessage(each.id)} />
          ))}
        </ol>
        <Composer onSend={send} />
      </div>
    </Frame>
  )
}

function Messages({ thread }: { thread: Thread }) {
  const { t } = useTranslator()
  const clock = useClock()
  const [earlier, setEarlier] = useState<readonly Message[]>([])
  const [hasEarlier, setHasEarlier] = useState(thread.earlierMessages)
  const end = useRef<HTMLDivElement>(null)
  const [welcome, ...rest] = thread.messages
  const isFirst = useRef(true)
  const newest = thread.messages.at(-1)?._id
  const newestNotice = notices.value.at(-1)?.at
  // What was unread when the person came stays marked while they read.
  const unreadAtFirst = useRef(thread.messages.find(({ isRead }) => !isRead)?._id)
  useEffect(() => {
    if (thread.unreadCount > 0 && newest && isOnline.value) void markRead(rest.length ? newest : undefined)
    end.current?.scrollIntoView({ block: 'end', behavior: isFirst.current ? 'instant' : 'smooth' })
    isFirst.current = false
  }, [newest, newestNotice])

  const readEarlier = async () => {
    const before = (earlier[0] ?? rest[0])?._id
    const answer = await askAs<Thread>('GET', `${THREAD}?before=${before}&limit=100`)
    if (!answer.isDone) return
    setEarlier([...answer.body.messages, ...earlier])
    setHasEarlier(answer.body.earlierMessages)
  }
  const noticeMessages = notices.value.map(asMessage)
  useEffect(
    () => void markNoticesRead(notices.value.filter(({ severity }) => severity === 'normal')),
    [noticeMessages.length],
  )
  const all = [...(welcome ? [welcome] : []), ...earlier, ...rest, ...noticeMessages].sort((one, other) =>
    one.createdAt.localeCompare(other.createdAt),
  )
  if (!all.length) return <EmptyState icon="inbox" title={t('messages.none')} />
  const days = Map.groupBy(all, ({ createdAt }) => clock.dayKey(createdAt))
  return (
    <>
      {hasEarlier && (
        <button type="button" class="plain" onClick={() => void readEarlier()}>
          {t('messages.earlier')}
        </button>
      )}
      {[...days].map(([key, list]) => (
        <section key={key} aria-label={clock.shortDay(list[0]?.createdAt ?? '')}>
          <p class="day" aria-hidden="true">
            <span>{clock.shortDay(list[0]?.createdAt ?? '')}</span>
          </p>
          <ol class="bubbles">
            {list.map((message) => (
              <Bubble key={message._id} message={message} isFirstUnread={message._id === unreadAtFirst.current} />
            ))}
          </ol>
        </section>
      ))}
      <div ref={end} class="thread-end" />
    </>
  )
}
