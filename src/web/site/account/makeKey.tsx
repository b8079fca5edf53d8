import { useRef } from 'preact/hooks'
import { Button, Field, Notice, useForm } from '#web/ui/components'
import { copyText } from './copying'
import { useSession } from './session'
import { useSpeaker } from './speaking'

/** The form for a new key. */
export function MakeKey({ onMade }: { onMade: (key: string) => Promise<void> }) {
  const { say } = useSpeaker()
  const { send } = useSession()
  const { submit, isBusy, faults } = useForm(async ({ name, expires }, form) => {
    // The key works until the end of its last day.
    const expiresAt = expires ? `${expires}T23:59:59.999999Z` : null
    const answer = await send<{ key: string }>('POST', '/users/me/api-keys', { name, expiresAt })
    if (!answer.isDone) {
      const { expiresAt: expires, ...others } = answer.fields
      return { ...answer, fields: expires ? { ...others, expires } : others }
    }
    form.reset()
    await onMade(answer.body.key)
    return answer
  })
  const at = faults.fields
  return (
    <form class="card" onSubmit={submit}>
      <h2>{say('account.makeTitle')}</h2>
      <p>{say('account.permits')}</p>
      <Field
        label={say('account.what')}
        name="name"
        note={say('account.whatNote')}
        fault={at.name}
        maxLength={100}
        autoComplete="off"
      />
      <Field label={say('account.lastDay')} name="expires" type="date" fault={at.expires} isOptional />
      {faults.message && <Notice kind="fault" title={faults.message} isLive />}
      <div class="actions">
        <Button kind="main" type="submit" isBusy={isBusy}>
          {say('account.make')}
        </Button>
      </div>
    </form>
  )
}

/** The key that was just made, which nobody sees again. */
export function MadeKey({ value }: { value: string }) {
  const speaker = useSpeaker()
  const { say } = speaker
  const shown = useRef<HTMLOutputElement>(null)
  return (
    <section class="card made" aria-live="polite">
      <h2>{say('account.madeTitle')}</h2>
      <p>{say('account.madeNote')}</p>
      <output class="secret" id="key" ref={shown} dir="ltr" aria-label={say('account.keyLabel')}>
        {value}
      </output>
      <div class="actions">
        <Button onPress={() => copyText(speaker, value, shown.current)}>{say('account.copy')}</Button>
      </div>
      <p class="note">{say('account.madeUse')}</p>
      <p class="note">
        <code dir="ltr">Authorization: Bearer &lt;key&gt;</code> · <a href="/docs">{say('site.api')}</a>
      </p>
    </section>
  )
}
