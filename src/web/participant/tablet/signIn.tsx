/** The first page of a shared tablet: ID and PIN, by touch, keyboard or scanner. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Answer } from '#web/kit/api/send'
import { language } from '#web/kit/language/chosenLanguage'
import { Button, Notice } from '#web/kit/ui/components'
import { refusalText } from '#web/participant/device/refusalText'
import { envelopesWaiting } from '#web/participant/device/shared/tabletDatabase'
import { Frame } from '#web/participant/pages/initialPages'
import { reloadApp, signIn } from './session'
import type { Translator } from './texts'

/** A sign-in link, as a scanner types it. */
const LINK = /\/(?:app\/)?join(?:\?grant=|\/)([\w-]{20,200})\s*$/

/** Why a sign-in failed, kindly. */
export function signInFault({ t }: Translator, failure: Extract<Answer<never>, { isDone: false }>): string {
  const { status, details } = failure
  if (status === 0 || status >= 500) return t('tablet.offline')
  if (status === 429) return t('tablet.wait')
  if (details.code === 'ended' || details.code === 'expired') return t('tablet.endedNote')
  return status === 401 || status === 422 || status === 404 ? t('tablet.wrong') : refusalText(failure)
}

/** Milliseconds after which what somebody has entered, or the language that they chose, is forgotten. */
const RESET_DELAY = 60_000

/** Begins afresh when somebody has gone without signing in. */
function useInputReset(hasInput: boolean): void {
  const chosen = language.value
  const first = useRef(chosen)
  useEffect(() => {
    if (!hasInput && chosen === first.current) return undefined
    let timer: ReturnType<typeof setTimeout>
    const again = () => {
      clearTimeout(timer)
      timer = setTimeout(reloadApp, RESET_DELAY)
    }
    const uses = ['pointerdown', 'keydown'] as const
    for (const each of uses) addEventListener(each, again, { passive: true })
    again()
    return () => {
      clearTimeout(timer)
      for (const each of uses) removeEventListener(each, again)
    }
  }, [hasInput, chosen])
}

/** What is entered, and what became of it. */
function useSignIn(translator: Translator) {
  const [id, setId] = useState('')
  const [pin, setPin] = useState('')
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const isSending = useRef(false)
  const send = async () => {
    if (isSending.current) return
    const grant = LINK.exec(id)?.[1]
    const participantId = id.trim()
    const missing = grant
      ? undefined
      : !participantId
        ? 'tablet.needsId'
        : pin.length < 4
          ? 'tablet.needsPin'
          : undefined
    if (missing) return setFault(translator.t(missing))
    isSending.current = true
    setBusy(true)
    setFault(undefined)
    const answer = await signIn(grant ? { grant } : { participantId, pin })
    isSending.current = false
    setBusy(false)
    setPin('')
    if (answer.isDone) return
    if (grant) setId('')
    setFault(grant && answer.status === 401 ? translator.t('tablet.linkFailed') : signInFault(translator, answer))
  }
  return { id, setId, pin, setPin, fault, isBusy, send }
}

export function TabletSignIn({ translator }: { translator: Translator }) {
  const { t, count } = translator
  const { id, setId, pin, setPin, fault, isBusy, send } = useSignIn(translator)
  const [idField, pinField] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]
  useEffect(() => idField.current?.focus(), [])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    // A scanner ends what it types with Enter.
    if (document.activeElement === idField.current && id.trim() && !pin && !LINK.test(id)) pinField.current?.focus()
    else void send()
  }
  useInputReset(id !== '' || pin !== '')
  const waiting = envelopesWaiting.value
  return (
    <Frame title={t('tablet.welcome')}>
      <p class="lead">{t('tablet.lead')}</p>
      <form class="card tablet-form" onSubmit={submit} autocomplete="off">
        {fault && <Notice kind="fault" title={fault} isLive />}
        <div class="field">
          <label for="tablet-id">{t('tablet.id')}</label>
          <input
            ref={idField}
            id="tablet-id"
            class="input"
            autocomplete="off"
            autocapitalize="characters"
            spellcheck={false}
            maxLength={300}
            dir="auto"
            value={id}
            onInput={({ currentTarget: { value } }) => setId(value)}
          />
        </div>
        <div class="field">
          <label for="tablet-pin">{t('tablet.pin')}</label>
          <input
            ref={pinField}
            id="tablet-pin"
            // Not a password: the browser would offer to keep it.
            class="input concealed"
            inputmode="numeric"
            autocomplete="off"
            maxLength={8}
            value={pin}
            onInput={({ currentTarget: { value } }) => setPin(value.replace(/\D/g, ''))}
          />
        </div>
        <Keys
          translator={translator}
          onDigit={(digit) => setPin((pin + digit).slice(0, 8))}
          onDelete={() => setPin(pin.slice(0, -1))}
        />
        <div class="actions">
          <Button kind="main" type="submit" isBusy={isBusy}>
            {t('tablet.signIn')}
          </Button>
        </div>
      </form>
      {waiting > 0 && <Notice kind="info">{count('tablet.waiting', waiting)}</Notice>}
      <p class="note">
        <a href="/app/staff">{t('tablet.staff')}</a>
      </p>
    </Frame>
  )
}

type KeysProps = { translator: Translator; onDigit: (digit: string) => void; onDelete: () => void }

function Keys({ translator: { t }, onDigit, onDelete }: KeysProps) {
  return (
    // In languages from right to left, too, 1 is on the left of the keys of a phone.
    <fieldset class="keys" dir="ltr">
      <legend class="hidden">{t('tablet.keys')}</legend>
      {['1', '2', '3', '4', '5', '6', '7', '8', '9', '0'].map((digit) => (
        <button key={digit} type="button" class="key" onClick={() => onDigit(digit)}>
          {digit}
        </button>
      ))}
      <button type="button" class="key" aria-label={t('tablet.delete')} onClick={onDelete}>
        ⌫
      </button>
    </fieldset>
  )
}
