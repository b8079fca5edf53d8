/** Reads the csv that a person downloads from Fitbit's own pages: tables under titles such as Activities and Sleep. */

import { type NewRecord, recordOf } from '#conduct/wearables/providers/records'
import { rowsOf } from '#documents/csv'
import { refuse } from '#kernel/problem'
import { isDay } from '#kernel/time'
import { numberOf, type Part, type ReadFile, textOf } from './reader'

const COLUMNS: Readonly<Record<string, string>> = {
  'calories burned': 'energy',
  steps: 'steps',
  floors: 'floors',
  'minutes sedentary': 'sedentaryMinutes',
  'minutes lightly active': 'lightMinutes',
  'minutes fairly active': 'moderateMinutes',
  'minutes very active': 'vigorousMinutes',
  'activity calories': 'activeEnergy',
}

/** The title of a table stands alone in its line. */
const isTitle = (cells: readonly string[]) => cells.length === 1 && /^[A-Za-z ]{3,40}$/.test(cells[0]!)

/**
 * The days of the table Activities. Its distance has no unit in the file, and the other tables write their times in the form of
 * the account's country, which the file does not say: they are not read.
 */
export async function readFitbitCsv(part: Part): Promise<ReadFile> {
  const records: NewRecord[] = []
  const unread = new Set<string>()
  let [table, headers]: [string, string[] | undefined] = ['', undefined]
  let wrong = 0
  for (const cells of rowsOf(await textOf(part))) {
    if (isTitle(cells)) {
      table = cells[0]!.trim().toLowerCase()
      headers = undefined
      if (table !== 'activities') unread.add(`The table “${cells[0]!.trim()}”.`)
      continue
    }
    if (table !== 'activities') continue
    if (!headers) {
      headers = cells.map((cell) => cell.trim().toLowerCase())
      if (headers.includes('distance')) unread.add('The distances, whose unit the file does not say.')
      continue
    }
    const day = cells[headers.indexOf('date')]?.trim() ?? ''
    const values = headers.flatMap((header, at) => (header in COLUMNS ? [[COLUMNS[header]!, numberOf(cells[at])]] : []))
    const record = isDay(day) ? recordOf('daily', { key: day, day }, Object.fromEntries(values)) : undefined
    if (record) records.push(record)
    else wrong++
  }
  if (wrong) unread.add(`${wrong} lines whose date is not written as 2026-03-01.`)
  if (!records.length) throw refuse.bad('notFitbitCsv')
  return { records, unread: [...unread] }
}
