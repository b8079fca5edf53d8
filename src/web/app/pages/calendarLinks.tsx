/** The phone's own calendar: a file with what is known now, or a secret link that stays up to date. */
import { useState } from 'preact/hooks'
import { useCopy } from '#web/app/device/copies'
import { refusedWith } from '#web/app/device/refused'
import { askAs } from '#web/app/device/request'
import { useSpeaker } from '#web/app/speaking'
import { saveFile } from '#web/common/saveFile'
import { Button, Dialog, Notice, showToast } from '#web/ui/components'
import type { Appointment } from './appointments'
import { calendarFile } from './calendarFile'
import { useClock, useStudy } from './study'

const PATH = '/participants/calendar-link'

export function CalendarLinks({ appointments }: { appointments: readonly Appointment[] }) {
  const { say } = useSpeaker()
  const { me } = useStudy()
  const name = me?.trial.name ?? 'Trialbox'
  const save = () => {
    const text = calendarFile(name, appointments, Date.now())
    saveFile(new Blob([text], { type: 'text/calendar;charset=utf-8' }), `${name}.ics`)
  }
  return (
    <section class="card" aria-labelledby="own-calendar">
      <h2 id="own-calendar">{say('calendar.own')}</h2>
      <p>{say('calendar.ownNote')}</p>
      <SecretLink />
      <h3>{say('calendar.file')}</h3>
      <p class="note">{say('calendar.fileNote')}</p>
      <Button onPress={save} isDisabled={appointments.length === 0}>
        {say('calendar.save')}
      </Button>
    </section>
  )
}

function SecretLink() {
  const { say } = useSpeaker()
  const clock = useClock()
  const copy = useCopy<{ createdAt: string | null }>(PATH)
  const [url, setUrl] = useState<string>()
  const [fault, setFault] = useState<string>()
  const [isEnding, setEnding] = useState(false)
  const make = async () => {
    const answer = await askAs<{ url: string }>('POST', PATH, {})
    if (answer.isDone) {
      setUrl(answer.body.url)
      setFault(undefined)
      await copy.refresh()
    } else setFault(refusedWith(answer))
  }
  const end = async () => {
    const answer = await askAs('DELETE', PATH)
    setEnding(false)
    if (!answer.isDone) return setFault(refusedWith(answer))
    setUrl(undefined)
    showToast(say('calendar.ended'))
    await copy.refresh()
  }
  const copyUrl = async () => {
    if (url === undefined) return
    await navigator.clipboard.writeText(url)
    showToast(say('calendar.copied'))
  }
  const since = copy.value?.createdAt
  return (
    <>
      <h3>{say('calendar.link')}</h3>
      <p class="note">{say('calendar.linkNote')}</p>
      {since && !url && <p>{say('calendar.linkSince', { time: clock.shortDay(since) })}</p>}
      {fault && <Notice kind="fault" title={fault} isLive />}
      {url && (
        <Notice kind="success" title={say('calendar.linkReady')} isLive>
          <p>
            <code>{url}</code>
          </p>
        </Notice>
      )}
      <div class="actions start">
        {url && (
          <>
            <a class="button main" href={url.replace(/^https?:/, 'webcal:')}>
              {say('calendar.open')}
            </a>
            <Button onPress={() => void copyUrl()}>{say('calendar.copy')}</Button>
          </>
        )}
        {!url && <Button onPress={() => void make()}>{say(since ? 'calendar.makeNew' : 'calendar.make')}</Button>}
        {since && <Button onPress={() => setEnding(true)}>{say('calendar.end')}</Button>}
      </div>
      {isEnding && (
        <Dialog
          title={say('calendar.endTitle')}
          action={{ label: say('calendar.end'), kind: 'danger', onPress: () => void end() }}
          onClose={() => setEnding(false)}
        >
          <p>{say('calendar.endNote')}</p>
        </Dialog>
      )}
    </>
  )
}
