/** What is said of a form that ends soon, or cannot be filled in now. */

import type { StageDetail } from '#web/form/stage'
import { createFormatter } from '#web/form/valueFormatter'
import { EmptyState, Notice } from '#web/kit/ui/components'
import { useTranslator } from '#web/participant/texts'
import { ConsentNotice } from './consentNotice'
import type { FormStatus } from './formStatus'

type Props = { status: FormStatus; form: StageDetail }

/** A moment of the form, as the participant's clock shows it. */
function useMomentFormat({ zone }: StageDetail): (at: string) => string {
  const { language } = useTranslator()
  return createFormatter(language, zone)
}

/** In place of a form that cannot be filled in. */
export function ClosedForm({ status, form }: Props) {
  const { t } = useTranslator()
  const formatMoment = useMomentFormat(form)
  const titles: Partial<Record<FormStatus, string>> = {
    ended: t(form.completed ? 'form.endedDone' : 'form.ended'),
    notYet: t('refusal.notOpenYet'),
    left: t('home.withdrawn'),
  }
  const notes: Partial<Record<FormStatus, string>> = {
    ended: t('form.endedAsk'),
    notYet: form.enableAt ? t('home.opens', { time: formatMoment(form.enableAt) }) : t('home.later'),
    left: t('home.withdrawnNote'),
  }
  if (status === 'unconsented' && form.consent) return <ConsentNotice needed={form.consent} />
  return (
    <EmptyState
      icon={status === 'ended' && form.completed ? 'success' : 'info'}
      title={titles[status] ?? t('form.gone')}
      note={notes[status] ?? t('form.goneNote')}
    >
      <a class="button main" href="/app/">
        {t('form.toStart')}
      </a>
    </EmptyState>
  )
}

/** Above a form that somebody fills in: that it ends soon, or has ended meanwhile. It stays in the page, so that it is read out. */
export function FormStatusNotice({ status, form, isReview }: Props & { isReview: boolean }) {
  const { t } = useTranslator()
  const formatMoment = useMomentFormat(form)
  const end = form.expiresAt ? formatMoment(form.expiresAt) : ''
  return (
    <div role="status">
      {status === 'ending' && <Notice kind="info" title={t('form.endsSoon', { time: end })} />}
      {status === 'ended' && (
        <Notice kind="warning" title={t('form.ended')}>
          {!isReview && <p>{t('form.endedNote')}</p>}
        </Notice>
      )}
      {status === 'gone' && (
        <Notice kind="warning" title={t('form.gone')}>
          <p>{t('form.goneSend')}</p>
        </Notice>
      )}
      {status === 'notYet' && <Notice kind="warning" title={t('refusal.notOpenYet')} />}
      {status === 'left' && <Notice kind="warning" title={t('home.withdrawn')} />}
      {status === 'unconsented' && form.consent && <ConsentNotice needed={form.consent} />}
    </div>
  )
}
