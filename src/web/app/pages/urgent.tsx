/** What forms told the person and they have not read: an urgent message covers the screen, others are on the first page. */

import { markNoticesRead, unreadNotices } from '#web/app/device/notices'
import { Calling, Covering } from '#web/app/form/said'
import { useSpeaker } from '#web/app/speaking'
import { studyText } from '#web/common/studyText'
import { useClock } from './study'

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
          {say('said.about', { form: title })} <time dateTime={at}>{clock.time(at)}</time>
        </>
      }
      again={say('said.again')}
      onRead={() => void markNoticesRead([first])}
    />
  )
}

/** On the first page: messages of answers that arrived while no page was open, until they were read. */
export function Arrived() {
  const { say } = useSpeaker()
  return unreadNotices.value.map((notice) => (
    <section class="notice info arrived" key={`${notice.entry} ${notice.id}`}>
      <p class="strong">
        <bdi>{say('said.about', { form: notice.title })}</bdi>
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
