import { useRef } from 'preact/hooks'
import { ask } from '#web/common/api'
import { Button, Field, Notice, showToast, useForm } from '#web/ui/components'
import { useSpeaker } from './speaking'

/** The form for a new key. */
export function MakeKey({ csrfToken, onMade }: { csrfToken: string; onMade: (key: string) => Promise<void> }) {
  const speaker = useSpeaker()
  const { say } = speaker
  const { submit, isBusy, faults } = useForm(async ({ name, expires }, form) => {
    // The key works until the end of its last day.
    const expiresAt = expires ? `${expires}T23:59:59.999999Z` : null
    const answer = await ask<{ key: string }>(speaker, 'POST', '/users/me/api-keys', {
      body: { name, expiresAt },
      csrfToken,
    })
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
  const { say } = useSpeaker()
  const shown = useRef<HTMLOutputElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      showToast(say('account.copied'))
    } catch {
      if (shown.current) getSelection()?.selectAllChildren(shown.current)
      showToast(say('account.notCopied'), 'info')
    }
  }
  return (
    <section class="card made" aria-live="polite">
      <h2>{say('account.madeTitle')}</h2>
      <p>{say('account.madeNote')}</p>
      <output class="secret" id="key" ref={shown} dir="ltr" aria-label={say('account.keyLabel')}>
        {value}
      </output>
      <div class="actions">
        <Button onPress={copy}>{say('account.copy')}</Button>
      </div>
      <p class="note">{say('account.madeUse')}</p>
      <p class="note">
        <code dir="ltr">Authorization: Bearer &lt;key&gt;</code> · <a href="/docs">{say('site.api')}</a>
      </p>
    </section>
  )
}
