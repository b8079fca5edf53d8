/** The phone's own calendar: a file with what is known now, or a secret link that stays up to date. */

import { useState } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import { saveFile } from '#web/kit/files/saveFile'
import { Button, Dialog, Notice, showToast } from '#web/kit/ui/components'
import { useCopy } from '#web/participant/device/copies'
import { refusalText } from '#web/participant/device/refusalText'
import { askAs } from '#web/participant/device/request'
import { useTranslator } from '#web/participant/texts'
import type { Appointment } from './appointments'
import { calendarFile } from './calendarFile'
import { useClock, useStudy } from './study'

const PATH = '/participants/calendar-link'

export function CalendarLinks({ appointments }: { appointments: readonly Appointment[] }) {
  const { t } = useTranslator()
  const { me } = useStudy()
  const name = me?.trial.name ?? 'Trialbox'
  const save = () => {
    const text = calendarFile(name, appointments, Date.now())
    saveFile(new Blob([text], { type: 'text/calendar;charset=utf-8' }), `${name}.ics`)
  }
  return (
    <section class="card" aria-labelledby="own-calendar">
      <h2 id="own-calendar">{t('calendar.own')}</h2>
      <p>{t('calendar.ownNote')}</p>
      <SecretLink />
      <h3>{t('calendar.file')}</h3>
      <p class="note">{t('calendar.fileNote')}</p>
      <Button onPress={save} isDisabled={appointments.length === 0}>
        {t('calendar.save')}
      </Button>
    </section>
  )
}

function SecretLink() {
  const { t } = useTranslator()
  const clock = useClock()
  const copy = useCopy<AnswerOf<'readOwnCalendarLink'>>(PATH)
  const [url, setUrl] = useState<string>()
  const [fault, setFault] = useState<string>()
  const [isEnding, setEnding] = useState(false)
  const make = async () => {
    const answer = await askAs<AnswerOf<'createOwnCalendarLink'>>('POST', PATH, {})
    if (answer.isDone) {
      setUrl(answer.body.url)
      setFault(undefined)
      await copy.refresh()
    } else setFault(refusalText(answer))
  }
  const end = async () => {
    const answer = await askAs('DELETE', PATH)
    setEnding(false)
    if (!answer.isDone) return setFault(refusalText(answer))
    setUrl(undefined)
    showToast(t('calendar.ended'))
    await copy.refresh()
  }
  const copyUrl = async () => {
    if (url === undefined) return
    await navigator.clipboard.writeText(url)
    showToast(t('calendar.copied'))
  }
  const since = copy.value?.createdAt
  return (
    <>
      <h3>{t('calendar.link')}</h3>
      <p class="note">{t('calendar.linkNote')}</p>
      {since && !url && <p>{t('calendar.linkSince', { time: clock.shortDay(since) })}</p>}
      {fault && <Notice kind="fault" title={fault} isLive />}
      {url && (
        <Notice kind="success" title={t('calendar.linkReady')} isLive>
          <p>
            <code>{url}</code>
          </p>
        </Notice>
      )}
      <div class="actions start">
        {url && (
          <>
            <a class="button main" href={url.replace(/^https?:/, 'webcal:')}>
              {t('calendar.open')}
            </a>
            <Button onPress={() => void copyUrl()}>{t('calendar.copy')}</Button>
          </>
        )}
        {!url && <Button onPress={() => void make()}>{t(since ? 'calendar.makeNew' : 'calendar.make')}</Button>}
        {since && <Button onPress={() => setEnding(true)}>{t('calendar.end')}</Button>}
      </div>
      {isEnding && (
        <Dialog
          title={t('calendar.endTitle')}
          action={{ label: t('calendar.end'), kind: 'danger', onPress: () => void end() }}
          onClose={() => setEnding(false)}
        >
          <p>{t('calendar.endNote')}</p>
        </Dialog>
      )}
    </>
  )
}
