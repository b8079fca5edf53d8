/** The person's watches and sensors: connect their accounts, and what comes back from the provider. */

import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import { Button, Dialog, EmptyState, Notice, Skeleton, showToast } from '#web/kit/ui/components'
import { useCopy } from '#web/participant/device/copies'
import { refusalText } from '#web/participant/device/refusalText'
import { askAs } from '#web/participant/device/request'
import { go } from '#web/participant/route'
import { useTranslator } from '#web/participant/texts'
import type { Connection } from './apiTypes'
import { CopyContent, Page as Frame, RefreshButton } from './page'
import { useClock } from './study'

const PATH = '/participants/connections'
const names: Record<Connection['service'], string> = { fitbit: 'Fitbit', garmin: 'Garmin', dexcom: 'Dexcom' }

/** @param service of which the provider sent the person back */
export function Page({ service }: { service?: string }) {
  const { t } = useTranslator()
  const copy = useCopy<AnswerOf<'listOwnConnections'>>(PATH)
  return (
    <Frame
      title={t('app.connections')}
      action={<RefreshButton isLoading={copy.isLoading} onPress={() => void copy.refresh()} />}
    >
      <p class="lead">{t('connections.lead')}</p>
      {service !== undefined && <ConnectionReturn service={service} />}
      <CopyContent copy={copy}>
        {({ connections }) =>
          connections.length ? (
            connections.map((each) => <ConnectionCard key={each.service} connection={each} onChange={copy.refresh} />)
          ) : (
            <div class="card">
              <EmptyState icon="inbox" title={t('connections.none')} />
            </div>
          )
        }
      </CopyContent>
    </Frame>
  )
}

/** What the provider sent: a code, or that the person did not agree. */
function ConnectionReturn({ service }: { service: string }) {
  const { t } = useTranslator()
  const [fault, setFault] = useState<string>()
  const isSent = useRef(false)
  useEffect(() => {
    if (isSent.current) return
    isSent.current = true
    const query = new URLSearchParams(location.search)
    const code = query.get('code') ?? query.get('oauth_token')
    if (!code) return setFault(t('connections.refused'))
    const optional = { scope: query.get('scope'), state: query.get('state'), verifier: query.get('oauth_verifier') }
    const parameters = Object.fromEntries(Object.entries(optional).filter(([, value]) => value))
    void askAs('POST', `${PATH}/${encodeURIComponent(service)}`, { body: { code, ...parameters } }).then((answer) => {
      if (!answer.isDone) return setFault(refusalText(answer))
      showToast(t('connections.done'))
      go('connections', { replace: true })
    })
  }, [service, t])
  if (!fault) return <Skeleton lines={2} />
  return <Notice kind="fault" title={fault} isLive />
}

function ConnectionCard({ connection, onChange }: { connection: Connection; onChange: () => Promise<void> }) {
  const { t } = useTranslator()
  const clock = useClock()
  const [fault, setFault] = useState<string>()
  const [isEnding, setEnding] = useState(false)
  const { service, status, canConnect, lastSyncAt, problem } = connection
  const name = names[service]
  const begin = async () => {
    const answer = await askAs<AnswerOf<'beginWearableSignIn'>>('POST', `${PATH}/${service}/sign-in`, { body: {} })
    if (answer.isDone && /^https?:\/\//i.test(answer.body.url)) location.assign(answer.body.url)
    else if (!answer.isDone) setFault(refusalText(answer))
  }
  const end = async () => {
    const answer = await askAs('DELETE', `${PATH}/${service}`)
    setEnding(false)
    setFault(answer.isDone ? undefined : refusalText(answer))
    await onChange()
  }
  const states: Record<Connection['status'], string> = {
    none: t('connections.notYet'),
    connected: lastSyncAt ? t('connections.since', { time: clock.moment(lastSyncAt) }) : t('connections.connected'),
    revoked: t('connections.revoked', { service: name }),
    disconnected: t('connections.ended'),
  }
  const isOn = status === 'connected'
  return (
    <section class="card">
      <h2>{name}</h2>
      <p>{states[status]}</p>
      {problem && isOn && <p class="note">{t('connections.failed', { service: name })}</p>}
      {fault && <Notice kind="fault" title={fault} isLive />}
      {!canConnect && !isOn && <p class="note">{t('connections.notHere')}</p>}
      <div class="actions start">
        {isOn && <Button onPress={() => setEnding(true)}>{t('connections.end')}</Button>}
        {!isOn && canConnect && (
          <Button kind="main" onPress={() => void begin()}>
            {t('connections.begin', { service: name })}
          </Button>
        )}
      </div>
      {isEnding && (
        <Dialog
          title={t('connections.endTitle', { service: name })}
          action={{ label: t('connections.end'), kind: 'danger', onPress: () => void end() }}
          onClose={() => setEnding(false)}
        >
          <p>{t('connections.endNote')}</p>
        </Dialog>
      )}
    </section>
  )
}
