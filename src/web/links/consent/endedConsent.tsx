/** Pages for those who cannot go on: each says what to do. */
import type { ComponentChildren } from 'preact'
import { Button } from '#web/kit/ui/components'
import { EndPage } from '../frame'
import { linkPath } from './requests'
import { useTranslator } from './translator'
import type { LeaveReason } from './useFlow'

/** @param onAgain begins again; undefined where only the study team can */
export function EndedConsent({ why, onAgain }: { why: LeaveReason; onAgain?: (() => void) | undefined }) {
  const { t } = useTranslator()
  if (why === 'closed') {
    return (
      <EndPage title={t('consent.closed')} note={t('consent.closedNote')}>
        {onAgain && <WithdrawLink />}
      </EndPage>
    )
  }
  if (why === 'disabled') {
    return (
      <EndPage title={t('consent.disabled')} note={t('consent.disabledNote')}>
        {onAgain && <WithdrawLink />}
      </EndPage>
    )
  }
  const note = t(onAgain ? 'consent.endedNote' : 'consent.endedInPersonNote')
  return (
    <EndPage icon="warning" title={t('consent.ended')} note={note}>
      {onAgain && (
        <Centred>
          <Button kind="main" onPress={onAgain}>
            {t('consent.beginAgain')}
          </Button>
        </Centred>
      )}
    </EndPage>
  )
}

export const Centred = ({ children }: { children: ComponentChildren }) => <div class="actions centred">{children}</div>

/** Leads to the page on which somebody withdraws. It works also when the study takes no consents. */
export function WithdrawLink() {
  const { t } = useTranslator()
  return (
    <p class="withdraw-link">
      <a href={`/app${linkPath()}/withdraw`}>{t('consent.withdrawLink')}</a>
    </p>
  )
}
