/** What forms told the person and they have not read: an urgent message covers the screen, others are on the first page. */

import { useEffect, useId, useRef } from 'preact/hooks'
import { markNoticesRead, type Notice, unreadNotices } from '#web/app/device/notices'
import { Calling } from '#web/app/form/said'
import { useSpeaker } from '#web/app/speaking'
import { studyText } from '#web/common/studyText'
import { Button, Icon } from '#web/ui/components'
import { useClock } from './study'

/** The oldest urgent message that was not read, whichever page is shown. */
export function Urgent() {
  const [first] = unreadNotices.value.filter(({ severity }) => severity === 'urgent')
  return first ? <Covering key={`${first.entry} ${first.id}`} notice={first} /> : null
}

function Covering({ notice }: { notice: Notice }) {
  const { say } = useSpeaker()
  const clock = useClock()
  const id = useId()
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => element.current?.showModal(), [])
  const { message, title, at } = notice
  return (
    <dialog
      ref={element}
      class="urgent"
      role="alertdialog"
      aria-labelledby={id}
      aria-describedby={`${id}-text`}
      // It was read when the person says so, and not by a key.
      onCancel={(event) => event.preventDefault()}
    >
      <div class="urgent-content">
        <h2 id={id}>
          <Icon name="warning" />
          {say('said.urgent')}
        </h2>
        <p class="urgent-text" id={`${id}-text`} {...studyText(message)}>
          <Calling text={message} />
        </p>
        <p class="note">
          {say('said.about', { form: title })} <time dateTime={at}>{clock.time(at)}</time>
        </p>
        <Button kind="main" onPress={() => void markNoticesRead([notice])}>
          {say('said.read')}
        </Button>
        <p class="note">{say('said.again')}</p>
      </div>
    </dialog>
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
