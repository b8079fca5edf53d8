import { useRef } from 'preact/hooks'
import { Button, Choice, Field, Notice, Select, useForm } from '#web/ui/components'
import { copyText } from './copying'
import { type KeyTrial, useSession } from './session'
import { useSpeaker } from './speaking'

type Making = { trials: readonly KeyTrial[]; onMade: (key: string) => Promise<void> }

/** The form for a new key. @param trials those to which it can be limited */
export function MakeKey({ trials, onMade }: Making) {
  const { say } = useSpeaker()
  const { send } = useSession()
  const { submit, isBusy, faults } = useForm(async ({ name, expires, may }, form) => {
    // The key works until the end of its last day.
    const expiresAt = expires ? `${expires}T23:59:59.999999Z` : null
    const chosen = new FormData(form).getAll('trials')
    const limits = { isReadOnly: may === 'read', trials: chosen.length ? chosen : null }
    const answer = await send<{ key: string }>('POST', '/users/me/api-keys', { name, expiresAt, ...limits })
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
      <Select
        label={say('account.may')}
        name="may"
        options={[
          { value: 'all', label: say('account.mayAll') },
          { value: 'read', label: say('account.mayRead') },
        ]}
        initial={['all']}
      />
      {trials.length > 0 && (
        <details>
          <summary>{say('account.studies')}</summary>
          <Choice
            label={say('account.whichStudies')}
            name="trials"
            note={say('account.studiesNote')}
            options={trials.map(({ _id, name, code }) => ({ value: _id, label: name, note: code }))}
            isOptional
            isMultiple
          />
        </details>
      )}
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
