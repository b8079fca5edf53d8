import { useFormContext } from '#web/form/formState'
import { hintOf } from '#web/form/hint'
import { useTranslator } from '#web/form/translator'
import type { WidgetProps } from '#web/form/widget'
import { StudyText } from '#web/kit/ui/studyText'
import { NumberWidget } from './number'

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

/** Height and weight; the index follows from them. */
export function BmiWidget(props: WidgetProps) {
  const { id, settings, value, change, faultyPart, fault, isReadOnly } = props
  const { t } = useTranslator()
  const { formatValue } = useFormContext()
  const { height, weight } = objectOf(value)
  const set = (part: 'height' | 'weight', number: unknown) => {
    const next = { height, weight, [part]: number }
    const isBlank = next.height == null && next.weight == null
    change(isBlank ? null : { height: next.height ?? null, weight: next.weight ?? null })
  }
  const part = (name: 'height' | 'weight', unit: string, suffix: string) => {
    const isFaulty = faultyPart?.suffix === suffix
    const [min, max] =
      name === 'height' ? [settings.minHeight, settings.maxHeight] : [settings.minWeight, settings.maxWeight]
    const hint = isReadOnly ? '' : hintOf({ format: 'float', min: min ?? null, max: max ?? null }, { t }, formatValue)
    const hintId = `${id}${suffix}-range`
    return (
      <div class={isFaulty ? 'part faulty' : 'part'}>
        <label for={`${id}${suffix}`}>{t(name === 'height' ? 'form.height' : 'form.weight')}</label>
        {hint && (
          <p class="note" id={hintId}>
            {hint}
          </p>
        )}
        <NumberWidget
          {...props}
          id={`${id}${suffix}`}
          isInvalid={isFaulty || (props.isInvalid && !faultyPart)}
          describedBy={[hint && hintId, isFaulty && `${id}-fault`].filter(Boolean).join(' ') || undefined}
          settings={{ format: 'float', min: 0, unit }}
          value={objectOf(value)[name]}
          change={(number) => set(name, number)}
        />
        {isFaulty && fault}
      </div>
    )
  }
  const index =
    typeof height === 'number' && typeof weight === 'number' && height > 0
      ? Math.round((weight / (height / 100) ** 2) * 10) / 10
      : undefined
  return (
    <div class="parts">
      {part('height', 'cm', '')}
      {part('weight', 'kg', '-weight')}
      <p class="note" role="status">
        {index !== undefined && Number.isFinite(index) && t('form.bmi', { value: formatValue(index) })}
      </p>
    </div>
  )
}

/** What follows from other answers. */
export function CalculationWidget({ id, settings, value }: WidgetProps) {
  const { t } = useTranslator()
  const { formatValue } = useFormContext()
  return (
    // It has the focus where it comes first on a screen: else that would stay on the button that has become “Send”.
    <output id={id} class="calculated" tabIndex={-1} aria-labelledby={`${id}-label ${id}`}>
      {value === undefined || value === null ? (
        <span class="note">{t('form.notYet')}</span>
      ) : (
        <>
          <strong>{formatValue(value)}</strong> {settings.unit && <StudyText text={settings.unit} />}
        </>
      )}
    </output>
  )
}
