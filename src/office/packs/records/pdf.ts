/** The accountability log of packs as a PDF, in the main language of the trial. */
import { PDFDocument } from '@cantoo/pdf-lib'
import { writerOf } from '#design/trials/notices'
import type { Trial } from '#design/trials/store'
import { lines, space } from '#documents/lines'
import { type Block, drawPages, GREY, WIDTH } from '#documents/page'
import { titleFrame } from '#documents/titleFrame'
import { type Typeface, typefaceWithBoxes } from '#documents/typeface'
import { dayIn } from '#kernel/calendar'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Writer } from '#texts/writer'
import type { Balance, Line } from './model'
import type { Account, Names } from './sheets'

type LogSubject = { trial: Pick<Trial, 'name' | 'settings' | 'timezone'>; at: Instant }
type LogContext = { writer: Writer; names: Names; day(at: Instant | null): string }

/** The columns of the table: the key of the header, and the width in points. */
const COLUMNS = [
  ['packLog.column.pack', 100],
  ['packLog.column.batch', 62],
  ['packLog.column.expires', 52],
  ['packLog.column.received', 52],
  ['packLog.column.participant', 66],
  ['packLog.column.dispensed', 52],
  ['packLog.column.returned', 52],
  ['packLog.column.end', 63],
] as const

const SIZE = 7.5
const STEP = SIZE * 1.35

/** The texts of what is counted, and of the states of a pack. */
const TEXTS = {
  received: 'packLog.received',
  movedIn: 'packLog.movedIn',
  movedOut: 'packLog.movedOut',
  inStock: 'packLog.inStock',
  quarantined: 'packLog.quarantined',
  dispensed: 'packLog.dispensed',
  returned: 'packLog.returned',
  lost: 'packLog.lost',
  damaged: 'packLog.damaged',
  destroyed: 'packLog.destroyed',
  unitsReturned: 'packLog.unitsReturned',
} as const
const COUNTS = Object.keys(TEXTS) as (keyof typeof TEXTS)[]

const placeOf = ({ writer: { write }, names }: LogContext, site: Id | null): string =>
  site === null
    ? write('packLog.place.trial', {})
    : write('packLog.place.site', { site: names.sites.get(site) ?? site })

const typeOf = ({ writer, names }: LogContext, packType: Id | undefined): string =>
  packType === undefined ? writer.write('packLog.concealed', {}) : (names.types.get(packType) ?? packType)

/** The heading and the counts of a balance. */
const balanceTexts = (context: LogContext, balance: Balance): [heading: string, counts: string] => [
  `${placeOf(context, balance.site)} · ${typeOf(context, balance.packType)}`,
  COUNTS.map((count) => `${context.writer.write(TEXTS[count], {})} ${balance[count]}`).join(' · '),
]

/** The sentence about all balances. */
function balanceSummary({ writer }: LogContext, balances: readonly Balance[]): string {
  const missing = balances.reduce((sum, { difference }) => sum + Math.abs(difference), 0)
  return missing ? writer.write('packLog.unbalanced', { count: missing }) : writer.write('packLog.balanced', {})
}

/** The state with its day, as far as that is not in a column of its own. */
function stateText({ writer, day }: LogContext, line: Line): string {
  const { state, lostAt, damagedAt, destroyedAt, movedAt } = line
  const at = { lost: lostAt, damaged: damagedAt, destroyed: destroyedAt, moved: movedAt }
  const when = day(state in at ? at[state as keyof typeof at] : null)
  const text = state === 'moved' ? 'packLog.moved' : TEXTS[state]
  return `${writer.write(text, {})}${when && ` ${when}`}`
}

/** The arm of the participant, and whether the pack is not of it. */
const armText = ({ writer: { write } }: LogContext, { armName, isOfArm }: Line): string =>
  [armName ?? '', ...(isOfArm === false ? [write('packLog.otherArm', {})] : [])].join('\n')

/** The cells of a pack, each with the lines below the first in small print. */
const cellsOf = (context: LogContext, line: Line): string[] => {
  const { day } = context
  const units = line.unitsReturned === null ? '' : ` (${line.unitsReturned})`
  return [
    `${line.name ?? line.pack}\n${typeOf(context, line.packType)}, ${placeOf(context, line.site)}`,
    line.batchNumber ?? '',
    line.expiryDate ?? '',
    `${day(line.receivedAt)}\n${line.receivedBy ?? ''}`,
    `${line.participantId ?? ''}\n${armText(context, line)}`,
    `${day(line.dispensedAt)}\n${line.dispensedBy ?? ''}`,
    `${day(line.returnedAt)}${units}\n${line.returnedBy ?? ''}`,
    stateText(context, line),
  ]
}

/** A row of the table. A row that is taller than a page cannot be: names are short. */
function rowBlock(cells: readonly string[], { regular, bold }: Typeface, isHeader = false): Block {
  const font = isHeader ? bold : regular
  const texts = cells.map((cell, at) =>
    cell
      .trimEnd()
      .split('\n')
      .flatMap((part, n) => font.wrap(part, SIZE, COLUMNS[at]![1] - 4).map((line) => ({ line, isMain: n === 0 }))),
  )
  const height = Math.max(1, ...texts.map((text) => text.length)) * STEP + 4
  return {
    height,
    keepWithNext: isHeader,
    draw(canvas, y) {
      let x = 0
      for (const [at, text] of texts.entries()) {
        for (const [n, { line, isMain }] of text.entries())
          canvas.text(line, x, y + SIZE + 2 + n * STEP, SIZE, font, isMain ? undefined : GREY)
        x += COLUMNS[at]![1]
      }
      canvas.line(0, y + height, WIDTH, isHeader ? 0.2 : 0.8)
    },
  }
}

/** Draws the log. What no font can print is shown as a box, and the first page says so. */
export async function accountPdf(
  { balances, lines: all, names }: Account,
  { trial, at }: LogSubject,
): Promise<Uint8Array> {
  const writer = writerOf(trial, null)
  const zone = trial.timezone ?? 'UTC'
  const day = (when: Instant | null) =>
    when === null ? '' : new Date(dayIn(when, zone) * 86_400_000).toISOString().slice(0, 10)
  const context: LogContext = { writer, names, day }
  const { write } = writer
  const headers = COLUMNS.map(([key]): string => write(key, {}))
  const sums = balances.map((balance) => balanceTexts(context, balance))
  const rows = all.map((line) => cellsOf(context, line))
  const title = write('packLog.title', {})
  const about = `${trial.name} · ${writer.moment(at, zone)}`
  const texts = [balanceSummary(context, balances), write('packLog.signature', {}), write('packLog.unprintable', {})]
  const document = await PDFDocument.create()
  const everything = [title, about, ...texts, ...headers, ...sums.flat(), ...rows.flat()]
  const { typeface, printable, isWhole } = await typefaceWithBoxes(document, everything)
  const { regular, bold } = typeface
  const [summary, signature, unprintable] = texts.map(printable) as [string, string, string]
  document.setTitle(title)
  document.setProducer('Trialbox')
  document.setCreator('Trialbox')
  const header = rowBlock(headers.map(printable), typeface, true)
  const blocks: Block[] = [
    ...(isWhole ? [] : lines(unprintable, regular, 9.5)),
    ...sums.flatMap(([heading, counts]) => [
      ...lines(printable(heading), bold, 10, { keepWithNext: true }),
      ...lines(printable(counts), regular, 9),
      space(4),
    ]),
    ...lines(summary, bold, 9.5),
    space(10),
    header,
    ...rows.map((row) => ({ ...rowBlock(row.map(printable), typeface), pageHeader: header })),
    space(30, true),
    ...lines(signature, regular, 9.5, { keepWithNext: true }),
    { height: 30, draw: (canvas, y) => canvas.line(0, y + 24, WIDTH) },
  ]
  drawPages(document, typeface, blocks, titleFrame(printable(title), printable(about), typeface))
  return document.save()
}
