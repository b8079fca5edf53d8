import { useId } from 'preact/hooks'
import { studyText } from '#web/kit/language/studyText'
import { Fault } from './fault'

/** One of the answers to choose from. */
export type ChoiceOption = { value: string; label: string; note?: string; isDisabled?: boolean }

type Props = {
  label: string
  name: string
  options: readonly ChoiceOption[]
  note?: string | undefined
  fault?: string | undefined
  /** The values that are chosen at first. */
  initial?: readonly string[]
  isOptional?: boolean
  /** What the study wrote: the label and its note, or the options too. */
  isOfStudy?: 'label' | 'all'
}

/** Choices that are all visible: one of them, or several. */
export function Choice(props: Props & { isMultiple?: boolean }) {
  const { label, name, options, note, fault, initial = [], isOptional, isMultiple, isOfStudy } = props
  const id = useId()
  const described = [note && `${id}-note`, fault && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <fieldset class="field choice" aria-describedby={described || undefined}>
      <legend {...(isOfStudy ? studyText(label) : { dir: 'auto' })}>{label}</legend>
      {note && (
        <p class="note" id={`${id}-note`} {...(isOfStudy ? studyText(note) : { dir: 'auto' })}>
          {note}
        </p>
      )}
      {options.map((option) => (
        <label class="option" key={option.value} {...(isOfStudy === 'all' ? studyText(option.label) : {})}>
          <input
            type={isMultiple ? 'checkbox' : 'radio'}
            name={name}
            value={option.value}
            defaultChecked={initial.includes(option.value)}
            disabled={option.isDisabled}
            required={!isMultiple && !isOptional}
            aria-invalid={fault ? 'true' : undefined}
          />
          <span>
            {isOfStudy === 'all' ? option.label : <bdi>{option.label}</bdi>}
            {option.note && (
              <span class="note">
                <bdi>{option.note}</bdi>
              </span>
            )}
          </span>
        </label>
      ))}
      <Fault id={`${id}-fault`} text={fault} />
    </fieldset>
  )
}

/** One choice of many, in a menu of the browser. */
export function Select({ label, name, options, note, fault, initial = [], isOptional }: Props) {
  const id = useId()
  const described = [note && `${id}-note`, fault && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>
        <bdi>{label}</bdi>
      </label>
      {note && (
        <p class="note" id={`${id}-note`}>
          <bdi>{note}</bdi>
        </p>
      )}
      <div class="control menu">
        <select
          id={id}
          name={name}
          class="input"
          required={!isOptional}
          aria-invalid={fault ? 'true' : undefined}
          aria-describedby={described || undefined}
        >
          {options.map(({ value, label, isDisabled }) => (
            <option key={value} value={value} disabled={isDisabled} selected={initial.includes(value)}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <Fault id={`${id}-fault`} text={fault} />
    </div>
  )
}
