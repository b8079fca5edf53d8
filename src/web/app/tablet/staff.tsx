/** What staff see of the tablet: which one it is, what waits on it, and the way out. */
import { useEffect, useState } from 'preact/hooks'
import { carryNow } from '#web/app/device/shared/carry'
import {
  envelopesWaiting,
  forgetEnvelope,
  forgetFile,
  forgetTablet,
  readyEnvelopes,
  refusedFiles,
} from '#web/app/device/shared/kept'
import { becomeTablet } from '#web/app/device/tablet'
import { Frame } from '#web/app/pages/first'
import { Button, ButtonLink, Dialog, Notice } from '#web/ui/components'
import { type Known, known } from './session'
import type { Speaker } from './texts'

/** What the server does not take, in its words. */
type Refused = { problem: string; forget(): Promise<void> }

async function allRefused(): Promise<Refused[]> {
  const entries = (await readyEnvelopes()).flatMap(({ id, problem }) =>
    problem === undefined ? [] : [{ problem, forget: () => forgetEnvelope(id) }],
  )
  const files = (await refusedFiles()).map((file) => ({ problem: file.problem, forget: () => forgetFile(file) }))
  return [...entries, ...files]
}

export function Staff({ speaker: { say, count }, of: { tablet } }: { speaker: Speaker; of: Known }) {
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const [isBusy, setBusy] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const look = async () => setRefused(await allRefused())
  useEffect(() => void look(), [])
  const send = async () => {
    setBusy(true)
    await carryNow()
    await look()
    setBusy(false)
  }
  const remove = async () => {
    setAsking(false)
    for (const { forget } of refused) await forget()
    await look()
  }
  const leave = async () => {
    await forgetTablet()
    becomeTablet(false)
    location.replace('/app/')
  }
  const mayLeave = tablet.state !== 'open' && envelopesWaiting.value === 0
  const facts = [
    [say('tablet.name'), tablet.name],
    [say('tablet.study'), tablet.trial.name],
    ...(tablet.site ? [[say('tablet.site'), tablet.site.name]] : []),
    [say('tablet.unsent'), String(envelopesWaiting.value)],
  ]
  return (
    <Frame title={say('tablet.staffTitle')}>
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
            {say('tablet.sendNow')}
          </Button>
        </div>
      </section>
      {refused.length > 0 && (
        <Notice kind="warning" title={count('tablet.notTaken', refused.length)}>
          {[...new Set(refused.map(({ problem }) => problem))].map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
          <Button kind="danger" onPress={() => setAsking(true)}>
            {say('tablet.remove')}
          </Button>
        </Notice>
      )}
      <p class="note">{say('tablet.leaveNote')}</p>
      <div class="actions start">
        <Button isDisabled={!mayLeave} onPress={() => void leave()}>
          {say('tablet.leave')}
        </Button>
        <ButtonLink kind="main" href="/app/">
          {say('tablet.back')}
        </ButtonLink>
      </div>
      {isAsking && (
        <Dialog
          title={say('tablet.removeTitle')}
          action={{ label: say('tablet.remove'), kind: 'danger', onPress: () => void remove() }}
          onClose={() => setAsking(false)}
        >
          <p>{say('tablet.removeNote')}</p>
        </Dialog>
      )}
    </Frame>
  )
}

/** Whether the tablet takes nobody any more. */
export const isOver = (): boolean => {
  const state = known.value?.tablet.state
  return state === 'ended' || state === 'expired'
}
