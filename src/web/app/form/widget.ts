/** What every widget is given. */
import type { Settings } from './stage'

export type WidgetProps = {
  /** Of the control; parts of a group have ids that begin with it. */
  id: string
  label: string
  settings: Settings
  value: unknown
  /** Null clears the answer. */
  change(value: unknown): void
  /** The person has left the question. */
  leave(): void
  isInvalid: boolean
  isRequired: boolean
  isReadOnly: boolean
  /** The ids of its note and its problem. */
  describedBy: string | undefined
}

/** The attributes that all controls have. */
export const common = ({ id, isInvalid, isRequired, isReadOnly, describedBy, leave }: WidgetProps) => ({
  id,
  disabled: isReadOnly,
  'aria-invalid': isInvalid ? ('true' as const) : undefined,
  'aria-required': isRequired ? ('true' as const) : undefined,
  'aria-describedby': describedBy,
  onBlur: leave,
})

/** A label that names an answer that is no value: it says why there is none. */
export const isMissing = (settings: Settings, value: unknown): boolean =>
  Array.isArray(value) && value.some((label) => settings.options?.some((each) => each.label === label && each.missing))
