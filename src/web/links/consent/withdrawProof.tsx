/** Shows by a code that an address is one's own, to withdraw. */

import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import { ask } from '#web/kit/api/send'
import { Button, Notice } from '#web/kit/ui/components'
import { AddressField, MethodChoice } from './addressField'
import { addressFault, codeFault, enteredCode, wrongCode } from './codeFaults'
import { CodeField } from './codeField'
import { type CodeCheck, type FailedAnswer, failureText, linkPath, type Method, type Withdrawals } from './requests'
import { useTranslator } from './translator'
import { useFaults } from './useFaults'

type Props = {
  verificationMethods: readonly Method[]
  readOutMethods: readonly Method[]
  onProven: (proof: { path: string } & Withdrawals) => void
  onEnded: () => void
}

type SentCode = { path: string; address: string; since: number }

export function WithdrawProof({ verificationMethods, readOutMethods, onProven, onEnded }: Props) {
  const translator = useTranslator()
  const { t } = translator
  const [method, setMethod] = useState<Method>(verificationMethods[0] ?? 'email')
  const [sent, setSent] = useState<SentCode>()
  const [address, setAddress] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { form, faults, setFaults, clearOnInput } = useFaults()
  const isAsked = useRef(false)
  useEffect(() => {
    if (isAsked.current && sent) form.current?.querySelector<HTMLElement>('[name=code]')?.focus()
  }, [sent])

  /** What is wrong that is not about a field. */
  function fail(failure: FailedAnswer): void {
    if (failure.status === 404 && failure.isRefusal) onEnded()
    else setProblem(failureText(translator, failure))
  }
  /** Each code begins anew: the server never reveals whether it knows the address. */
  async function send(to: string): Promise<void> {
    setBusy(true)
    const body = { method, address: to }
    const answer = await ask<AnswerOf<'startConsentWithdrawal'>>(translator, 'POST', `${linkPath()}/withdrawals`, {
      body,
    })
    setBusy(false)
    isAsked.current = true
    if (answer.isDone)
      return setSent({ path: `/consent-withdrawals/${answer.body.token}`, address: to, since: Date.now() })
    const fault = addressFault(translator, method, answer)
    if (fault) setFaults(sent ? { code: fault } : { address: fault })
    else fail(answer)
  }
  async function check({ path }: SentCode, code: string): Promise<void> {
    setBusy(true)
    const answer = await ask<CodeCheck>(translator, 'POST', `${path}/codes`, { body: { method, code } })
    const own = answer.isDone && answer.body.isVerified ? await ask<Withdrawals>(translator, 'GET', path) : undefined
    setBusy(false)
    if (own) return own.isDone ? onProven({ path, ...own.body }) : fail(own)
    if (answer.isDone) return setFaults({ code: wrongCode(translator, answer.body) })
    const fault = codeFault(translator, answer)
    if (fault) setFaults({ code: fault })
    else fail(answer)
  }
  function submit(event: Event): void {
    event.preventDefault()
    if (isBusy || !form.current) return
    const data = new FormData(form.current)
    const entered = `${data.get('address') ?? ''}`.trim()
    const code = enteredCode(data)
    setProblem(undefined)
    setFaults({})
    if (sent && code) void check(sent, code)
    else if (sent) setFaults({ code: t('consent.needsCode') })
    else if (entered.length < 3) setFaults({ address: t(method === 'email' ? 'consent.badEmail' : 'consent.badPhone') })
    else {
      setAddress(entered)
      void send(entered)
    }
  }
  return (
    <form class="card" ref={form} noValidate onInput={clearOnInput} onSubmit={submit}>
      {sent ? (
        <>
          <Notice kind="info" title={t('withdraw.sent', { address: sent.address })} isLive>
            {readOutMethods.includes(method) && t('withdraw.spokenNote', { address: sent.address })}
          </Notice>
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
          <p>{t('withdraw.how')}</p>
          <div
            onChange={({ target }) => {
              const value = target instanceof HTMLInputElement && target.name === 'method' ? target.value : undefined
              const chosen = verificationMethods.find((each) => each === value)
              if (!chosen) return
              setAddress(undefined)
              setMethod(chosen)
            }}
          >
            <MethodChoice methods={verificationMethods} chosen={method} label={t('consent.method')} />
          </div>
          <AddressField method={method} fault={faults.address} initial={address} />
          <Button kind="main" type="submit" isBusy={isBusy}>
            {t('consent.sendCode')}
          </Button>
          <p class="note after-button">{t('withdraw.help')}</p>
        </>
      )}
      {problem && <Notice kind="fault" title={problem} isLive />}
    </form>
  )
}
