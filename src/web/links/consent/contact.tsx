/** Addresses of a person, each confirmed by a code. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button, Icon, Notice } from '#web/kit/ui/components'
import { AddressField, MethodChoice } from './addressField'
import { addressFault, codeFault, enteredCode, wrongCode } from './codeFaults'
import { CodeField } from './codeField'
import type { Method, Verification } from './requests'
import { StepActions } from './stepActions'
import { unverifiedMethods } from './steps'
import { methodNames } from './titles'
import { useTranslator } from './translator'
import { useFaults } from './useFaults'
import type { Flow } from './useFlow'

const isOpen = ({ verifiedAt, expiresAt }: Verification): boolean =>
  verifiedAt === null && Date.parse(expiresAt) > Date.now()

export function Contact({ flow }: { flow: Flow }) {
  const translator = useTranslator()
  const { t } = translator
  const { session, next, refresh } = flow
  const { verificationMethods, requiredVerificationMethods } = session.sheet
  const verified = session.verifications.filter(({ verifiedAt }) => verifiedAt !== null)
  const rest = verificationMethods.filter((method) => verified.every((each) => each.method !== method))
  const needed = unverifiedMethods(session)
  const [isAdding, setAdding] = useState(false)
  const [isTooSoon, setTooSoon] = useState(false)
  const warning = useRef<HTMLDivElement>(null)
  const names = methodNames(translator)
  const methodList = (methods: readonly Method[]) =>
    new Intl.ListFormat(translator.language, { type: 'conjunction' }).format(methods.map((each) => names[each]))
  useEffect(() => {
    if (isTooSoon) warning.current?.focus()
  }, [isTooSoon])

  function submit(event: Event): void {
    event.preventDefault()
    if (needed.length) setTooSoon(true)
    else next()
  }
  const isAsked = rest.length > 0 && (needed.length > 0 || !verified.length || isAdding)
  return (
    <>
      <p class="lead">{t('consent.contactLead')}</p>
      {verified.map(({ method, address }) => (
        <p class="verified" key={method}>
          <Icon name="success" />
          <span>
            {names[method]} · <bdi>{address}</bdi>
            <span class="hidden"> {t('consent.verified', { address })}</span>
          </span>
        </p>
      ))}
      {requiredVerificationMethods.length > 0
        ? needed.length > 0 && <p class="note">{t('consent.contactRequired', { methods: methodList(needed) })}</p>
        : !verified.length && <p class="note">{t('consent.contactOptional')}</p>}
      {isAsked ? (
        <ConfirmAddress
          key={rest.join()}
          flow={flow}
          methods={needed.length ? needed : rest}
          onAsked={() => setTooSoon(false)}
          onVerified={async () => {
            setTooSoon(false)
            setAdding(false)
            await refresh()
          }}
        />
      ) : (
        rest.length > 0 && (
          <p>
            <Button onPress={() => setAdding(true)}>{t('consent.addAddress')}</Button>
          </p>
        )
      )}
      <div ref={warning} tabIndex={-1}>
        {isTooSoon && needed.length > 0 && (
          <Notice kind="fault" title={t('consent.needsVerified', { methods: methodList(needed) })} isLive />
        )}
      </div>
      <form noValidate onSubmit={submit}>
        <StepActions
          flow={flow}
          isQuiet={needed.length > 0}
          {...(verified.length || needed.length ? {} : { label: t('consent.without') })}
        />
      </form>
    </>
  )
}

type Props = { flow: Flow; methods: readonly Method[]; onAsked: () => void; onVerified: () => Promise<void> }

/** One address: first itself, then its code. */
function ConfirmAddress({ flow, methods, onAsked, onVerified }: Props) {
  const translator = useTranslator()
  const { t } = translator
  const { session, ask, handleFailure } = flow
  const { isInPerson, sheet } = session
  const before = session.verifications.find((each) => methods.includes(each.method) && isOpen(each))
  const [method, setMethod] = useState<Method>(before?.method ?? methods[0] ?? 'email')
  const [sent, setSent] = useState(before && { address: before.address, since: Date.parse(before.createdAt) })
  const [address, setAddress] = useState(before?.address)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { form, faults, setFaults, clearOnInput } = useFaults()
  const isReadOut = sheet.readOutMethods.includes(method)
  // After the code was asked for, its field is the next thing to fill in.
  const asked = useRef(0)
  useEffect(() => {
    if (asked.current && sent) form.current?.querySelector<HTMLElement>('[name=code]')?.focus()
  }, [sent])

  async function send(to: string): Promise<void> {
    onAsked()
    setBusy(true)
    const answer = await ask.sendCode(method, to)
    setBusy(false)
    asked.current++
    if (answer.isDone) return setSent({ address: answer.body.address, since: Date.now() })
    const fault = addressFault(translator, method, answer)
    if (fault) setFaults(sent ? { code: fault } : { address: fault })
    else setProblem(handleFailure(answer))
  }
  async function check(code: string): Promise<void> {
    setBusy(true)
    const answer = await ask.checkCode(method, code)
    if (answer.isDone && answer.body.isVerified) await onVerified()
    setBusy(false)
    if (answer.isDone)
      return answer.body.isVerified ? undefined : setFaults({ code: wrongCode(translator, answer.body) })
    const fault = codeFault(translator, answer)
    if (fault) setFaults({ code: fault })
    else setProblem(handleFailure(answer))
  }
  function submit(event: Event): void {
    event.preventDefault()
    if (isBusy || !form.current) return
    const data = new FormData(form.current)
    const [entered, code] = [`${data.get('address') ?? ''}`.trim(), enteredCode(data)]
    setProblem(undefined)
    setFaults({})
    if (sent) {
      if (code) void check(code)
      else setFaults({ code: t('consent.needsCode') })
    } else if (entered.length < 3) {
      setFaults({ address: t(method === 'email' ? 'consent.badEmail' : 'consent.badPhone') })
    } else {
      setAddress(entered)
      void send(entered)
    }
  }
  return (
    <form class="card" ref={form} noValidate onInput={clearOnInput} onSubmit={submit}>
      {sent ? (
        <>
          {isReadOut ? (
            <Notice kind="info" title={t('consent.spoken')} isLive>
              {t('consent.spokenNote', { address: sent.address })}
            </Notice>
          ) : (
            <Notice kind="success" isLive>
              {t('consent.sent', { address: sent.address })}
            </Notice>
          )}
          <CodeField
            since={sent.since}
            fault={faults.code}
            isBusy={isBusy}
            onAgain={() => {
              setFaults({})
              void send(sent.address)
            }}
            onOther={() => {
              setFaults({})
              setSent(undefined)
            }}
          />
        </>
      ) : (
        <>
          <div
            onChange={({ target }) => {
              if (!(target instanceof HTMLInputElement) || target.name !== 'method') return
              const chosen = methods.find((each) => each === target.value)
              if (!chosen) return
              setAddress(undefined)
              setFaults({})
              setMethod(chosen)
            }}
          >
            <MethodChoice methods={methods} chosen={method} label={t('consent.method')} />
          </div>
          <AddressField method={method} fault={faults.address} initial={address} isPrivate={isInPerson} />
          <Button kind="main" type="submit" isBusy={isBusy}>
            {t(isReadOut ? 'consent.askCode' : 'consent.sendCode')}
          </Button>
        </>
      )}
      {problem && <Notice kind="fault" title={problem} isLive />}
    </form>
  )
}
