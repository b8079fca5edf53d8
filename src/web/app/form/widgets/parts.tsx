import type { WidgetProps } from '#web/app/form/widget'
import { useSpeaker } from '#web/app/speaking'
import { NumberWidget } from './number'

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

/** Height and weight; the index follows from them. */
export function BmiWidget(props: WidgetProps) {
  const { id, value, change, faultyPart, fault } = props
  const { say } = useSpeaker()
  const { height, weight } = objectOf(value)
  const set = (part: 'height' | 'weight', number: unknown) => {
    const next = { height, weight, [part]: number }
    const isBlank = next.height == null && next.weight == null
    change(isBlank ? null : { height: next.height ?? null, weight: next.weight ?? null })
  }
  const part = (name: 'height' | 'weight', unit: string, suffix: string) => {
    const isFaulty = faultyPart?.suffix === suffix
    return (
      <div class={isFaulty ? 'part faulty' : 'part'}>
        <label for={`${id}${suffix}`}>{say(name === 'height' ? 'form.height' : 'form.weight')}</label>
        <NumberWidget
          {...props}
          id={`${id}${suffix}`}
          isInvalid={isFaulty || (props.isInvalid && !faultyPart)}
          describedBy={isFaulty ? `${id}-fault` : undefined}
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
        {index !== undefined && Number.isFinite(index) && say('form.bmi', { value: index })}
      </p>
    </div>
  )
}

/** What follows from other answers. */
export function CalculationWidget({ id, settings, value }: WidgetProps) {
  const { say } = useSpeaker()
  return (
    <output id={id} class="calculated">
      {value === undefined || value === null ? (
        <span class="note">{say('form.notYet')}</span>
      ) : (
        <>
          <strong>{String(value)}</strong> {settings.unit && <bdi>{settings.unit}</bdi>}
        </>
      )}
    </output>
  )
}
