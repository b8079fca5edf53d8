/** Above every page of a session on a shared tablet: who is signed in, and the way to sign out. */
import { useState } from 'preact/hooks'
import { Button, Dialog, Notice } from '#web/kit/ui/components'
import { drafts } from '#web/participant/device/drafts'
import { person } from '#web/participant/device/session'
import { unsentMessages } from '#web/participant/pages/outbox'
import { endSession } from './session'
import type { Translator } from './texts'

export function SessionBar({ translator: { t, count } }: { translator: Translator }) {
  const [isAsking, setAsking] = useState(false)
  const begun = drafts.value.length
  return (
    <section class="tablet-bar" aria-label={t('tablet.staffTitle')}>
      <p>
        {t('tablet.signedInAs')} <bdi class="strong">{person.value?.participantId}</bdi>
      </p>
      <Button onPress={() => setAsking(true)}>{t('tablet.signOut')}</Button>
      {isAsking && (
        <Dialog
          title={t('tablet.signOutTitle')}
          action={{ label: t(begun ? 'tablet.handOver' : 'tablet.signOut'), onPress: () => void endSession() }}
          onClose={() => setAsking(false)}
        >
          {begun > 0 && (
            <Notice kind="warning" title={count('tablet.begun', begun)}>
              <p>{t('tablet.begunNote')}</p>
              <div class="actions start">
                <Button kind="danger" onPress={() => void endSession({ isDropped: true })}>
                  {t('tablet.drop')}
                </Button>
              </div>
            </Notice>
          )}
          {unsentMessages.value.length > 0 && <Notice kind="warning" title={t('tablet.messages')} />}
          <p>{t('tablet.signOutNote')}</p>
        </Dialog>
      )}
    </section>
  )
}
