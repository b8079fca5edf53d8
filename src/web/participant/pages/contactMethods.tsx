/** By which ways the study reaches this person, and notifications on this device. */
import { useEffect, useState } from 'preact/hooks'
import { Button, Notice } from '#web/kit/ui/components'
import { useTranslator } from '#web/participant/texts'
import type { Me } from './apiTypes'
import { Glyph, type GlyphName } from './glyph'
import { isApple, isInstalled } from './install'
import { type PushState, pushState, turnOff, turnOn } from './push'
import { useStudy } from './study'

export function ContactMethods({ me: { participant, trial, pushHere } }: { me: Me }) {
  const { t } = useTranslator()
  const ways: { icon: GlyphName; label: string; isOn: boolean }[] = [
    { icon: 'bell', label: t('reach.push'), isOn: participant.pushAvailable },
    { icon: 'messages', label: t('reach.email'), isOn: participant.emailAvailable },
    { icon: 'phone', label: t('reach.sms'), isOn: participant.smsAvailable },
    { icon: 'phone', label: 'WhatsApp', isOn: participant.whatsappAvailable },
  ]
  const open = ways.filter(({ isOn }) => isOn)
  return (
    <section class="card" aria-labelledby="reach">
      <h2 id="reach">{t('reach.title')}</h2>
      {open.length ? (
        <ul class="ways">
          {open.map(({ icon, label }) => (
            <li key={label}>
              <Glyph name={icon} />
              {label}
            </li>
          ))}
        </ul>
      ) : (
        <p>{t('reach.none')}</p>
      )}
      <Push publicKey={trial.pushPublicKey} isKnown={pushHere} />
      <p class="note">
        {t('reach.calendar')} <a href="/app/calendar">{t('app.calendar')}</a>
      </p>
    </section>
  )
}

function Push({ publicKey, isKnown }: { publicKey: string | null; isKnown: boolean }) {
  const { t } = useTranslator()
  const { refresh } = useStudy()
  const [state, setState] = useState<PushState>('off')
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    void pushState(publicKey, isKnown, isApple() && !isInstalled()).then(setState)
  }, [publicKey, isKnown])
  if (publicKey === null || state === 'off') return null
  const change = async () => {
    setBusy(true)
    setFault(undefined)
    const { isOn, message } = state === 'on' ? await turnOff() : await turnOn(publicKey)
    if (!isOn && state !== 'on') setFault(message ?? t('reach.failed'))
    setState(await pushState(publicKey, isOn, false))
    setBusy(false)
    await refresh()
  }
  const notes: Partial<Record<PushState, string>> = {
    unsupported: t('reach.unsupported'),
    needsInstall: t('reach.needsInstall'),
    denied: t('reach.denied'),
  }
  return (
    <>
      {notes[state] && <p class="note">{notes[state]}</p>}
      {(state === 'on' || state === 'possible') && (
        <div class="actions start">
          <Button isBusy={isBusy} onPress={() => void change()}>
            {t(state === 'on' ? 'reach.turnOff' : 'reach.turnOn')}
          </Button>
        </div>
      )}
      {fault && <Notice kind="warning" title={fault} isLive />}
    </>
  )
}
