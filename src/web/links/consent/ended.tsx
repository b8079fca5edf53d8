/** Pages for those who cannot go on: each says what to do. */
import type { ComponentChildren } from 'preact'
import { Button } from '#web/ui/components'
import { EndPage } from '../frame'
import { linkPath } from './server'
import { useSpeaker } from './speaking'
import type { Left } from './useFlow'

/** @param onAgain begins again; undefined where only the study team can */
export function Ended({ why, onAgain }: { why: Left; onAgain?: (() => void) | undefined }) {
  const { say } = useSpeaker()
  if (why === 'closed') {
    return (
      <EndPage title={say('consent.closed')} note={say('consent.closedNote')}>
        {onAgain && <WithdrawLink />}
      </EndPage>
    )
  }
  if (why === 'disabled') {
    return (
      <EndPage title={say('consent.disabled')} note={say('consent.disabledNote')}>
        {onAgain && <WithdrawLink />}
      </EndPage>
    )
  }
  const note = say(onAgain ? 'consent.endedNote' : 'consent.endedInPersonNote')
  return (
    <EndPage icon="warning" title={say('consent.ended')} note={note}>
      {onAgain && (
        <Centred>
          <Button kind="main" onPress={onAgain}>
            {say('consent.beginAgain')}
          </Button>
        </Centred>
      )}
    </EndPage>
  )
}

export const Centred = ({ children }: { children: ComponentChildren }) => <div class="actions centred">{children}</div>

/** Leads to the page on which somebody withdraws. It works also when the study takes no consents. */
export function WithdrawLink() {
  const { say } = useSpeaker()
  return (
    <p class="withdraw-link">
      <a href={`/app${linkPath()}/withdraw`}>{say('consent.withdrawLink')}</a>
    </p>
  )
}
