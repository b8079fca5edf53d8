import { useAround } from '#web/app/form/filling'
import { dayFrom, dayShown, momentFrom, momentShown } from '#web/app/form/values'
import { common, type WidgetProps } from '#web/app/form/widget'

const bound = (value: unknown): string | undefined => (typeof value === 'string' ? value.slice(0, 10) : undefined)

/** A day. */
export function DateWidget(props: WidgetProps) {
  const { settings, value, change } = props
  return (
    <input
      {...common(props)}
      class="input"
      type="date"
      min={bound(settings.min)}
      max={bound(settings.max) ?? '9999-12-31'}
      value={dayShown(value)}
      onInput={(event) => change(dayFrom(event.currentTarget.value))}
    />
  )
}

/** A moment, in the zone of the participant. */
export function MomentWidget(props: WidgetProps) {
  const { value, change } = props
  const { zone } = useAround()
  return (
    <input
      {...common(props)}
      class="input"
      type="datetime-local"
      max="9999-12-31T23:59"
      value={momentShown(value, zone)}
      onInput={(event) => change(momentFrom(event.currentTarget.value, zone))}
    />
  )
}

/** A time of day. */
export function TimeWidget(props: WidgetProps) {
  const { value, change } = props
  return (
    <input
      {...common(props)}
      class="input"
      type="time"
      value={typeof value === 'string' ? value : ''}
      onInput={(event) => change(event.currentTarget.value || null)}
    />
  )
}
