import { useEffect, useState } from 'preact/hooks'
import { useTranslator } from '#web/form/translator'
import { numberFrom } from '#web/form/values'
import { common, type WidgetProps } from '#web/form/widget'
import { StudyText } from '#web/kit/ui/studyText'

const numberText = (value: unknown, comma: boolean): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'number' && comma ? String(value).replace('.', ',') : String(value)
}

/** A number, typed: no spinner changes it by accident. A comma is as good as a point. */
export function NumberWidget(props: WidgetProps) {
  const { settings, value, change, id, describedBy } = props
  const { language } = useTranslator()
  const comma = language !== 'en' && language !== 'ar'
  const [typed, setTyped] = useState(numberText(value, comma))
  useEffect(() => {
    // Somebody else changed it, such as “start afresh”.
    if (numberFrom(typed, comma) !== (value ?? null)) setTyped(numberText(value, comma))
  }, [value])
  const isWhole = settings.format === 'integer' || settings.decimals === 0
  const isNegative = typeof settings.min !== 'number' || settings.min < 0
  return (
    <div class="control measured">
      <input
        {...common(props)}
        aria-describedby={settings.unit ? [`${id}-unit`, describedBy].filter(Boolean).join(' ') : describedBy}
        enterKeyHint="next"
        class="input"
        type="text"
        // The keyboards with digits only have no minus on some phones.
        inputMode={isNegative ? 'text' : isWhole ? 'numeric' : 'decimal'}
        autoComplete="off"
        dir="ltr"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          change(numberFrom(event.currentTarget.value, comma))
        }}
      />
      {settings.unit && (
        <span class="unit" id={`${id}-unit`}>
          <StudyText text={settings.unit} />
        </span>
      )}
    </div>
  )
}
