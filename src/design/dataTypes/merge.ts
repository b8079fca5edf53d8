/** Makes a data type from what was sent: a new one, or an existing one with changes. */

import { sourcesAfter } from '#design/translations/sources'
import { dataTypeTexts } from '#design/translations/textKinds'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { DataTypeInput, DataTypeSettings } from './model'
import { settingsOf } from './rules'
import type { DataTypeRow } from './store'

/** The data type without settings that are null, since null means "not set". */
function withoutNulls(row: DataTypeRow): DataTypeRow {
  const { description, unit, ...rest } = row
  const entries = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined)
  return { ...(Object.fromEntries(entries) as typeof rest), description, unit }
}

/** @param before undefined for a new data type */
function withSources({ translatedFrom, ...after }: DataTypeRow, before?: DataTypeRow): DataTypeRow {
  const sources = sourcesAfter(after, dataTypeTexts, before, translatedFrom)
  return sources ? { ...after, translatedFrom: sources } : after
}

/** A new data type with its code. */
export const dataTypeFromInput = (
  key: { _id: Id; createdAt: Instant; trial: Id; code: string },
  { description = null, unit = null, isRestricted = false, isPii = false, ...rest }: DataTypeInput,
): DataTypeRow => withSources(withoutNulls({ ...rest, description, unit, isRestricted, isPii, ...key }))

/**
 * The data type with the sent fields merged in; null removes a setting. A new format removes the settings that only the old
 * format has. If such settings were sent, they stay, and `settingsProblems` reports them.
 */
export function mergeDataType(before: DataTypeRow, sent: Partial<DataTypeInput>): DataTypeRow {
  const base: DataTypeRow = { ...before }
  if (sent.format !== undefined && sent.format !== before.format) {
    for (const setting of settingsOf[before.format] as (keyof DataTypeSettings)[]) {
      if (!settingsOf[sent.format].includes(setting)) delete base[setting]
    }
  }
  return withSources(withoutNulls({ ...base, ...sent } as DataTypeRow), before)
}
