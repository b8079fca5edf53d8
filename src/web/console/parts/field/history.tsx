import type { ComponentChildren } from 'preact'
import { read } from '#web/console/data/request'
import { useStudy } from '#web/console/data/study'
import { useAnswer } from '#web/console/data/useItem'
import { Failure } from '#web/console/parts/parts'
import { AnswerView } from '#web/form/answerView'
import type { Settings } from '#web/form/stage'
import { Skeleton } from '#web/kit/ui/components'
import { Avatar } from './avatar'
import { useReading } from './context'
import { type FieldEvent, fieldHistory } from './fieldHistory'
import { useFieldTexts } from './texts'
import { plainValue } from './value'

type Props = {
  response: string
  dataType: string
  settings: Settings | undefined
  /** Changes when the answers were read again: then the history is, too. */
  version: string
}

/** What happened to a field, newest first: each value with who, when and why. */
export function FieldHistory({ response, dataType, settings, version }: Props) {
  const { t } = useFieldTexts()
  const { _id } = useStudy()
  const { body, failure, reload } = useHistory(_id, response, version)
  if (failure && !body) return <Failure failure={failure} onAgain={reload} />
  if (!body) return <Skeleton lines={2} />
  const events = fieldHistory(body, dataType)
  if (!events.length) return <p class="faint pad">{t('history.none')}</p>
  return (
    <ol class="history">
      {events.map((event, at) => (
        <HistoryItem key={`${event.at} ${event.kind} ${events.length - at}`} event={event} settings={settings} />
      ))}
    </ol>
  )
}

const useHistory = (trial: string, response: string, version: string) =>
  useAnswer(response, `${response} ${version}`, (signal) =>
    read('readResponseHistory', '/trials/:trialId/responses/:responseId/history', [trial, response], undefined, signal),
  )

function HistoryItem({ event, settings }: { event: FieldEvent; settings: Settings | undefined }) {
  const { t } = useFieldTexts()
  const { formatValue, nameOf } = useReading()
  const name = nameOf(event.by, event.byType)
  let what: ComponentChildren
  if (event.kind !== 'change') what = t(`history.${event.kind}`)
  else {
    what = (
      <>
        {event.replaced !== null && (
          <>
            <del>
              <Value value={event.replaced} settings={settings} />
            </del>{' '}
            <span aria-hidden="true">→</span>{' '}
          </>
        )}
        <ins>
          <Value value={event.value} settings={settings} url={event.url} />
        </ins>
      </>
    )
  }
  return (
    <li>
      <Avatar name={name} />
      <div>
        <div class={event.kind === 'change' ? 'v' : 'v mark'}>{what}</div>
        <small>
          <bdi>{name}</bdi> · <bdi>{formatValue.moment(event.at)}</bdi>
          {event.kind === 'change' && event.enteredAt && (
            <> · {t('history.entered', { when: formatValue.moment(event.enteredAt) })}</>
          )}
        </small>
        {event.kind === 'change' && event.reason && (
          <small dir="auto">{t('history.reason', { reason: event.reason })}</small>
        )}
      </div>
    </li>
  )
}

function Value({ value, settings, url }: { value: unknown; settings: Settings | undefined; url?: string | undefined }) {
  const { t } = useFieldTexts()
  const { form, formatValue } = useReading()
  if (value === null || value === undefined) return <span class="faint">{t('history.blank')}</span>
  if (!settings) return <bdi>{plainValue(value, formatValue)}</bdi>
  const notApplicable = form.t('form.notApplicable')
  return (
    <AnswerView settings={settings} value={value} url={url} formatValue={formatValue} notApplicable={notApplicable} />
  )
}
