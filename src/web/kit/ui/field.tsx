import { h } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Fault } from './fault'
import { Icon } from './icon'
import { useTranslator } from './translator'

type Props = {
  label: string
  /** Its name in the form. */
  name: string
  type?: 'text' | 'email' | 'password' | 'date' | 'number' | 'search' | 'lines'
  /** What a person must know before they answer. */
  note?: string | undefined
  /** What is wrong with the answer. */
  fault?: string | undefined
  initial?: string | undefined
  isOptional?: boolean
  isDisabled?: boolean
  /** Whether it only shows a value, which is in reach of the keyboard and of password managers. */
  isReadOnly?: boolean
  minLength?: number
  maxLength?: number
  autoComplete?: string
  inputMode?: 'numeric' | 'decimal' | 'tel'
  /** Called with what is entered, at each change. */
  onInput?: (text: string) => void
}

/** What a person enters has a direction of its own; an address reads from left to right in every language. */
const directions: Partial<Record<string, 'auto' | 'ltr'>> = { text: 'auto', search: 'auto', email: 'ltr' }

/** A field for text, with its label, its note and its fault. Passwords can be shown. */
export function Field({
  label,
  name,
  type = 'text',
  note,
  fault,
  initial,
  isOptional,
  isDisabled,
  isReadOnly,
  onInput,
  ...rest
}: Props) {
  const { t } = useTranslator()
  const id = useId()
  const [isRevealed, reveal] = useState(false)
  const described = [note && `${id}-note`, fault && `${id}-fault`].filter(Boolean).join(' ')
  const common = {
    id,
    name,
    class: 'input',
    required: !isOptional && !isReadOnly,
    readOnly: isReadOnly,
    disabled: isDisabled,
    defaultValue: initial ?? '',
    'aria-invalid': fault ? ('true' as const) : undefined,
    'aria-describedby': described || undefined,
    onInput: onInput && (({ currentTarget }: { currentTarget: { value: string } }) => onInput(currentTarget.value)),
    ...rest,
  }
  const isPassword = type === 'password'
  return (
    <div class="field">
      <label for={id}>
        <bdi>{label}</bdi>
        {isOptional && <span class="optional"> ({t('field.optional')})</span>}
      </label>
      {note && (
        <p class="note" id={`${id}-note`}>
          <bdi>{note}</bdi>
        </p>
      )}
      <div class="control">
        {type === 'lines' ? (
          <textarea {...common} rows={4} dir="auto" />
        ) : (
          h('input', {
            ...common,
            type: isRevealed ? 'text' : type,
            dir: directions[type],
            spellcheck: isPassword ? false : undefined,
          })
        )}
        {isPassword && (
          <button
            type="button"
            class="reveal"
            aria-label={t(isRevealed ? 'field.conceal' : 'field.reveal')}
            disabled={isDisabled}
            onClick={() => reveal(!isRevealed)}
          >
            <Icon name={isRevealed ? 'hide' : 'show'} />
          </button>
        )}
      </div>
      <Fault id={`${id}-fault`} text={fault} />
    </div>
  )
}
