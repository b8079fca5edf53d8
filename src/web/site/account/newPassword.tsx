import { useState } from 'preact/hooks'
import type { Answer } from '#web/kit/api/send'
import { Field, refusedField } from '#web/kit/ui/components'
import { LEAST, lengthOf } from './passwordLength'
import type { Translator } from './texts'
import { useTranslator } from './translator'

const lengthTexts = ['password.short', 'password.enough', 'password.good', 'password.best'] as const

/** A refusal if the second entry of a new password differs from the first. */
export const repetitionFault = (
  { t }: Translator,
  { password, again }: Readonly<Record<string, string>>,
): Answer<never> | undefined => (password === again ? undefined : refusedField('again', t('setup.differ')))

type Props = { label: string; faults: Readonly<Record<string, string>> }

/** The fields for a new password. The bar shows how good its length is: what is easily guessed only the server knows. */
export function NewPassword({ label, faults }: Props) {
  const { t } = useTranslator()
  const [entered, setEntered] = useState('')
  const level = lengthOf(entered)
  return (
    <>
      <Field
        label={label}
        name="password"
        type="password"
        note={t('setup.rule')}
        fault={faults.password}
        minLength={LEAST}
        maxLength={200}
        autoComplete="new-password"
        onInput={setEntered}
      />
      {entered && (
        <p class={`strength level-${level}`} aria-live="polite">
          <span class="strength-bar" aria-hidden="true" />
          {t(lengthTexts[level])}
        </p>
      )}
      <Field
        label={t('setup.again')}
        name="again"
        type="password"
        fault={faults.again}
        maxLength={200}
        autoComplete="new-password"
      />
    </>
  )
}
