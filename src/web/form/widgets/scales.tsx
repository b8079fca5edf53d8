import { useRef } from 'preact/hooks'
import { statementPart } from '#web/form/faultyPart'
import { useFormContext } from '#web/form/formState'
import { useTranslator } from '#web/form/translator'
import { stepAt } from '#web/form/values'
import { common, endsOf, focusSoon, type WidgetProps } from '#web/form/widget'
import { studyText } from '#web/kit/language/studyText'
import { Button } from '#web/kit/ui/components'
import { StudyText } from '#web/kit/ui/studyText'

const numberOr = (value: unknown, other: number): number => (typeof value === 'number' ? value : other)

/** A slider. It has no answer until somebody touches it, even where its thumb rests. */
export function SliderWidget(props: WidgetProps) {
  const { id, settings, value, change, isReadOnly } = props
  const { t } = useTranslator()
  const { formatValue } = useFormContext()
  const [min, max] = [numberOr(settings.min, 0), numberOr(settings.max, 100)]
  const step = settings.step ?? (settings.decimals ? 10 ** -settings.decimals : 1)
  const isAnswered = typeof value === 'number'
  const resting = stepAt(min, step, Math.round((max - min) / 2 / step))
  const take = (event: { currentTarget: HTMLInputElement }) => change(Number(event.currentTarget.value))
  // Enter in the field before leads here, and its key goes up here: what was pressed elsewhere is no answer.
  const isPressed = useRef(false)
  const press = (is: boolean) => {
    isPressed.current = is
  }
  const release = (event: { currentTarget: HTMLInputElement }, isAnswer = true) => {
    if (isPressed.current && isAnswer && !isAnswered) take(event)
    press(false)
  }
  return (
    <div class={isAnswered ? 'slider' : 'slider untouched'}>
      <p class="slider-value" aria-hidden="true">
        {isAnswered ? (
          <>
            <strong>{formatValue(value)}</strong> {settings.unit && <StudyText text={settings.unit} />}
          </>
        ) : (
          t('form.tapLine')
        )}
      </p>
      <input
        {...common(props)}
        aria-describedby={[endsOf(id), props.describedBy].filter(Boolean).join(' ')}
        type="range"
        min={min}
        max={max}
        step={step}
        value={isAnswered ? value : resting}
        aria-valuetext={isAnswered ? `${formatValue(value)} ${settings.unit ?? ''}`.trim() : t('form.notAnswered')}
        onInput={take}
        // A tap on the resting thumb moves nothing, and is an answer all the same.
        onPointerDown={() => press(true)}
        onPointerUp={(event) => release(event)}
        onKeyDown={(event) => !event.repeat && press(true)}
        onKeyUp={(event) => release(event, event.key === ' ' || event.key === 'Enter')}
        onBlur={() => press(false)}
      />
      <p class="ends note" id={endsOf(id)}>
        <span>{settings.minLabel ? <StudyText text={settings.minLabel} /> : formatValue(min)}</span>
        {/* A pause for screen readers. */}
        <span class="hidden">, </span>
        <span>{settings.maxLabel ? <StudyText text={settings.maxLabel} /> : formatValue(max)}</span>
      </p>
      {isAnswered && !isReadOnly && (
        <Button
          label={t('form.clearOf', { question: props.label })}
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

/** Up to eleven points, as of a scale from 0 to 10, stand in one row, or in a list where that is too narrow. */
const pointsClass = (count: number): string => (count > 11 ? 'points' : count > 6 ? 'points row many' : 'points row')

/** Numbers to tap on. */
export function RatingWidget({ id, settings, value, change, isReadOnly, isRequired }: WidgetProps) {
  const { t } = useTranslator()
  const { formatValue } = useFormContext()
  const [min, max] = [numberOr(settings.min, 1), numberOr(settings.max, 5)]
  const step = settings.step ?? 1
  const points = Array.from({ length: Math.floor((max - min) / step + 1e-9) + 1 }, (_, at) => stepAt(min, step, at))
  return (
    <div class="rating">
      <div class={pointsClass(points.length)}>
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
            <span>{formatValue(point)}</span>
            {/* In a list only; screen readers say what the ends mean with the question. */}
            <span class="anchor" aria-hidden="true">
              <StudyText text={at === 0 ? settings.minLabel : at === points.length - 1 ? settings.maxLabel : ''} />
            </span>
          </label>
        ))}
      </div>
      {(settings.minLabel || settings.maxLabel) && (
        <p class="ends note" id={endsOf(id)}>
          {settings.minLabel && <End point={formatValue(min)} label={settings.minLabel} />}
          {settings.maxLabel && <End point={formatValue(points.at(-1) ?? max)} label={settings.maxLabel} />}
        </p>
      )}
      {typeof value === 'number' && !isRequired && !isReadOnly && (
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

/** What an end of a scale means. With its number, as the points may take several lines. */
const End = ({ point, label }: { point: string; label: string }) => (
  <span>
    {point}: <StudyText text={label} />{' '}
  </span>
)

/** Statements, each with the same scale. On a narrow screen the points stand below each other. */
export function LikertWidget({ id, settings, value, change, isReadOnly, isRequired, faultyPart }: WidgetProps) {
  const { t } = useTranslator()
  const { formatValue } = useFormContext()
  const answers = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  const points = [
    ...(settings.scale ?? []),
    ...(settings.allowNotApplicable ? [{ value: null, label: t('form.notApplicable') }] : []),
  ]
  const set = (key: string, point: unknown) => change({ ...answers, [key]: point })
  const clear = (key: string) => {
    const { [key]: _, ...rest } = answers
    change(Object.keys(rest).length ? rest : null)
  }
  return (
    <div class="likert">
      {(settings.statements ?? []).map(({ key, label }, row) => (
        <fieldset
          class={faultyPart?.suffix === statementPart(row) ? 'statement faulty' : 'statement'}
          aria-describedby={faultyPart?.suffix === statementPart(row) ? `${id}-fault` : undefined}
          key={key}
        >
          <legend {...studyText(label)}>{label}</legend>
          <div class="scale">
            {points.map((point, at) => (
              <label class="option" key={String(point.value)} {...(point.value === null ? {} : studyText(point.label))}>
                <input
                  type="radio"
                  id={at === 0 ? `${id}${statementPart(row)}` : undefined}
                  name={`${id}-${key}`}
                  checked={Object.hasOwn(answers, key) && answers[key] === point.value}
                  disabled={isReadOnly}
                  onChange={() => set(key, point.value)}
                />
                <span>{point.label || formatValue(point.value)}</span>
              </label>
            ))}
          </div>
          {Object.hasOwn(answers, key) && !isRequired && !isReadOnly && (
            <Button
              label={t('form.clearOf', { question: label })}
              onPress={() => {
                clear(key)
                focusSoon(id + statementPart(row))
              }}
            >
              {t('form.clear')}
            </Button>
          )}
        </fieldset>
      ))}
    </div>
  )
}
