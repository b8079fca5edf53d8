/** What an import read, left out and refused (pure). */
import type { FoodType } from '#db/tables/foodDiary'

/** Why rows were left out, which is no fault of the file. */
export type OmissionReason =
  | 'older versions of a product'
  | 'samples and other rows that are no foods'
  | 'foods without any amount that is kept here'

const EXAMPLES = 3

export function newReport() {
  const read = new Map<FoodType, number>()
  const leftOut = new Map<OmissionReason, number>()
  const refused = new Map<string, { count: number; examples: string[] }>()
  const add = <K>(counts: Map<K, number>, key: K, count: number) => counts.set(key, (counts.get(key) ?? 0) + count)
  return {
    read: (type: FoodType) => void add(read, type, 1),
    leaveOut: (why: OmissionReason, count = 1) => void (count && add(leftOut, why, count)),
    /** @param what the row or value that is refused */
    refuse(why: string, what: string): void {
      const known = refused.get(why) ?? { count: 0, examples: [] }
      known.count++
      if (known.examples.length < EXAMPLES) known.examples.push(what)
      refused.set(why, known)
    },
    content: () => ({
      read: Object.fromEntries(read) as Partial<Record<FoodType, number>>,
      leftOut: Object.fromEntries(leftOut) as Partial<Record<OmissionReason, number>>,
      refused: Object.fromEntries(refused),
    }),
  }
}

export type ImportReport = ReturnType<typeof newReport>
export type ReportContent = ReturnType<ImportReport['content']>

const TITLES: Record<FoodType, string> = {
  foundation: 'Foundation Foods',
  srLegacy: 'SR Legacy',
  survey: 'Survey Foods (FNDDS)',
  branded: 'Branded Foods',
}
const number = (value: number) => value.toLocaleString('en')

/** The report in lines, as the command prints it. */
export function reportLines({ read, leftOut, refused }: ReportContent): string[] {
  return [
    ...Object.entries(read).map(([type, count]) => `read     ${number(count)} of ${TITLES[type as FoodType]}`),
    ...Object.entries(leftOut).map(([why, count]) => `left out ${number(count)} ${why}`),
    ...Object.entries(refused).map(
      ([why, { count, examples }]) => `refused  ${number(count)}: ${why}, such as ${examples.join('; ')}`,
    ),
  ]
}
