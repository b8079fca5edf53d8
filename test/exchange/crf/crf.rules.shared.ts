/** Data types of case report forms. */
import type { DataTypeRow } from '#design/dataTypes/store'

export const options = ['Yes', 'No', 'Unsure'].map((label) => ({ label }))

export const type = (_id: string, settings: Partial<DataTypeRow> = {}) =>
  ({ _id, name: `Name of ${_id}`, format: 'text', ...settings }) as DataTypeRow
