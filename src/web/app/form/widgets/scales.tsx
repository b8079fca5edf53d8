import { common, type WidgetProps } from '#web/app/form/widget'
import { useSpeaker } from '#web/app/speaking'
import { Button } from '#web/ui/components'

const numberOr = (value: unknown, other: number): number => (typeof value === 'number' ? value : other)

/** A slider. It has no answer until somebody touches it, even where its thumb rests. */
export function SliderWidget(props: WidgetProps) {
  const { id, settings, value, change, isReadOnly } = props
  const { say } = useSpeaker()
  const [min, max] = [numberOr(settings.min, 0), numberOr(settings.max, 100)]
  const step = settings.step ?? (settings.decimals ? 10 ** -settings.decimals : 1)
  const isAnswered = typeof value === 'number'
  const resting = min + Math.round((max - min) / 2 / step) * step
  const take = (event: { currentTarget: HTMLInputElement }) => change(Number(event.currentTarget.value))
  return (
    <div class={isAnswered ? 'slider' : 'slider untouched'}>
      <p class="slider-value" aria-hidden="true">
        {isAnswered ? (
          <>
            <strong>{value}</strong> {settings.unit && <bdi>{settings.unit}</bdi>}
          </>
        ) : (
          say('form.notAnswered')
        )}
      </p>
      <input
        {...common(props)}
        type="range"
        min={min}
        max={max}
        step={step}
        value={isAnswered ? value : resting}
        aria-valuetext={isAnswered ? `${value} ${settings.unit ?? ''}`.trim() : say('form.notAnswered')}
        onInput={take}
        // A tap on the resting thumb moves nothing, and is an answer all the same.
        onPointerUp={(event) => !isAnswered && take(event)}
        onKeyUp={(event) => !isAnswered && (event.key === ' ' || event.key === 'Enter') && take(event)}
      />
      <p class="ends note">
        <span>
          <bdi>{settings.minLabel || min}</bdi>
        </span>
        <span>
          <bdi>{settings.maxLabel || max}</bdi>
        </span>
      </p>
      {isAnswered && !isReadOnly && (
        <Button label={say('form.clearOf', { question: props.label })} onPress={() => change(null)}>
          {say('form.clear')}
        </Button>
      )}
      <span hidden id={`${id}-end`} />
    </div>
  )
}

/** Numbers to tap on. */
export function RatingWidget({ id, settings, value, change, leave, isReadOnly, isRequired }: WidgetProps) {
  const { say } = useSpeaker()
  const [min, max] = [numberOr(settings.min, 1), numberOr(settings.max, 5)]
  const step = settings.step ?? 1
  const points = Array.from({ length: Math.floor((max - min) / step + 1e-9) + 1 }, (_, at) => min + at * step)
  return (
    <div class="rating" onFocusOut={leave}>
      <div class="points">
        {points.map((point, at) => (
          <label class="point" key={point}>
            <input
              type="radio"
              id={at === 0 ? id : undefined}
              name={id}
              checked={value === point}
              disabled={isReadOnly}
              onChange={() => change(point)}
            />
            <span>{point}</span>
          </label>
        ))}
      </div>
      {(settings.minLabel || settings.maxLabel) && (
        <p class="ends note">
          <span>
            <bdi>{settings.minLabel}</bdi>
          </span>
          <span>
            <bdi>{settings.maxLabel}</bdi>
          </span>
        </p>
      )}
      {typeof value === 'number' && !isRequired && !isReadOnly && (
        <Button onPress={() => change(null)}>{say('form.clear')}</Button>
      )}
    </div>
  )
}

/** Statements, each with the same scale. On a narrow screen the points stand below each other. */
export function LikertWidget({ id, settings, value, change, leave, isReadOnly, isRequired }: WidgetProps) {
  const { say } = useSpeaker()
  const answers = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  const points = [
    ...(settings.scale ?? []),
    ...(settings.allowNotApplicable ? [{ value: null, label: say('form.notApplicable') }] : []),
  ]
  const set = (key: string, point: unknown) => change({ ...answers, [key]: point })
  const clear = (key: string) => {
    const { [key]: _, ...rest } = answers
    change(Object.keys(rest).length ? rest : null)
  }
  return (
    <div class="likert" onFocusOut={leave}>
      {(settings.statements ?? []).map(({ key, label }, row) => (
        <fieldset class="statement" key={key}>
          <legend>
            <bdi>{label}</bdi>
          </legend>
          <div class="scale">
            {points.map((point, at) => (
              <label class="option" key={String(point.value)}>
                <input
                  type="radio"
                  id={row === 0 && at === 0 ? id : undefined}
                  name={`${id}-${key}`}
                  checked={Object.hasOwn(answers, key) && answers[key] === point.value}
                  disabled={isReadOnly}
                  onChange={() => set(key, point.value)}
                />
                <span>
                  <bdi>{point.label || point.value}</bdi>
                </span>
              </label>
            ))}
          </div>
          {Object.hasOwn(answers, key) && !isRequired && !isReadOnly && (
            <Button label={say('form.clearOf', { question: label })} onPress={() => clear(key)}>
              {say('form.clear')}
            </Button>
          )}
        </fieldset>
      ))}
    </div>
  )
}
