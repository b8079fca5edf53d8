import { useState } from 'preact/hooks'
import type { Answer } from '#web/common/api'
import { Field, refusedField } from '#web/ui/components'
import { LEAST, lengthOf } from './passwordLength'
import { useSpeaker } from './speaking'
import type { Speaker } from './texts'

const words = ['password.short', 'password.enough', 'password.good', 'password.best'] as const

/** A refusal if the second entry of a new password differs from the first. */
export const refusedRepetition = (
  { say }: Speaker,
  { password, again }: Readonly<Record<string, string>>,
): Answer<never> | undefined => (password === again ? undefined : refusedField('again', say('setup.differ')))

type Props = { label: string; faults: Readonly<Record<string, string>> }

/** The fields for a new password. The bar shows how good its length is: what is easily guessed only the server knows. */
export function NewPassword({ label, faults }: Props) {
  const { say } = useSpeaker()
  const [entered, setEntered] = useState('')
  const level = lengthOf(entered)
  return (
    <>
      <Field
        label={label}
        name="password"
        type="password"
        note={say('setup.rule')}
        fault={faults.password}
        minLength={LEAST}
        maxLength={200}
        autoComplete="new-password"
        onInput={setEntered}
      />
      {entered && (
        <p class={`strength level-${level}`} aria-live="polite">
          <span class="strength-bar" aria-hidden="true" />
          {say(words[level])}
        </p>
      )}
      <Field
        label={say('setup.again')}
        name="again"
        type="password"
        fault={faults.again}
        maxLength={200}
        autoComplete="new-password"
      />
    </>
  )
}
