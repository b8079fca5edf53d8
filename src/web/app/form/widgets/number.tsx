import { useEffect, useState } from 'preact/hooks'
import { numberFrom } from '#web/app/form/values'
import { common, type WidgetProps } from '#web/app/form/widget'

const shownAs = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

/** A number, typed: no spinner changes it by accident. A comma is as good as a point. */
export function NumberWidget(props: WidgetProps) {
  const { settings, value, change, id } = props
  const [typed, setTyped] = useState(shownAs(value))
  useEffect(() => {
    // Somebody else changed it, such as “start afresh”.
    if (numberFrom(typed) !== (value ?? null)) setTyped(shownAs(value))
  }, [value])
  const isWhole = settings.format === 'integer' || settings.decimals === 0
  const isNegative = typeof settings.min !== 'number' || settings.min < 0
  return (
    <div class="control measured">
      <input
        {...common(props)}
        class="input"
        type="text"
        // The keyboards with digits only have no minus on some phones.
        inputMode={isNegative ? 'text' : isWhole ? 'numeric' : 'decimal'}
        autoComplete="off"
        dir="ltr"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          change(numberFrom(event.currentTarget.value))
        }}
      />
      {settings.unit && (
        <span class="unit" id={`${id}-unit`}>
          <bdi>{settings.unit}</bdi>
        </span>
      )}
    </div>
  )
}
