import { useEffect, useState } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import { ask } from '#web/kit/api/send'
import { Button, ButtonLink, EmptyState, Field, Notice, Skeleton, useForm } from '#web/kit/ui/components'
import { setHeading } from './heading'
import { useTranslator } from './translator'

/** What the operator of a server without e-mail runs. */
const COMMAND = 'trialbox users reset --email '

/** Asks for a link with which a new password is chosen. The answer is the same whether there is such an account or not. */
export function Page() {
  const translator = useTranslator()
  const { t } = translator
  const [sendsEmail, setSendsEmail] = useState<boolean>()
  const [fault, setFault] = useState<string>()
  const [isSent, setSent] = useState(false)
  useEffect(() => {
    setHeading(t('forgotten.title'))
    void ask<AnswerOf<'readPasswordResets'>>(translator, 'GET', '/password-resets').then((answer) =>
      answer.isDone ? setSendsEmail(answer.body.sendsEmail) : setFault(answer.message),
    )
  }, [translator, t])

  const back = <ButtonLink href="/account">{t('forgotten.back')}</ButtonLink>
  if (fault) return <Notice kind="fault" title={fault} isLive />
  if (sendsEmail === undefined) return <Skeleton lines={3} />
  if (isSent) {
    return (
      <section class="card" role="status">
        <EmptyState icon="inbox" title={t('forgotten.sent')} note={t('forgotten.sentNote')}>
          {back}
        </EmptyState>
      </section>
    )
  }
  if (sendsEmail) return <ResetForm onSent={() => setSent(true)} />
  return (
    <section class="card">
      <h2>{t('forgotten.noMail')}</h2>
      <p>{t('forgotten.noMailNote')}</p>
      <p>
        <code class="secret" dir="ltr">
          {COMMAND}
          <var>{t('forgotten.yourAddress')}</var>
        </code>
      </p>
      <p class="note">{t('forgotten.lostPhone')}</p>
      <div class="actions">{back}</div>
    </section>
  )
}

function ResetForm({ onSent }: { onSent: () => void }) {
  const translator = useTranslator()
  const { t } = translator
  const { submit, isBusy, faults } = useForm(async (body) => {
    const answer = await ask(translator, 'POST', '/password-resets', { body })
    if (answer.isDone) onSent()
    else if (answer.status === 429) return { ...answer, message: t('forgotten.tooOften') }
    return answer
  })
  return (
    <>
      <p class="lead">{t('forgotten.lead')}</p>
      <form class="card" onSubmit={submit} aria-label={t('forgotten.title')}>
        <Field
          label={t('signIn.email')}
          name="email"
          type="email"
          fault={faults.fields.email}
          maxLength={200}
          autoComplete="username"
        />
        <p class="note">{t('forgotten.lostPhone')}</p>
        {faults.message && <Notice kind="fault" title={faults.message} isLive />}
        <div class="actions">
          <Button kind="main" type="submit" isBusy={isBusy}>
            {t('forgotten.submit')}
          </Button>
          <a class="plain" href="/account">
            {t('forgotten.back')}
          </a>
        </div>
      </form>
    </>
  )
}
