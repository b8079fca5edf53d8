/** Formats the results of the benchmark: figures with their spread, ratios, and the aims beside them. */

/** A table of the report. */
export type Table = { title: string; columns: string[]; rows: string[][] }

/** What a figure or a ratio should be. */
export type Bound = { least: number } | { most: number }

/** The aims of a row: for the ratio, and for the figure of Trialbox itself. */
export type Aim = { ratio?: Bound; value?: Bound }

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The value below which that share of the values is, such as 0.99. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

const digits = (value: number) =>
  value >= 100 || value === 0 ? Math.round(value).toLocaleString('en') : value.toPrecision(value < 0.1 ? 2 : 3)

/** The median with the minimum and the maximum: `10,900/s (10,500–11,200)`. */
export function figure(values: readonly number[], unit = ''): string {
  if (!values.length) return '–'
  if (values.some(Number.isNaN)) return 'not available here'
  const range = values.length > 1 ? ` (${digits(Math.min(...values))}–${digits(Math.max(...values))})` : ''
  return `${digits(median(values))}${unit}${range}`
}

/** The median of the ratios of the rounds; NaN if nothing was measured. */
export const ratioOf = (floor: readonly number[], ours: readonly number[]): number =>
  floor.length === ours.length ? median(ours.map((value, at) => value / floor[at]!)) : median(ours) / median(floor)

export const ratioText = (ratio: number): string => (Number.isNaN(ratio) ? '' : `× ${ratio.toFixed(2)}`)

/** An aim and whether it is met: `≥ 0.75, missed`. Empty if the value is not known. */
export function verdict(value: number, bound: Bound, unit = ''): string {
  if (Number.isNaN(value)) return ''
  const [sign, limit, isMet] =
    'least' in bound ? ['≥', bound.least, value >= bound.least] : ['≤', bound.most, value <= bound.most]
  return `${sign} ${limit.toLocaleString('en')}${unit}, ${isMet ? 'met' : 'missed'}`
}

const columns = ['what', 'floor', 'Trialbox', 'ratio', 'aim']

/** A table that compares Trialbox with a floor, one figure in a row. */
export const comparisonTable = (title: string, rows: string[][]): Table => ({ title, columns, rows })

/** A row of such a table. The ratio is the median of the rounds' ratios. */
export function comparison(
  what: string,
  unit: string,
  floor: readonly number[],
  ours: readonly number[],
  aim?: Aim,
): string[] {
  const ratio = floor.length ? ratioOf(floor, ours) : Number.NaN
  const aims = [aim?.ratio && `× ${verdict(ratio, aim.ratio)}`, aim?.value && verdict(median(ours), aim.value, unit)]
  return [what, figure(floor, unit), figure(ours, unit), ratioText(ratio), aims.filter(Boolean).join('; ')]
}

/** The table as Markdown. */
export function markdown({ title, columns, rows }: Table): string {
  const lines = [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return `### ${title}\n\n${lines.join('\n')}\n`
}
