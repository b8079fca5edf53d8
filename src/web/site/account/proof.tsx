/** Password and code, where somebody who is signed in must show that it is still them. */
import { useEffect, useRef } from 'preact/hooks'
import type { Answer } from '#web/kit/api/send'
import { translateProofRefusal } from '#web/kit/signIn/signIn'
import { Button, Field, Notice, useForm } from '#web/kit/ui/components'
import { useTranslator } from './translator'

/** The field for the code of the authenticator. */
export function CodeField({ fault, note }: { fault: string | undefined; note: string }) {
  const { t } = useTranslator()
  return (
    <Field
      label={t('signIn.code')}
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
