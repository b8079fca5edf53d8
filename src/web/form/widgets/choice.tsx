import { useState } from 'preact/hooks'
import { useTranslator } from '#web/form/translator'
import { toggleChoice } from '#web/form/values'
import { focusSoon, type WidgetProps } from '#web/form/widget'
import { studyText } from '#web/kit/language/studyText'
import { Button } from '#web/kit/ui/components'

/** From so many options on, there is a field to search in them. */
const MANY = 12

const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

type Option = NonNullable<WidgetProps['settings']['options']>[number] & { text?: string | null }

/** An option in the language of the participant, where the study has translated it; the answer is its `label`. */
const optionText = ({ label, text }: { label: string; text?: string | null }): string => text ?? label

/** One option, or several. All are visible; long lists can be searched. */
export function ChoiceWidget({ id, settings, value, change, isReadOnly, isRequired }: WidgetProps) {
  const { t, count } = useTranslator()
  const [term, setTerm] = useState('')
  const chosen: readonly string[] = Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
  const known: readonly Option[] = settings.options ?? []
  // An option that the form does not have any more can be seen, and taken back.
  const gone = chosen.filter((label) => !known.some((each) => each.label === label))
  const options = [...known, ...gone.map((label): Option => ({ label }))]
  const isMultiple = settings.multiple === true
  const isExclusive = (label: string) =>
    options.some((each) => each.label === label && (each.isExclusive === true || each.missing === true))
  const wanted = folded(term.trim())
  const found = options.filter(
    (each) => wanted === '' || chosen.includes(each.label) || folded(optionText(each)).includes(wanted),
  )
  const toggle = (label: string) => {
    const next = toggleChoice(chosen, label, { isMultiple, isExclusive })
    change(next.length ? next : null)
  }
  return (
    <div class={options.length >= MANY ? 'options many' : 'options'}>
      {options.length >= MANY && (
        <>
          <input
            class="input search"
            type="search"
            dir="auto"
            aria-label={t('form.search')}
            placeholder={t('form.search')}
            value={term}
            onInput={(event) => setTerm(event.currentTarget.value)}
          />
          <p class="note" role="status">
            {wanted !== '' && count('form.found', found.length)}
          </p>
        </>
      )}
      {found.map((option, at) => {
        const { label } = option
        return (
          <label class="option" key={label} {...studyText(optionText(option))}>
            <input
              type={isMultiple ? 'checkbox' : 'radio'}
              id={at === 0 ? id : undefined}
              name={id}
              checked={chosen.includes(label)}
              disabled={isReadOnly}
              onChange={() => (isMultiple || !chosen.includes(label) ? toggle(label) : undefined)}
            />
            <span>{optionText(option)}</span>
          </label>
        )
      })}
      {!isMultiple && !isRequired && chosen.length > 0 && !isReadOnly && (
        <Button
          onPress={() => {
            change(null)
            focusSoon(id)
          }}
        >
          {t('form.clear')}
        </Button>
      )}
    </div>
  )
}
