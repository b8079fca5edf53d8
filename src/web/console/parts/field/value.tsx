import { Icon } from '#web/console/parts/parts'
import { AnswerView } from '#web/form/answerView'
import { hintOf } from '#web/form/hint'
import { useReading } from './context'
import type { FieldRow } from './formRows'
import { useFieldTexts } from './texts'

const RANGED: ReadonlySet<string> = new Set([
  'integer',
  'float',
  'measurements',
  'slider',
  'rating',
  'date',
  'datetime',
  'time',
])

/** The limits of a value, where they are numbers or moments. */
export function Range({ settings }: Pick<FieldRow, 'settings'>) {
  const { form, formatValue } = useReading()
  if (!settings || !RANGED.has(settings.format)) return null
  const format = settings.format === 'slider' || settings.format === 'rating' ? 'float' : settings.format
  const text = hintOf({ ...settings, format, step: null }, form, formatValue)
  return text ? <span class="hint">{text}</span> : null
}

/** A value of which the format is not known: only people who may list the fields of the study know it. */
export function plainValue(value: unknown, formatValue: (value: unknown) => string): string {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ')
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : formatValue(value)
}

/** The answer to a question as it is read, or why there is none. */
export function FieldValue({ row }: { row: FieldRow }) {
  const { t } = useFieldTexts()
  const { form, formatValue } = useReading()
  const { status, closed, entry, settings, isComputed } = row
  if (closed) {
    return (
      <span class="closed">
        <Icon name="lock" />
        {t(`field.closed.${closed}`)}
      </span>
    )
  }
  if (status !== 'answered' && status !== 'reason')
    return <span class="faint">{t(`field.status.${status as 'blank'}`)}</span>
  const value = settings ? (
    <AnswerView
      settings={settings}
      value={entry?.value}
      url={entry?.url}
      formatValue={formatValue}
      notApplicable={form.t('form.notApplicable')}
    />
  ) : (
    <bdi>{plainValue(entry?.value, formatValue)}</bdi>
  )
  if (status === 'reason') {
    return (
      <span class="missing-reason">
        {value} <span class="faint">{t('field.reason')}</span>
      </span>
    )
  }
  return (
    <>
      {value}
      {isComputed && <span class="faint"> {t('field.computed')}</span>}
    </>
  )
}
