/** The models of the accountability log of packs, of their export as csv and of their import (docs/packs.md, "Accountability"). */
import { packs } from '#db/tables/index'
import { PAGE, PackFilter } from '#office/packs/model'
import * as t from '#wire/schema'

const cursor = () => t.text(1, 2000)

/** The list of packs, which may be exported as csv. */
export const ListQuery = t.joinShapes(
  PackFilter,
  t.shape({
    after: t.maybe(t.withDescription('Goes on after the page whose `next` was this.', cursor())),
    perPage: t.maybe(t.withDescription(`The default is ${PAGE}.`, t.whole(1, PAGE))),
    format: t.maybe(t.withDescription('The whole filtered list as `{csv}`.', t.oneOf('csv'))),
  }),
)

export const PackCsv = t.shape('PackCsv', { csv: t.text(0, Number.MAX_SAFE_INTEGER) })

export const AccountQuery = t.shape({
  site: t.maybe(t.withDescription('Only this site; `null` for trial level. By default everything.', t.orNull(t.id()))),
  packType: t.maybe(t.id()),
  after: t.maybe(t.withDescription('Goes on after the page whose `next` was this.', cursor())),
  perPage: t.maybe(t.withDescription(`The default is ${PAGE}.`, t.whole(1, PAGE))),
  format: t.maybe(t.withDescription('The whole log: `{csv}`, or a link to a PDF.', t.oneOf('csv', 'pdf'))),
})

const count = (description?: string) =>
  description === undefined ? t.whole(0) : t.withDescription(description, t.whole(0))

const shownType = () =>
  t.maybe(
    t.withDescription(
      'Left out for types of arms that are concealed from the caller; their counts are added up.',
      t.id(),
    ),
  )

const Balance = t.shape('PackBalance', {
  site: t.withDescription('Null for trial level.', t.orNull(t.id())),
  packType: shownType(),
  received: count('Packs that were created there.'),
  movedIn: count(),
  movedOut: count(),
  inStock: count(),
  quarantined: count(),
  dispensed: count(),
  returned: count(),
  lost: count(),
  damaged: count(),
  destroyed: count(),
  unitsReturned: count(),
  difference: t.withDescription(
    'received + movedIn − movedOut − all that is there, by state: always 0, or the books do not balance.',
    t.whole(),
  ),
})
export type Balance = t.ValueOf<typeof Balance>

const moment = () => t.orNull(t.instant())
const person = () => t.withDescription('Who recorded it.', t.orNull(t.text(0, 200)))

const Line = t.shape('PackAccountLine', {
  pack: t.id(),
  name: t.orNull(t.text(0, 200)),
  packType: shownType(),
  batchNumber: t.orNull(t.text(0, 100)),
  expiryDate: t.orNull(t.day()),
  site: t.withDescription('Null for trial level.', t.orNull(t.id())),
  state: t.withDescription('moved: it is at another place now.', t.oneOf(...packs.state.enumValues, 'moved')),
  receivedAt: moment(),
  receivedBy: person(),
  movedAt: moment(),
  dispensedAt: moment(),
  dispensedBy: person(),
  participantId: t.maybe(
    t.withDescription('Left out if the caller may not see the participant.', t.orNull(t.text(0, 50))),
  ),
  armName: t.maybe(
    t.withDescription(
      'The arm of the participant, null for none. Only for packs that a sealed randomisation gives, and not while its arms are concealed from the caller.',
      t.orNull(t.text(0, 2500)),
    ),
  ),
  isOfArm: t.maybe(t.withDescription('With `armName`: whether the pack is of that arm.', t.flag())),
  returnedAt: moment(),
  returnedBy: person(),
  unitsReturned: t.orNull(t.whole(0)),
  excursions: count('How often its temperature was out of range.'),
  lostAt: moment(),
  damagedAt: moment(),
  destroyedAt: moment(),
  destroyedBy: person(),
})
export type Line = t.ValueOf<typeof Line>

export const Accountability = t.shape('PackAccountability', {
  balances: t.withDescription('Of each place and type, whatever page.', t.list(Balance, 1_000_000)),
  lines: t.withDescription('What became of each pack that is or was there.', t.list(Line, PAGE)),
  next: t.withDescription('`after` of the next page; null if this is the last.', t.orNull(cursor())),
})

export const AccountabilityFile = t.shape('PackAccountabilityFile', {
  request: t.withDescription('A link to the PDF, for an hour.', t.text(1, 5000)),
  fileName: t.text(1, 300),
})

/** The most rows of an import. */
export const MOST_ROWS = 50_000

/** The largest csv, in characters. */
export const MOST_CSV = 15 << 20

export const PackImport = t.shape('PackImportInput', {
  packType: t.maybe(t.withDescription('The type of all packs; without it, the csv has a column `packType`.', t.id())),
  content: t.withDescription(
    'A csv: a line of headers, then a line for each pack: name, batchNumber, expiryDate, site (its own identifier), receivedAt, groups (names with ; between), packType (name or _id), and the keys of extended fields.',
    t.text(1, MOST_CSV),
  ),
})

export const PackImportResult = t.shape('PackImport', { created: t.whole(0), sha256: t.text(64, 64) })
