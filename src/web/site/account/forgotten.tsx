import { useEffect, useState } from 'preact/hooks'
import { Button, ButtonLink, EmptyState, Field, Notice, Skeleton, useForm } from '#web/ui/components'
import { setHeading } from './heading'
import { askInWords } from './refusals'
import { useSpeaker } from './speaking'

/** What the operator of a server without e-mail runs. */
const COMMAND = 'trialbox users reset --email '

/** Asks for a link with which a new password is chosen. The answer is the same whether there is such an account or not. */
export function Page() {
  const speaker = useSpeaker()
  const { say } = speaker
  const [sendsEmail, setSendsEmail] = useState<boolean>()
  const [fault, setFault] = useState<string>()
  const [isSent, setSent] = useState(false)
  useEffect(() => {
    setHeading(say('forgotten.title'))
    void askInWords<{ sendsEmail: boolean }>(speaker, 'GET', '/password-resets').then((answer) =>
      answer.isDone ? setSendsEmail(answer.body.sendsEmail) : setFault(answer.message),
    )
  }, [speaker, say])

  const back = <ButtonLink href="/account">{say('forgotten.back')}</ButtonLink>
  if (fault) return <Notice kind="fault" title={fault} isLive />
  if (sendsEmail === undefined) return <Skeleton lines={3} />
  if (isSent) {
    return (
      <section class="card" role="status">
        <EmptyState icon="inbox" title={say('forgotten.sent')} note={say('forgotten.sentNote')}>
          {back}
        </EmptyState>
      </section>
    )
  }
  if (sendsEmail) return <Ask onSent={() => setSent(true)} />
  return (
    <section class="card">
      <h2>{say('forgotten.noMail')}</h2>
      <p>{say('forgotten.noMailNote')}</p>
      <p>
        <code class="secret" dir="ltr">
          {COMMAND}
          <var>{say('forgotten.yourAddress')}</var>
        </code>
      </p>
      <p class="note">{say('forgotten.lostPhone')}</p>
      <div class="actions">{back}</div>
    </section>
  )
}

function Ask({ onSent }: { onSent: () => void }) {
  const speaker = useSpeaker()
  const { say } = speaker
  const { submit, isBusy, faults } = useForm(async (body) => {
    const answer = await askInWords(speaker, 'POST', '/password-resets', { body })
    if (answer.isDone) onSent()
    else if (answer.status === 429) return { ...answer, message: say('forgotten.tooOften') }
    return answer
  })
  return (
    <>
      <p class="lead">{say('forgotten.lead')}</p>
      <form class="card" onSubmit={submit} aria-label={say('forgotten.title')}>
        <Field
          label={say('account.email')}
          name="email"
          type="email"
          fault={faults.fields.email}
          maxLength={200}
          autoComplete="username"
        />
        <p class="note">{say('forgotten.lostPhone')}</p>
        {faults.message && <Notice kind="fault" title={faults.message} isLive />}
        <div class="actions">
          <Button kind="main" type="submit" isBusy={isBusy}>
            {say('forgotten.submit')}
          </Button>
          <a class="plain" href="/account">
            {say('forgotten.back')}
          </a>
        </div>
      </form>
    </>
  )
}
