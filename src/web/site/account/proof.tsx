/** Password and code, where somebody who is signed in must show that it is still them. */
import { useEffect, useRef } from 'preact/hooks'
import type { Answer } from '#web/kit/api/send'
import { Button, Field, Notice, useForm } from '#web/kit/ui/components'
import type { Translator } from './texts'
import { useTranslator } from './translator'

/** An answer whose refusal of a password or code is in the language of the page. @param wrong what it says if one is wrong */
export function translateProofRefusal<T>({ t }: Translator, answer: Answer<T>, wrong: string): Answer<T> {
  if (answer.isDone || Object.keys(answer.fields).length) return answer
  if (answer.status === 429) return { ...answer, message: t('account.tooMany') }
  return answer.status === 400 || answer.status === 401 ? { ...answer, message: wrong } : answer
}

/** The field for the code of the authenticator. */
export function CodeField({ fault, note }: { fault: string | undefined; note: string }) {
  const { t } = useTranslator()
  return (
    <Field
      label={t('account.code')}
      name="code"
      note={note}
      fault={fault}
      maxLength={20}
      inputMode="numeric"
      autoComplete="one-time-code"
    />
  )
}

type Props = {
  title: string
  note: string
  action: { label: string; kind: 'main' | 'danger' }
  send: (proof: Readonly<Record<string, string>>) => Promise<Answer<unknown>>
  onCancel: () => void
}

/** Asks for password and code before an act. It takes the focus when it appears. */
export function ProofForm({ title, note, action, send, onCancel }: Props) {
  const translator = useTranslator()
  const { t } = translator
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const { submit, isBusy, faults } = useForm(async (proof) =>
    translateProofRefusal(translator, await send(proof), t('account.wrongProof')),
  )
  return (
    <form class="card" ref={form} onSubmit={submit}>
      <h2>{title}</h2>
      <p>{note}</p>
      <Field
        label={t('password.current')}
        name="password"
        type="password"
        fault={faults.fields.password}
        autoComplete="current-password"
      />
      <CodeField fault={faults.fields.code} note={t('account.eitherCode')} />
      {faults.message && <Notice kind="fault" title={faults.message} isLive />}
      <div class="actions">
        <Button onPress={onCancel}>{t('dialog.cancel')}</Button>
        <Button kind={action.kind} type="submit" isBusy={isBusy}>
          {action.label}
        </Button>
      </div>
    </form>
  )
}
