/** What is kept on this device: what waits to be sent, what the server did not take, and drafts. */

import { useState } from 'preact/hooks'
import { isKeptFile } from '#web/form/answers/model'
import { isHeld } from '#web/form/answers/verdict'
import { saveFile } from '#web/kit/files/saveFile'
import { deviceZone } from '#web/kit/language/dates'
import { studyText } from '#web/kit/language/studyText'
import { isTablet } from '#web/kit/storage/smallStorage'
import { Button, Dialog, EmptyState, Notice, Progress, showToast } from '#web/kit/ui/components'
import { drafts } from '#web/participant/device/drafts'
import type { Entry } from '#web/participant/device/model'
import { discard, entries, othersWaiting, reopen, sendNow } from '#web/participant/device/queue'
import { isOnline } from '#web/participant/device/session'
import { sharesSent } from '#web/participant/device/uploads'
import { newVersion, takeOver } from '#web/participant/device/worker'
import { go } from '#web/participant/route'
import { useTranslator } from '#web/participant/texts'
import { lazyPage } from './lazyPage'
import { Page as Frame } from './page'
import { useClock, useStudy } from './study'

const Refusal = lazyPage(() => import('../form/refusal'))

/** Signs that browsers delete what an app keeps if it is not used for some days. */
const OLD = 5 * 86_400_000

export function Page() {
  const { t, count } = useTranslator()
  const list = entries.value
  const isWaiting = list.some(({ state }) => state === 'waiting')
  const isOld = list.some(({ state, madeAt }) => state === 'waiting' && Date.now() - Date.parse(madeAt) > OLD)
  // Then the line above the page says that, and not that there is a new version.
  const isInStatusLine = !isOnline.value || list.some(({ state }) => state === 'refused')
  const others = othersWaiting.value
  return (
    <Frame title={t('app.waiting')}>
      <p class="lead">{t(isOnline.value ? 'kept.lead' : 'kept.leadOffline')}</p>
      {isOld && (
        <Notice kind="warning" title={t('kept.old')}>
          {t('kept.oldNote')}
        </Notice>
      )}
      {newVersion.value && isInStatusLine && (
        <Notice kind="info" title={t('queue.newVersion')}>
          <Button onPress={takeOver}>{t('queue.takeOver')}</Button>
        </Notice>
      )}
      {isWaiting && (
        <div class="actions">
          <Button kind="main" onPress={sendNow}>
            {t('kept.sendNow')}
          </Button>
        </div>
      )}
      {list.map((entry) => (
        <EntryCard key={entry.id} entry={entry} />
      ))}
      {list.length === 0 && (
        <div class="card">
          <EmptyState icon="success" title={t('kept.none')} note={t('kept.noneNote')} />
        </div>
      )}
      {drafts.value.length > 0 && <p class="note">{count('kept.drafts', drafts.value.length)}</p>}
      {others > 0 && (
        <Notice kind="info" title={count('signIn.others', others)}>
          {t('signIn.othersNote')}
        </Notice>
      )}
    </Frame>
  )
}

/** The files of an entry, with how much of each has been sent. */
function Files({ entry }: { entry: Entry }) {
  const { t } = useTranslator()
  const files = Object.values(entry.answers).flatMap(({ value }) => (isKeptFile(value) ? [value] : []))
  const shares = sharesSent.value
  return (
    <>
      {files.map(({ blob, name }) => {
        const share = shares.get(blob)
        return share === undefined ? null : (
          <Progress key={blob} label={t('kept.file', { name })} share={share} note={`${Math.floor(share * 100)} %`} />
        )
      })}
    </>
  )
}

function EntryCard({ entry }: { entry: Entry }) {
  const { t } = useTranslator()
  const clock = useClock()
  const { me } = useStudy()
  const { id, title, madeAt, state, problem } = entry
  const [isDiscarding, setDiscarding] = useState(false)
  const states = {
    waiting: t('kept.waiting'),
    refused: t('kept.refused'),
    held: t('kept.held'),
    declined: t('kept.declined'),
  }
  const correctEntry = async () => {
    await reopen(id)
    go(`stages/${entry.occurrence}`)
  }
  const save = async () => {
    const { saveCopy } = await import('#web/participant/device/savedCopy')
    const copy = await saveCopy(id)
    if (copy) saveFile(copy, `${title}.zip`)
  }
  const drop = async () => {
    await discard(id)
    setDiscarding(false)
    showToast(t('kept.discarded'))
  }
  return (
    <section class={`card kept ${state}`}>
      <h2 {...studyText(title)}>{title}</h2>
      <p class="note">{t('kept.made', { time: clock.moment(madeAt) })}</p>
      <p>{states[state]}</p>
      {state === 'declined' && <p class="note">{t('kept.declinedNote')}</p>}
      {state === 'waiting' && <Files entry={entry} />}
      {problem && state === 'refused' && <Refusal problem={problem} zone={me?.zone ?? deviceZone()} />}
      <div class="actions start">
        {state === 'refused' && (!problem || isHeld(problem)) && (
          <Button kind="main" onPress={() => void correctEntry()}>
            {t('kept.mend')}
          </Button>
        )}
        {!isTablet && <Button onPress={() => void save()}>{t('kept.save')}</Button>}
        {state !== 'waiting' && <Button onPress={() => setDiscarding(true)}>{t('kept.discard')}</Button>}
      </div>
      {isDiscarding && (
        <Dialog
          title={t('kept.discardTitle', { form: title })}
          action={{ label: t('kept.discard'), kind: 'danger', onPress: () => void drop() }}
          onClose={() => setDiscarding(false)}
        >
          <p>{t(state === 'held' ? 'kept.discardHeld' : 'kept.discardNote')}</p>
        </Dialog>
      )}
    </section>
  )
}
