/** What somebody reads whose consent is missing, outdated or withdrawn, with the way to the form that they sign. */

import type { ConsentNeeded } from '#web/form/stage'
import { Notice } from '#web/kit/ui/components'
import { useTranslator } from '#web/participant/texts'

const TITLES = {
  missing: 'refusal.consentMissing',
  outdated: 'refusal.consentOutdated',
  withdrawn: 'refusal.consentWithdrawn',
} as const
const NOTES = {
  missing: 'home.consentMissingNote',
  outdated: 'home.consentOutdatedNote',
  withdrawn: 'home.consentWithdrawnNote',
} as const

export function ConsentNotice({ needed: { status, link } }: { needed: ConsentNeeded }) {
  const { t } = useTranslator()
  return (
    <Notice kind={status === 'withdrawn' ? 'info' : 'warning'} title={t(TITLES[status])}>
      <p>{t(NOTES[status])}</p>
      <p>
        {/* On this server, whatever name the person reached it by. The page does not belong to the app: the browser opens it (`target`). */}
        <a class="button" target="_self" href={new URL(link, location.origin).pathname}>
          {t('home.consentSign')}
        </a>
      </p>
    </Notice>
  )
}
