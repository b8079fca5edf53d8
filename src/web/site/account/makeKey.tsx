import { useRef } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import { Button, Choice, Field, Notice, Select, useForm } from '#web/kit/ui/components'
import { copyText } from './copyText'
import { type KeyTrial, useSession } from './session'
import { useTranslator } from './translator'

type MakeKeyProps = { trials: readonly KeyTrial[]; onMade: (key: string) => Promise<void> }

/** The form for a new key. @param trials those to which it can be limited */
export function MakeKey({ trials, onMade }: MakeKeyProps) {
  const { t } = useTranslator()
  const { send } = useSession()
  const { submit, isBusy, faults } = useForm(async ({ name, expires, may }, form) => {
    // The key works until the end of its last day.
    const expiresAt = expires ? `${expires}T23:59:59.999999Z` : null
    const chosen = new FormData(form).getAll('trials')
    const limits = { isReadOnly: may === 'read', trials: chosen.length ? chosen : null }
    const answer = await send<AnswerOf<'createApiKey'>>('POST', '/users/me/api-keys', { name, expiresAt, ...limits })
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
      <h2>{t('account.makeTitle')}</h2>
      <p>{t('account.permits')}</p>
      <Field
        label={t('account.what')}
        name="name"
        note={t('account.whatNote')}
        fault={at.name}
        maxLength={100}
        autoComplete="off"
      />
      <Select
        label={t('account.may')}
        name="may"
        options={[
          { value: 'all', label: t('account.mayAll') },
          { value: 'read', label: t('account.mayRead') },
        ]}
        initial={['all']}
      />
      {trials.length > 0 && (
        <details>
          <summary>{t('account.studies')}</summary>
          <Choice
            label={t('account.whichStudies')}
            name="trials"
            note={t('account.studiesNote')}
            options={trials.map(({ _id, name, code }) => ({ value: _id, label: name, note: code }))}
            isOptional
            isMultiple
          />
        </details>
      )}
      <Field label={t('account.lastDay')} name="expires" type="date" fault={at.expires} isOptional />
      {faults.message && <Notice kind="fault" title={faults.message} isLive />}
      <div class="actions">
        <Button kind="main" type="submit" isBusy={isBusy}>
          {t('account.make')}
        </Button>
      </div>
    </form>
  )
}

/** The key that was just created. It is shown only once. */
export function NewKey({ value }: { value: string }) {
  const translator = useTranslator()
  const { t } = translator
  const shown = useRef<HTMLOutputElement>(null)
  return (
    <section class="card made" aria-live="polite">
      <h2>{t('account.madeTitle')}</h2>
      <p>{t('account.madeNote')}</p>
      <output class="secret" id="key" ref={shown} dir="ltr" aria-label={t('account.keyLabel')}>
        {value}
      </output>
      <div class="actions">
        <Button onPress={() => copyText(translator, value, shown.current)}>{t('account.copy')}</Button>
      </div>
      <p class="note">{t('account.madeUse')}</p>
      <p class="note">
        <code dir="ltr">Authorization: Bearer &lt;key&gt;</code> · <a href="/docs">{t('site.api')}</a>
      </p>
    </section>
  )
}
