import type { WidgetProps } from '#web/app/form/widget'
import { useSpeaker } from '#web/app/speaking'
import { NumberWidget } from './number'

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

/** Height and weight; the index follows from them. */
export function BmiWidget(props: WidgetProps) {
  const { id, value, change } = props
  const { say } = useSpeaker()
  const { height, weight } = objectOf(value)
  const set = (part: 'height' | 'weight', number: unknown) => {
    const next = { height, weight, [part]: number }
    const isBlank = next.height == null && next.weight == null
    change(isBlank ? null : { height: next.height ?? null, weight: next.weight ?? null })
  }
  const part = (name: 'height' | 'weight', unit: string, first: boolean) => (
    <div class="part">
      <label for={first ? id : `${id}-${name}`}>{say(name === 'height' ? 'form.height' : 'form.weight')}</label>
      <NumberWidget
        {...props}
        id={first ? id : `${id}-${name}`}
        settings={{ format: 'float', min: 0, unit }}
        value={objectOf(value)[name]}
        change={(number) => set(name, number)}
      />
    </div>
  )
  const index =
    typeof height === 'number' && typeof weight === 'number' && height > 0
      ? Math.round((weight / (height / 100) ** 2) * 10) / 10
      : undefined
  return (
    <div class="parts">
      {part('height', 'cm', true)}
      {part('weight', 'kg', false)}
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
