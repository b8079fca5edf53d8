/** Messages of forms that the person has not read: an urgent message covers the screen, others are on the first page. */

import { PhoneLinks, UrgentMessage } from '#web/form/messages'
import { personalText, studyText } from '#web/kit/language/studyText'
import { Sentence } from '#web/kit/ui/studyText'
import { useCopy } from '#web/participant/device/copies'
import { markNoticesRead, unreadNotices } from '#web/participant/device/notices'
import { useTranslator } from '#web/participant/texts'
import type { Thread } from './apiTypes'
import { useClock } from './study'
import { THREAD, unread } from './unread'

/** The oldest urgent message that was not read, whichever page is shown. */
export function UrgentNotice() {
  const { t } = useTranslator()
  const clock = useClock()
  const [first] = unreadNotices.value.filter(({ severity }) => severity === 'urgent')
  if (!first) return null
  const { entry, id, message, title, at } = first
  return (
    <UrgentMessage
      key={`${entry} ${id}`}
      message={message}
      about={
        <>
          <Sentence text={t('said.about', { form: title })} of={title} /> <time dateTime={at}>{clock.time(at)}</time>
        </>
      }
      whereAgain={t('said.again')}
      onRead={() => void markNoticesRead([first])}
    />
  )
}

/** On the first page: messages of a form that arrived after the person had left the tablet. They are on the server, in the thread. */
export function ThreadNotices() {
  return unread.value > 0 ? <UnreadOfForms /> : null
}

function UnreadOfForms() {
  const { t } = useTranslator()
  const { value } = useCopy<Thread>(THREAD)
  const ofForms = value?.messages.filter(({ type, isRead }) => type === 'onSubmit' && !isRead) ?? []
  return ofForms.map(({ _id, title, message }) => (
    <section class="notice info arrived" key={_id}>
      <p class="strong" {...personalText()}>
        {title}
      </p>
      <p class="after-text" {...personalText()}>
        <PhoneLinks text={message} />
      </p>
      <a href="/app/messages">{t('app.messages')}</a>
    </section>
  ))
}

/** On the first page: messages of answers that arrived while no page was open, until they were read. */
export function UnreadNotices() {
  const { t } = useTranslator()
  return unreadNotices.value.map((notice) => (
    <section class="notice info arrived" key={`${notice.entry} ${notice.id}`}>
      <p class="strong">
        <Sentence text={t('said.about', { form: notice.title })} of={notice.title} />
      </p>
      <p class="after-text" {...studyText(notice.message)}>
        <PhoneLinks text={notice.message} />
      </p>
      <button type="button" class="plain" onClick={() => void markNoticesRead([notice])}>
        {t('said.read')}
      </button>
    </section>
  ))
}
