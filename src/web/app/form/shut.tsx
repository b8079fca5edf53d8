/** What is said of a form that ends soon, or cannot be filled in now. */
import { useSpeaker } from '#web/app/speaking'
import { EmptyState, Notice } from '#web/ui/components'
import { ConsentNotice } from './consentNotice'
import type { StageDetail } from './stage'
import type { Standing } from './standing'
import { writtenIn } from './written'

type Props = { standing: Standing; form: StageDetail }

/** A moment of the form, as the participant's clock shows it. */
function useWritten({ zone }: StageDetail): (at: string) => string {
  const { language } = useSpeaker()
  return writtenIn(language, zone)
}

/** In place of a form that cannot be filled in. */
export function Shut({ standing, form }: Props) {
  const { say } = useSpeaker()
  const written = useWritten(form)
  const titles: Partial<Record<Standing, string>> = {
    ended: say(form.completed ? 'form.endedDone' : 'form.ended'),
    notYet: say('refusal.notOpenYet'),
    left: say('home.withdrawn'),
  }
  const notes: Partial<Record<Standing, string>> = {
    ended: say('form.endedAsk'),
    notYet: form.enableAt ? say('home.opens', { time: written(form.enableAt) }) : say('home.later'),
    left: say('home.withdrawnNote'),
  }
  if (standing === 'unconsented' && form.consent) return <ConsentNotice needed={form.consent} />
  return (
    <EmptyState
      icon={standing === 'ended' && form.completed ? 'success' : 'info'}
      title={titles[standing] ?? say('form.gone')}
      note={notes[standing] ?? say('form.goneNote')}
    >
      <a class="button main" href="/app/">
        {say('form.toStart')}
      </a>
    </EmptyState>
  )
}

/** Above a form that somebody fills in: that it ends soon, or has ended meanwhile. It stays in the page, so that it is read out. */
export function Ending({ standing, form, isReview }: Props & { isReview: boolean }) {
  const { say } = useSpeaker()
  const written = useWritten(form)
  const end = form.expiresAt ? written(form.expiresAt) : ''
  return (
    <div role="status">
      {standing === 'ending' && <Notice kind="info" title={say('form.endsSoon', { time: end })} />}
      {standing === 'ended' && (
        <Notice kind="warning" title={say('form.ended')}>
          {!isReview && <p>{say('form.endedNote')}</p>}
        </Notice>
      )}
      {standing === 'gone' && (
        <Notice kind="warning" title={say('form.gone')}>
          <p>{say('form.goneSend')}</p>
        </Notice>
      )}
      {standing === 'notYet' && <Notice kind="warning" title={say('refusal.notOpenYet')} />}
      {standing === 'left' && <Notice kind="warning" title={say('home.withdrawn')} />}
      {standing === 'unconsented' && form.consent && <ConsentNotice needed={form.consent} />}
    </div>
  )
}
