import { useEffect, useRef } from 'preact/hooks'
import { Button, Field, Notice, useForm } from '#web/ui/components'
import { Qr } from '#web/ui/qr'
import { copyText } from './copying'
import { CodeField, refusedProof } from './proof'
import { useSession } from './session'
import { useSpeaker } from './speaking'

/** What an authenticator needs: the secret in base32, and the same as an address that it reads from a picture. */
export type Secret = { secret: string; otpauthUrl: string }

type Props = { secret: Secret; onEnabled: (codes: readonly string[]) => void; onCancel: () => void }

/** Shows the secret of a new authenticator, and asks for its first code. */
export function Enrol({ secret: { secret, otpauthUrl }, onEnabled, onCancel }: Props) {
  const speaker = useSpeaker()
  const { say } = speaker
  const { send } = useSession()
  const shown = useRef<HTMLOutputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { submit, isBusy, faults } = useForm(async (proof) => {
    const answer = await send<{ recoveryCodes: readonly string[] }>('PUT', '/users/me/totp', proof)
    if (answer.isDone) onEnabled(answer.body.recoveryCodes)
    return refusedProof(speaker, answer, say('twoStep.wrong'))
  })
  return (
    <>
      <section class="card">
        <h2 ref={heading} tabIndex={-1}>
          {say('twoStep.scan')}
        </h2>
        <Qr text={otpauthUrl} label={say('twoStep.qr')} />
        <p class="note">{say('twoStep.orType')}</p>
        <output class="secret" ref={shown} dir="ltr" aria-label={say('twoStep.key')}>
          {secret.replace(/.{4}(?=.)/g, '$& ')}
        </output>
        <div class="actions">
          <Button onPress={() => copyText(speaker, secret, shown.current)}>{say('account.copy')}</Button>
          <a class="plain" href={otpauthUrl}>
            {say('twoStep.open')}
          </a>
        </div>
      </section>
      <form class="card" onSubmit={submit}>
        <h2>{say('twoStep.confirm')}</h2>
        <CodeField fault={faults.fields.code} note={say('twoStep.codeNote')} />
        <Field
          label={say('password.current')}
          name="password"
          type="password"
          fault={faults.fields.password}
          autoComplete="current-password"
        />
        {faults.message && <Notice kind="fault" title={faults.message} isLive />}
        <div class="actions">
          <Button onPress={onCancel}>{say('dialog.cancel')}</Button>
          <Button kind="main" type="submit" isBusy={isBusy}>
            {say('twoStep.switchOn')}
          </Button>
        </div>
      </form>
    </>
  )
}
