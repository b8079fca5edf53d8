/** Above every page of a session on a shared tablet: who is signed in, and the way to sign out. */
import { useState } from 'preact/hooks'
import { drafts } from '#web/app/device/drafts'
import { person } from '#web/app/device/session'
import { unsent } from '#web/app/pages/outbox'
import { Button, Dialog, Notice } from '#web/ui/components'
import { end } from './session'
import type { Speaker } from './texts'

export function Bar({ speaker: { say, count } }: { speaker: Speaker }) {
  const [isAsking, setAsking] = useState(false)
  const begun = drafts.value.length
  return (
    <section class="tablet-bar" aria-label={say('tablet.staffTitle')}>
      <p>
        {say('tablet.signedInAs')} <bdi class="strong">{person.value?.participantId}</bdi>
      </p>
      <Button onPress={() => setAsking(true)}>{say('tablet.signOut')}</Button>
      {isAsking && (
        <Dialog
          title={say('tablet.signOutTitle')}
          action={{ label: say(begun ? 'tablet.handOver' : 'tablet.signOut'), onPress: () => void end() }}
          onClose={() => setAsking(false)}
        >
          {begun > 0 && (
            <Notice kind="warning" title={count('tablet.begun', begun)}>
              <p>{say('tablet.begunNote')}</p>
              <div class="actions start">
                <Button kind="danger" onPress={() => void end({ isDropped: true })}>
                  {say('tablet.drop')}
                </Button>
              </div>
            </Notice>
          )}
          {unsent.value.length > 0 && <Notice kind="warning" title={say('tablet.messages')} />}
          <p>{say('tablet.signOutNote')}</p>
        </Dialog>
      )}
    </section>
  )
}
