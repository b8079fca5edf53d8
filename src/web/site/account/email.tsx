import { useEffect, useState } from 'preact/hooks'
import { Button, Field, Notice, refusedField, Skeleton, showToast, useForm } from '#web/ui/components'
import { CodeField, refusedProof } from './proof'
import { type TwoStep, useSession } from './session'
import { useSpeaker } from './speaking'

/** What the operator of a server without e-mail runs. The addresses are left out: a shell might read more in one than an address. */
const COMMAND = 'trialbox users move --email … --to …'

/** What the server answered to the wish for a new address. */
type Asked = { email: string; sendsEmail: boolean }

/** Moves the account to another e-mail address: the password first, then the code that was sent there. */
export function Page() {
  const { send } = useSession()
  const [twoStep, setTwoStep] = useState<TwoStep>()
  const [fault, setFault] = useState<string>()
  const [asked, setAsked] = useState<Asked>()
  useEffect(() => {
    void send<TwoStep>('GET', '/users/me/totp').then((answer) =>
      answer.isDone ? setTwoStep(answer.body) : setFault(answer.message),
    )
  }, [send])
  if (fault) return <Notice kind="fault" title={fault} isLive />
  if (!twoStep) return <Skeleton lines={4} />
  if (!asked) return <Ask needsCode={twoStep.isOn} onAsked={setAsked} />
  return asked.sendsEmail ? <Enter asked={asked} onEnd={() => setAsked(undefined)} /> : <NoMail />
}

/** The new address, with the password. */
function Ask({ needsCode, onAsked }: { needsCode: boolean; onAsked: (asked: Asked) => void }) {
  const speaker = useSpeaker()
  const { say } = speaker
  const { user, send } = useSession()
  const { submit, isBusy, faults } = useForm(async ({ email, password, code }) => {
    const answer = await send<Asked>('POST', '/users/me/email', { email, password, code })
    if (answer.isDone) onAsked(answer.body)
    else if (answer.details.code === 'tooSoon') return { ...answer, message: say('email.tooSoon') }
    else if (answer.details.code === 'tooManyCodes') return { ...answer, message: say('email.tooMany') }
    return refusedProof(speaker, answer, say(needsCode ? 'account.wrongProof' : 'password.wrong'))
  })
  const at = faults.fields
  return (
    <form class="card" onSubmit={submit} aria-label={say('email.title')}>
      <p>
        {say('email.present')} <bdi class="strong">{user.email}</bdi>
      </p>
      <Field
        label={say('email.new')}
        name="email"
        type="email"
        note={say('email.newNote')}
        fault={at.email}
        maxLength={200}
        autoComplete="email"
      />
      <Field
        label={say('password.current')}
        name="password"
        type="password"
        fault={at.password}
        autoComplete="current-password"
      />
      {needsCode && <CodeField fault={at.code} note={say('account.eitherCode')} />}
      {faults.message && <Notice kind="fault" title={faults.message} isLive />}
      <div class="actions">
        <Button kind="main" type="submit" isBusy={isBusy}>
          {say('email.send')}
        </Button>
      </div>
    </form>
  )
}

/** The code that is at the new address now. */
function Enter({ asked: { email }, onEnd }: { asked: Asked; onEnd: () => void }) {
  const speaker = useSpeaker()
  const { say, count } = speaker
  const { user, setUser, send } = useSession()
  const { submit, isBusy, faults } = useForm(async ({ code }) => {
    type Checked = { isChanged: boolean; triesLeft: number; email: string }
    const answer = await send<Checked>('POST', '/users/me/email/confirmations', { code })
    if (!answer.isDone) return answer.status === 400 ? refusedField('code', say('email.ended')) : answer
    if (!answer.body.isChanged) return refusedField('code', count('email.wrong', answer.body.triesLeft))
    setUser({ ...user, email: answer.body.email })
    showToast(say('email.changed'))
    onEnd()
    return answer
  })
  return (
    <form class="card" onSubmit={submit} aria-label={say('email.title')}>
      <h2>{say('email.enter')}</h2>
      <p>
        {say('email.sent')} <bdi class="strong">{email}</bdi>
      </p>
      <CodeField fault={faults.fields.code} note={say('email.codeNote')} />
      <p class="note">{say('email.effects')}</p>
      {faults.message && <Notice kind="fault" title={faults.message} isLive />}
      <div class="actions">
        <Button onPress={onEnd}>{say('email.other')}</Button>
        <Button kind="main" type="submit" isBusy={isBusy}>
          {say('email.move')}
        </Button>
      </div>
    </form>
  )
}

/** What to do where the server sends no e-mail: the operator moves the account. */
function NoMail() {
  const { say } = useSpeaker()
  return (
    <section class="card" role="status">
      <h2>{say('forgotten.noMail')}</h2>
      <p>{say('email.noMailNote')}</p>
      <output class="secret" dir="ltr">
        {COMMAND}
      </output>
    </section>
  )
}
