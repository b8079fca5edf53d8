import { Notice } from '#web/kit/ui/components'
import type { Problem } from './devices'
import { useTranslator } from './texts'

/** Why there is no camera or microphone, and what to do. */
export function Trouble({ problem }: { problem: Problem }) {
  const { t } = useTranslator()
  const texts: Record<Problem, readonly [string, string]> = {
    unable: [t('meeting.unable'), t('meeting.unableNote')],
    insecure: [t('meeting.insecure'), t('meeting.insecureNote')],
    refused: [t('meeting.refused'), t('meeting.refusedNote')],
    missing: [t('meeting.missing'), t('meeting.missingNote')],
    busy: [t('meeting.busy'), t('meeting.busyNote')],
  }
  const [title, note] = texts[problem]
  return (
    <Notice kind="warning" title={title} isLive>
      <p>{note}</p>
      {problem === 'insecure' && (
        <p>
          <a href="/trust">{t('meeting.trust')}</a>
        </p>
      )}
    </Notice>
  )
}
