/** Reads the csv that Dexcom Clarity exports: its glucose readings, and neither the name nor the date of birth in its first rows. */
import { clockReading } from '#conduct/wearables/providers/clocks'
import { type Reading, readingRecords } from '#conduct/wearables/providers/records'
import { numberedRowsOf } from '#documents/csv'
import { refuse } from '#kernel/problem'
import { numberOf, type Reader, textOf } from './reader'

const MOST_ROWS = 500_000

/** What Clarity writes in place of a number that is out of range. */
const OUT_OF_RANGE = new Set(['low', 'high'])

const UNITS = [
  ['mgPerDl', /^glucose value \(mg\/dl\)$/i],
  ['mmolPerL', /^glucose value \(mmol\/l\)$/i],
] as const

export const readDexcom: Reader = async (parts) => {
  const [part, ...others] = parts.filter(({ name }) => /\.csv$/i.test(name))
  if (!part || others.length) throw refuse.bad('notOneDexcomFile')
  const [first, ...rows] = numberedRowsOf(await textOf(part), MOST_ROWS)
  const headers = (first?.cells ?? []).map((cell) => cell.trim())
  const column = (pattern: RegExp) => headers.findIndex((header) => pattern.test(header))
  const [time, type, rate] = [column(/^timestamp\b/i), column(/^event type$/i), column(/^glucose rate of change\b/i)]
  const unit = UNITS.find(([, pattern]) => column(pattern) >= 0)
  if (time < 0 || type < 0 || !unit) throw refuse.bad('notDexcom')
  const [field, value] = [unit[0], column(unit[1])]
  const readings: Reading[] = []
  const unread = { events: 0, wrong: 0, repeated: 0 }
  const seen = new Set<string>()
  for (const { cells } of rows) {
    const kind = cells[type]?.trim().toUpperCase() ?? ''
    if (kind !== 'EGV') {
      if (cells[time]?.trim()) unread.events++
      continue
    }
    const at = clockReading(cells[time]?.trim())?.at
    const text = cells[value]?.trim() ?? ''
    const status = text.toLowerCase()
    const number = numberOf(text)
    // With more cells than headers, a value may have a comma that ends its cell.
    const isShifted = cells.length > headers.length
    if (at === undefined || isShifted || (number === undefined && !OUT_OF_RANGE.has(status))) unread.wrong++
    else if (seen.has(at)) unread.repeated++
    else {
      seen.add(at)
      const change = numberOf(cells[rate])
      const measured = number === undefined ? { status } : { [field]: number }
      readings.push({ at, ...measured, ...(change === undefined ? {} : { rate: change }) })
    }
  }
  return {
    records: readingRecords(readings),
    unread: [
      ...(unread.events ? [`${unread.events} events that are no glucose readings, such as insulin and alerts.`] : []),
      ...(unread.wrong ? [`${unread.wrong} readings without a time or a value.`] : []),
      ...(unread.repeated
        ? [`${unread.repeated} readings at a time that another reading has, as when clocks are set back.`]
        : []),
    ],
  }
}
