/** The person's watches and sensors: connect their accounts, and what comes back from the provider. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useCopy } from '#web/app/device/copies'
import { refusedWith } from '#web/app/device/refused'
import { askAs } from '#web/app/device/request'
import { go } from '#web/app/route'
import { useSpeaker } from '#web/app/speaking'
import { Button, Dialog, EmptyState, Notice, Skeleton, showToast } from '#web/ui/components'
import type { Connection } from './answers'
import { Page as Frame, Read, Refresh } from './page'
import { useClock } from './study'

const PATH = '/participants/connections'
const names: Record<Connection['service'], string> = { fitbit: 'Fitbit', garmin: 'Garmin', dexcom: 'Dexcom' }

/** @param service of which the provider sent the person back */
export function Page({ service }: { service?: string }) {
  const { say } = useSpeaker()
  const copy = useCopy<{ connections: Connection[] }>(PATH)
  return (
    <Frame
      title={say('app.connections')}
      action={<Refresh isLoading={copy.isLoading} onPress={() => void copy.refresh()} />}
    >
      <p class="lead">{say('connections.lead')}</p>
      {service !== undefined && <Return service={service} />}
      <Read copy={copy}>
        {({ connections }) =>
          connections.length ? (
            connections.map((each) => <One key={each.service} connection={each} onChange={copy.refresh} />)
          ) : (
            <div class="card">
              <EmptyState icon="inbox" title={say('connections.none')} />
            </div>
          )
        }
      </Read>
    </Frame>
  )
}

/** What the provider sent: a code, or that the person did not agree. */
function Return({ service }: { service: string }) {
  const { say } = useSpeaker()
  const [fault, setFault] = useState<string>()
  const isSent = useRef(false)
  useEffect(() => {
    if (isSent.current) return
    isSent.current = true
    const query = new URLSearchParams(location.search)
    const code = query.get('code') ?? query.get('oauth_token')
    if (!code) return setFault(say('connections.refused'))
    const optional = { scope: query.get('scope'), state: query.get('state'), verifier: query.get('oauth_verifier') }
    const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value))
    void askAs('POST', `${PATH}/${encodeURIComponent(service)}`, { body: { code, ...given } }).then((answer) => {
      if (!answer.isDone) return setFault(refusedWith(answer))
      showToast(say('connections.done'))
      go('connections', { replace: true })
    })
  }, [service, say])
  if (!fault) return <Skeleton lines={2} />
  return <Notice kind="fault" title={fault} isLive />
}

function One({ connection, onChange }: { connection: Connection; onChange: () => Promise<void> }) {
  const { say } = useSpeaker()
  const clock = useClock()
  const [fault, setFault] = useState<string>()
  const [isEnding, setEnding] = useState(false)
  const { service, status, canConnect, lastSyncAt, problem } = connection
  const name = names[service]
  const begin = async () => {
    const answer = await askAs<{ url: string }>('POST', `${PATH}/${service}/sign-in`, { body: {} })
    if (answer.isDone && /^https?:\/\//i.test(answer.body.url)) location.assign(answer.body.url)
    else if (!answer.isDone) setFault(refusedWith(answer))
  }
  const end = async () => {
    const answer = await askAs('DELETE', `${PATH}/${service}`)
    setEnding(false)
    setFault(answer.isDone ? undefined : refusedWith(answer))
    await onChange()
  }
  const states: Record<Connection['status'], string> = {
    none: say('connections.notYet'),
    connected: lastSyncAt ? say('connections.since', { time: clock.moment(lastSyncAt) }) : say('connections.connected'),
    revoked: say('connections.revoked', { service: name }),
    disconnected: say('connections.ended'),
  }
  const isOn = status === 'connected'
  return (
    <section class="card">
      <h2>{name}</h2>
      <p>{states[status]}</p>
      {problem && isOn && <p class="note">{problem}</p>}
      {fault && <Notice kind="fault" title={fault} isLive />}
      {!canConnect && !isOn && <p class="note">{say('connections.notHere')}</p>}
      <div class="actions start">
        {isOn && <Button onPress={() => setEnding(true)}>{say('connections.end')}</Button>}
        {!isOn && canConnect && (
          <Button kind="main" onPress={() => void begin()}>
            {say('connections.begin', { service: name })}
          </Button>
        )}
      </div>
      {isEnding && (
        <Dialog
          title={say('connections.endTitle', { service: name })}
          action={{ label: say('connections.end'), kind: 'danger', onPress: () => void end() }}
          onClose={() => setEnding(false)}
        >
          <p>{say('connections.endNote')}</p>
        </Dialog>
      )}
    </section>
  )
}
