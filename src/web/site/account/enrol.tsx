import { useEffect, useRef } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import { translateProofRefusal } from '#web/kit/signIn/signIn'
import { Button, Field, Notice, useForm } from '#web/kit/ui/components'
import { Qr } from '#web/kit/ui/qr'
import { copyText } from './copyText'
import { CodeField } from './proof'
import { useSession } from './session'
import { useTranslator } from './translator'

/** What an authenticator needs: the secret in base32, and the same as an address that it reads from a picture. */
export type Secret = AnswerOf<'beginTotp'>

type Props = { secret: Secret; onEnabled: (codes: readonly string[]) => void; onCancel: () => void }

/** Shows the secret of a new authenticator, and asks for its first code. */
export function Enrol({ secret: { secret, otpauthUrl }, onEnabled, onCancel }: Props) {
  const translator = useTranslator()
  const { t } = translator
  const { send } = useSession()
  const secretElement = useRef<HTMLOutputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { submit, isBusy, faults } = useForm(async (proof) => {
    const answer = await send<AnswerOf<'enableTotp'>>('PUT', '/users/me/totp', proof)
    if (answer.isDone) onEnabled(answer.body.recoveryCodes)
    return translateProofRefusal(translator, answer, t('twoStep.wrong'))
  })
  return (
    <>
      <section class="card">
        <h2 ref={heading} tabIndex={-1}>
          {t('twoStep.scan')}
        </h2>
        <Qr text={otpauthUrl} label={t('twoStep.qr')} />
        <p class="note">{t('twoStep.orType')}</p>
        <output class="secret" ref={secretElement} dir="ltr" aria-label={t('twoStep.key')}>
          {secret.replace(/.{4}(?=.)/g, '$& ')}
        </output>
        <div class="actions">
          <Button onPress={() => copyText(translator, secret, secretElement.current)}>{t('account.copy')}</Button>
          <a class="plain" href={otpauthUrl}>
            {t('twoStep.open')}
          </a>
        </div>
      </section>
      <form class="card" onSubmit={submit}>
        <h2>{t('twoStep.confirm')}</h2>
        <CodeField fault={faults.fields.code} note={t('twoStep.codeNote')} />
        <Field
          label={t('password.current')}
          name="password"
          type="password"
          fault={faults.fields.password}
          autoComplete="current-password"
        />
        {faults.message && <Notice kind="fault" title={faults.message} isLive />}
        <div class="actions">
          <Button onPress={onCancel}>{t('dialog.cancel')}</Button>
          <Button kind="main" type="submit" isBusy={isBusy}>
            {t('twoStep.switchOn')}
          </Button>
        </div>
      </form>
    </>
  )
}
