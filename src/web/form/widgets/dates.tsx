import { useEffect, useState } from 'preact/hooks'
import { useFormContext } from '#web/form/formState'
import { useTranslator } from '#web/form/translator'
import { dayFrom, dayShown, momentFrom, momentShown } from '#web/form/values'
import { common, type WidgetProps } from '#web/form/widget'

const bound = (value: unknown): string | undefined => (typeof value === 'string' ? value.slice(0, 10) : undefined)

/** In place of half a date: its control has no value, and without this the answer would be left out in silence. */
const HALF = '?'

/**
 * The text of a control while somebody types in it. It stays as it is, also where it means nothing yet: the year 2026 is the year 2 at
 * first, and a control that was emptied then could not be filled in by the keyboard.
 */
function useDateText({ value, change }: WidgetProps, shown: string, answerOf: (text: string) => unknown) {
  const [typed, setTyped] = useState(shown)
  useEffect(() => {
    // Somebody else changed it, such as “start afresh”.
    if (value !== HALF && answerOf(typed) !== (value ?? null)) setTyped(shown)
  }, [value])
  useEffect(() => {
    // The control is new, and has nothing of what was half there.
    if (value === HALF) change(null)
  }, [])
  return {
    value: typed,
    onBlur: ({ currentTarget: { validity } }: { currentTarget: HTMLInputElement }) => {
      if (validity.badInput) change(HALF)
      else if (value === HALF) change(answerOf(typed))
    },
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      setTyped(currentTarget.value)
      change(answerOf(currentTarget.value))
    },
  }
}

/** A day. */
export function DateWidget(props: WidgetProps) {
  const { settings, value } = props
  const { zone } = useFormContext()
  return (
    <input
      {...common(props)}
      class="input"
      type="date"
      min={bound(settings.min)}
      max={bound(settings.max) ?? '9999-12-31'}
      {...useDateText(props, dayShown(value, zone), dayFrom)}
    />
  )
}

/** Whether the clock of the device shows another time than those of the zone. */
function isElsewhere(zone: string): boolean {
  const now = new Date()
  const clock = (timeZone?: string) =>
    now.toLocaleString('en', { dateStyle: 'short', timeStyle: 'short', ...(timeZone ? { timeZone } : {}) })
  return clock() !== clock(zone)
}

/** The place that people know a zone by: `New York` of `America/New_York`. */
const placeOf = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

/** A moment, in the zone of the participant. It is said where the device has another one, as on a journey. */
export function MomentWidget(props: WidgetProps) {
  const { id, value, describedBy } = props
  const { zone } = useFormContext()
  const { t } = useTranslator()
  const note = isElsewhere(zone) ? `${id}-zone` : undefined
  return (
    <>
      <input
        {...common(props)}
        aria-describedby={[note, describedBy].filter(Boolean).join(' ') || undefined}
        class="input"
        type="datetime-local"
        max="9999-12-31T23:59"
        {...useDateText(props, momentShown(value, zone), (text) => momentFrom(text, zone))}
      />
      {note && (
        <p class="note" id={note}>
          {t('form.zone', { zone: placeOf(zone) })}
        </p>
      )}
    </>
  )
}

/** A time of day. */
export function TimeWidget(props: WidgetProps) {
  const { value } = props
  return (
    <input
      {...common(props)}
      class="input"
      type="time"
      {...useDateText(props, typeof value === 'string' && value !== HALF ? value : '', (text) => text || null)}
    />
  )
}
