/** A contact that is confirmed by a code before the answers of a poll are sent. */

import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import { ask, type FailedAnswer } from '#web/kit/api/send'
import { Button, Field, Icon, Notice } from '#web/kit/ui/components'
import { type Translator, useTranslator } from '#web/links/texts'
import { useCountdown } from './useCountdown'

export type ContactMethod = 'email' | 'phone'
type CodeCheck = AnswerOf<'checkPollCode'>

type Props = {
  method: ContactMethod
  /** Of the poll, without a slash at the end. */
  path: string
  /** The id with which the answers will be sent. */
  entry: string
  /** The server has no sender for it: the study team reads the code out. */
  isReadOut: boolean
  /** It must be the contact of somebody who consented. */
  isConsented: boolean
  /** The address that is confirmed; undefined until an address is confirmed. */
  confirmed: string | undefined
  /** What was wrong when the person wanted to send the answers. */
  fault: string | undefined
  onConfirmed: (address: string) => void
  /** The person goes on with it: the fault from outside is over. */
  onTouched: () => void
}

const invalidAddressText = ({ t }: Translator, method: ContactMethod) =>
  t(method === 'email' ? 'poll.badEmail' : 'poll.badPhone')

/** What a refusal means, in words of the page. */
function faultOf(
  translator: Translator,
  method: ContactMethod,
  { status, message, fields, details }: FailedAnswer,
): string {
  const { t } = translator
  if (status === 0) return t('poll.codeOffline')
  if (fields.address !== undefined) return invalidAddressText(translator, method)
  if (fields.code !== undefined) return t('poll.codeEnded')
  if (status === 429) return t('refusal.tooMany')
  if (details.code === 'tooSoon') return t('poll.tooSoon')
  if (details.code === 'tooManyCodes') return t('poll.tooMany')
  if (details.code === 'otherCountry') return t('poll.otherCountry')
  if (details.code === 'codeEnded' || details.code === 'noCode') return t('poll.codeEnded')
  return details.code === 'closed' ? t('poll.closed') : message
}

export function Proof(props: Props) {
  const { method, path, entry, isReadOut, isConsented, confirmed, fault, onConfirmed, onTouched } = props
  const translator = useTranslator()
  const { t } = translator
  const [entered, setEntered] = useState('')
  const [code, setCode] = useState('')
  const [sent, setSent] = useState<{ address: string; since: number }>()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const place = useRef<HTMLFormElement>(null)
  const done = useRef<HTMLDivElement>(null)
  const seconds = useCountdown(sent?.since)
  const label = t(method === 'email' ? 'poll.email' : 'poll.phone')
  // The next thing to fill in, or what was reached, has the focus after a step.
  const steps = useRef(0)
  const at = confirmed ?? sent?.address
  useEffect(() => {
    if (steps.current++)
      (place.current ?? done.current)?.querySelector<HTMLElement>('input:not([type=hidden]), [tabindex]')?.focus()
  }, [at, confirmed])

  async function perform<T>(operation: string, body: object, done: (answer: T) => void): Promise<void> {
    setBusy(true)
    setProblem(undefined)
    onTouched()
    const answer = await ask<T>(translator, 'POST', `${path}/verifications${operation}`, {
      body: { entry, method, ...body },
    })
    setBusy(false)
    if (answer.isDone) done(answer.body)
    else setProblem(faultOf(translator, method, answer))
  }
  const send = (address: string) =>
    address.trim().length < 3
      ? setProblem(invalidAddressText(translator, method))
      : void perform<{ address: string }>('', { address: address.trim() }, (answer) => {
          setCode('')
          setSent({ address: answer.address, since: Date.now() })
        })
  const check = ({ address }: { address: string }) =>
    code.trim()
      ? void perform<CodeCheck>('/codes', { code: code.trim() }, ({ isVerified, triesLeft, hasAnswered }) => {
          if (hasAnswered) setProblem(t('poll.answeredAlready'))
          else if (isVerified) onConfirmed(address)
          else setProblem(triesLeft > 0 ? t('poll.wrongCode', { tries: triesLeft }) : t('poll.codeEnded'))
        })
      : setProblem(t('poll.needsCode'))
  const onSubmit = (act: () => void) => (event: Event) => {
    event.preventDefault()
    if (!isBusy) act()
  }
  if (confirmed !== undefined) {
    return (
      <div ref={done}>
        <p class="confirmed" tabIndex={-1} role="status">
          <Icon name="success" />
          <bdi>{t('poll.confirmed', { address: confirmed })}</bdi>
        </p>
        <input type="hidden" name={method} value={confirmed} />
      </div>
    )
  }
  if (!sent) {
    return (
      <form ref={place} noValidate onSubmit={onSubmit(() => send(entered))}>
        <Field
          {...{ label, name: method, fault: problem ?? fault, initial: entered, onInput: setEntered }}
          {...(method === 'email'
            ? { type: 'email' as const, autoComplete: 'email' }
            : { note: t('poll.phoneNote'), autoComplete: 'tel' })}
        />
        {isConsented && <p class="note">{t('poll.consentedNote')}</p>}
        <Button type="submit" isBusy={isBusy}>
          {t('poll.sendCode')}
        </Button>
      </form>
    )
  }
  const sentText = isReadOut ? 'poll.spoken' : isConsented ? 'poll.sentConsented' : 'poll.sent'
  return (
    <form ref={place} noValidate onSubmit={onSubmit(() => check(sent))}>
      <Notice kind="info" isLive>
        {t(sentText, { address: sent.address })}
      </Notice>
      <Field
        key={sent.since}
        {...{ label: t('poll.code'), note: t('poll.codeNote'), name: `${method}-code`, onInput: setCode }}
        {...{ fault: problem ?? fault, inputMode: 'numeric' as const, autoComplete: 'one-time-code', maxLength: 20 }}
      />
      <div class="actions start">
        <Button type="submit" isBusy={isBusy}>
          {t('poll.confirm')}
        </Button>
        <Button isDisabled={seconds > 0} isBusy={isBusy} onPress={() => send(sent.address)}>
          {seconds > 0 ? t('poll.newCodeIn', { seconds }) : t('poll.newCode')}
        </Button>
        <Button
          onPress={() => {
            setProblem(undefined)
            setSent(undefined)
          }}
        >
          {t('poll.otherContact')}
        </Button>
      </div>
    </form>
  )
}
