/** What staff see of the tablet: which one it is, what waits on it, and the way out. */
import { useEffect, useState } from 'preact/hooks'
import { setTablet } from '#web/kit/storage/smallStorage'
import { Button, ButtonLink, Dialog, Notice } from '#web/kit/ui/components'
import { sendSealedNow } from '#web/participant/device/shared/sendSealed'
import {
  envelopesWaiting,
  forgetEnvelope,
  forgetFile,
  forgetTablet,
  readyEnvelopes,
  refusedFiles,
} from '#web/participant/device/shared/tabletDatabase'
import { Frame } from '#web/participant/pages/initialPages'
import { currentTablet, type KnownTablet } from './session'
import type { Translator } from './texts'

/** What the server does not take, in its words. */
type RefusedItem = { problem: string; forget(): Promise<void> }

async function readRefusedItems(): Promise<RefusedItem[]> {
  const entries = (await readyEnvelopes()).flatMap(({ id, problem }) =>
    problem === undefined ? [] : [{ problem, forget: () => forgetEnvelope(id) }],
  )
  const files = (await refusedFiles()).map((file) => ({ problem: file.problem, forget: () => forgetFile(file) }))
  return [...entries, ...files]
}

export function Staff({ translator: { t, count }, of: { tablet } }: { translator: Translator; of: KnownTablet }) {
  const [refused, setRefused] = useState<readonly RefusedItem[]>([])
  const [isBusy, setBusy] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const refreshRefused = async () => setRefused(await readRefusedItems())
  useEffect(() => void refreshRefused(), [])
  const send = async () => {
    setBusy(true)
    await sendSealedNow()
    await refreshRefused()
    setBusy(false)
  }
  const remove = async () => {
    setAsking(false)
    for (const { forget } of refused) await forget()
    await refreshRefused()
  }
  const leave = async () => {
    await forgetTablet()
    setTablet(false)
    location.replace('/app/')
  }
  const mayLeave = tablet.state !== 'open' && envelopesWaiting.value === 0
  const facts = [
    [t('tablet.name'), tablet.name],
    [t('tablet.study'), tablet.trial.name],
    ...(tablet.site ? [[t('tablet.site'), tablet.site.name]] : []),
    [t('tablet.unsent'), String(envelopesWaiting.value)],
  ]
  return (
    <Frame title={t('tablet.staffTitle')}>
      <section class="card tablet-staff">
        <dl>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
        <div class="actions start">
          <Button isBusy={isBusy} onPress={() => void send()}>
            {t('tablet.sendNow')}
          </Button>
        </div>
      </section>
      {refused.length > 0 && (
        <Notice kind="warning" title={count('tablet.notTaken', refused.length)}>
          {[...new Set(refused.map(({ problem }) => problem))].map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
          <Button kind="danger" onPress={() => setAsking(true)}>
            {t('tablet.remove')}
          </Button>
        </Notice>
      )}
      <p class="note">{t('tablet.leaveNote')}</p>
      <div class="actions start">
        <Button isDisabled={!mayLeave} onPress={() => void leave()}>
          {t('tablet.leave')}
        </Button>
        <ButtonLink kind="main" href="/app/">
          {t('tablet.back')}
        </ButtonLink>
      </div>
      {isAsking && (
        <Dialog
          title={t('tablet.removeTitle')}
          action={{ label: t('tablet.remove'), kind: 'danger', onPress: () => void remove() }}
          onClose={() => setAsking(false)}
        >
          <p>{t('tablet.removeNote')}</p>
        </Dialog>
      )}
    </Frame>
  )
}

/** Whether nobody can sign in on this tablet any more. */
export const isOver = (): boolean => {
  const state = currentTablet.value?.tablet.state
  return state === 'ended' || state === 'expired'
}
