/** What every widget is given. */
import type { ComponentChildren } from 'preact'
import type { FaultyPart } from './faultyPart'
import type { Settings } from './stage'

export type WidgetProps = {
  /** Of the control; parts of a group have ids that begin with it. */
  id: string
  label: string
  settings: Settings
  value: unknown
  /** Null clears the answer. */
  change(value: unknown): void
  isInvalid: boolean
  isRequired: boolean
  isReadOnly: boolean
  /** The ids of its note and its problem. */
  describedBy: string | undefined
  /** The part of a group in which the problem is. */
  faultyPart: FaultyPart | undefined
  /** What is wrong, to be drawn in that part. */
  fault: ComponentChildren
}

/** The elements that say the limits of a scale in words. */
export const endsOf = (id: string): string => `${id}-ends`

const groups: ReadonlySet<Settings['format']> = new Set(['choice', 'likert', 'rating', 'table', 'bmi'])

/** Whether a format has several controls, which need a group with a name. */
export const isGroup = ({ format }: Settings): boolean => groups.has(format)

/** Gives the focus to a control once it is there: the button that was pressed goes away. */
export function focusSoon(id: string): void {
  setTimeout(() => document.getElementById(id)?.focus())
}

/** The attributes that all controls have. */
export const common = ({ id, isInvalid, isRequired, isReadOnly, describedBy }: WidgetProps) => ({
  id,
  disabled: isReadOnly,
  'aria-invalid': isInvalid ? ('true' as const) : undefined,
  'aria-required': isRequired ? ('true' as const) : undefined,
  'aria-describedby': describedBy,
})

/** Whether the chosen option is a reason for a missing value. */
export const isMissing = (settings: Settings, value: unknown): boolean =>
  Array.isArray(value) && value.some((label) => settings.options?.some((each) => each.label === label && each.missing))
