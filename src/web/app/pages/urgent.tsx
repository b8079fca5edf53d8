/** What forms told the person and they have not read: an urgent message covers the screen, others are on the first page. */

import { useCopy } from '#web/app/device/copies'
import { markNoticesRead, unreadNotices } from '#web/app/device/notices'
import { Calling, Covering } from '#web/app/form/said'
import { useSpeaker } from '#web/app/speaking'
import { studyText, writtenText } from '#web/common/studyText'
import { Sentence } from '#web/ui/studyText'
import type { Thread } from './answers'
import { useClock } from './study'
import { THREAD, unread } from './unread'

/** The oldest urgent message that was not read, whichever page is shown. */
export function Urgent() {
  const { say } = useSpeaker()
  const clock = useClock()
  const [first] = unreadNotices.value.filter(({ severity }) => severity === 'urgent')
  if (!first) return null
  const { entry, id, message, title, at } = first
  return (
    <Covering
      key={`${entry} ${id}`}
      message={message}
      about={
        <>
          <Sentence text={say('said.about', { form: title })} of={title} /> <time dateTime={at}>{clock.time(at)}</time>
        </>
      }
      again={say('said.again')}
      onRead={() => void markNoticesRead([first])}
    />
  )
}

/** On the first page: what a form told the person when they had left the tablet. The server has it: it is read in the thread. */
export function InThread() {
  return unread.value > 0 ? <UnreadOfForms /> : null
}

function UnreadOfForms() {
  const { say } = useSpeaker()
  const { value } = useCopy<Thread>(THREAD)
  const ofForms = value?.messages.filter(({ type, isRead }) => type === 'onSubmit' && !isRead) ?? []
  return ofForms.map(({ _id, title, message }) => (
    <section class="notice info arrived" key={_id}>
      <p class="strong" {...writtenText()}>
        {title}
      </p>
      <p class="after-text" {...writtenText()}>
        <Calling text={message} />
      </p>
      <a href="/app/messages">{say('app.messages')}</a>
    </section>
  ))
}

/** On the first page: messages of answers that arrived while no page was open, until they were read. */
export function Arrived() {
  const { say } = useSpeaker()
  return unreadNotices.value.map((notice) => (
    <section class="notice info arrived" key={`${notice.entry} ${notice.id}`}>
      <p class="strong">
        <Sentence text={say('said.about', { form: notice.title })} of={notice.title} />
      </p>
      <p class="after-text" {...studyText(notice.message)}>
        <Calling text={notice.message} />
      </p>
      <button type="button" class="plain" onClick={() => void markNoticesRead([notice])}>
        {say('said.read')}
      </button>
    </section>
  ))
}
