/** What is kept on this device: what waits to be sent, what the server did not take, and drafts. */

import { useState } from 'preact/hooks'
import { drafts } from '#web/app/device/drafts'
import { type Entry, isKeptFile } from '#web/app/device/model'
import { discard, entries, othersWaiting, reopen, sendNow } from '#web/app/device/queue'
import { isOnline } from '#web/app/device/session'
import { isTablet } from '#web/app/device/tablet'
import { sharesSent } from '#web/app/device/uploads'
import { isHeld } from '#web/app/device/verdict'
import { newVersion, takeOver } from '#web/app/device/worker'
import { go } from '#web/app/route'
import { useSpeaker } from '#web/app/speaking'
import { saveFile } from '#web/common/saveFile'
import { studyText } from '#web/common/studyText'
import { Button, Dialog, EmptyState, Notice, Progress, showToast } from '#web/ui/components'
import { lazily } from './lazily'
import { deviceZone } from './moments'
import { Page as Frame } from './page'
import { useClock, useStudy } from './study'

const Refusal = lazily(() => import('../form/refusal'))

/** Signs that browsers delete what an app keeps if it is not used for some days. */
const OLD = 5 * 86_400_000

export function Page() {
  const { say, count } = useSpeaker()
  const list = entries.value
  const isWaiting = list.some(({ state }) => state === 'waiting')
  const isOld = list.some(({ state, madeAt }) => state === 'waiting' && Date.now() - Date.parse(madeAt) > OLD)
  // Then the line above the page says that, and not that there is a new version.
  const isSaidAbove = !isOnline.value || list.some(({ state }) => state === 'refused')
  const others = othersWaiting.value
  return (
    <Frame title={say('app.waiting')}>
      <p class="lead">{say(isOnline.value ? 'kept.lead' : 'kept.leadOffline')}</p>
      {isOld && (
        <Notice kind="warning" title={say('kept.old')}>
          {say('kept.oldNote')}
        </Notice>
      )}
      {newVersion.value && isSaidAbove && (
        <Notice kind="info" title={say('queue.newVersion')}>
          <Button onPress={takeOver}>{say('queue.takeOver')}</Button>
        </Notice>
      )}
      {isWaiting && (
        <div class="actions">
          <Button kind="main" onPress={sendNow}>
            {say('kept.sendNow')}
          </Button>
        </div>
      )}
      {list.map((entry) => (
        <Kept key={entry.id} entry={entry} />
      ))}
      {list.length === 0 && (
        <div class="card">
          <EmptyState icon="success" title={say('kept.none')} note={say('kept.noneNote')} />
        </div>
      )}
      {drafts.value.length > 0 && <p class="note">{count('kept.drafts', drafts.value.length)}</p>}
      {others > 0 && (
        <Notice kind="info" title={count('signIn.others', others)}>
          {say('signIn.othersNote')}
        </Notice>
      )}
    </Frame>
  )
}

/** The files of an entry, with how much of each has been sent. */
function Files({ entry }: { entry: Entry }) {
  const { say } = useSpeaker()
  const files = Object.values(entry.answers).flatMap(({ value }) => (isKeptFile(value) ? [value] : []))
  const shares = sharesSent.value
  return (
    <>
      {files.map(({ blob, name }) => {
        const share = shares.get(blob)
        return share === undefined ? null : (
          <Progress key={blob} label={say('kept.file', { name })} share={share} note={`${Math.floor(share * 100)} %`} />
        )
      })}
    </>
  )
}

function Kept({ entry }: { entry: Entry }) {
  const { say } = useSpeaker()
  const clock = useClock()
  const { me } = useStudy()
  const { id, title, madeAt, state, problem } = entry
  const [isDiscarding, setDiscarding] = useState(false)
  const states = {
    waiting: say('kept.waiting'),
    refused: say('kept.refused'),
    held: say('kept.held'),
    declined: say('kept.declined'),
  }
  const mend = async () => {
    await reopen(id)
    go(`stages/${entry.occurrence}`)
  }
  const save = async () => {
    const { saveCopy } = await import('#web/app/device/savedCopy')
    const copy = await saveCopy(id)
    if (copy) saveFile(copy, `${title}.zip`)
  }
  const drop = async () => {
    await discard(id)
    setDiscarding(false)
    showToast(say('kept.discarded'))
  }
  return (
    <section class={`card kept ${state}`}>
      <h2 {...studyText(title)}>{title}</h2>
      <p class="note">{say('kept.made', { time: clock.moment(madeAt) })}</p>
      <p>{states[state]}</p>
      {state === 'declined' && <p class="note">{say('kept.declinedNote')}</p>}
      {state === 'waiting' && <Files entry={entry} />}
      {problem && state === 'refused' && <Refusal problem={problem} zone={me?.zone ?? deviceZone()} />}
      <div class="actions start">
        {state === 'refused' && (!problem || isHeld(problem)) && (
          <Button kind="main" onPress={() => void mend()}>
            {say('kept.mend')}
          </Button>
        )}
        {!isTablet && <Button onPress={() => void save()}>{say('kept.save')}</Button>}
        {state !== 'waiting' && <Button onPress={() => setDiscarding(true)}>{say('kept.discard')}</Button>}
      </div>
      {isDiscarding && (
        <Dialog
          title={say('kept.discardTitle', { form: title })}
          action={{ label: say('kept.discard'), kind: 'danger', onPress: () => void drop() }}
          onClose={() => setDiscarding(false)}
        >
          <p>{say(state === 'held' ? 'kept.discardHeld' : 'kept.discardNote')}</p>
        </Dialog>
      )}
    </section>
  )
}
