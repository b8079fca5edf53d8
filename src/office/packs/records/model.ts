/** The models of the accountability log of packs, of their export as csv and of their import (docs/packs.md, "Accountability"). */
import { packs } from '#db/tables/index'
import { PAGE, PackFilter } from '#office/packs/model'
import {
  day,
  flag,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  oneOf,
  orNull,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

const cursor = () => text(1, 2000)

/** The list of packs, which may be exported as csv. */
export const ListQuery = joinShapes(
  PackFilter,
  shape({
    after: maybe(withDescription('Goes on after the page whose `next` was this.', cursor())),
    perPage: maybe(withDescription(`The default is ${PAGE}.`, whole(1, PAGE))),
    format: maybe(withDescription('The whole filtered list as `{csv}`.', oneOf('csv'))),
  }),
)

export const PackCsv = shape('PackCsv', { csv: text(0, Number.MAX_SAFE_INTEGER) })

export const AccountQuery = shape({
  site: maybe(withDescription('Only this site; `null` for trial level. By default everything.', orNull(id()))),
  packType: maybe(id()),
  after: maybe(withDescription('Goes on after the page whose `next` was this.', cursor())),
  perPage: maybe(withDescription(`The default is ${PAGE}.`, whole(1, PAGE))),
  format: maybe(withDescription('The whole log: `{csv}`, or a link to a PDF.', oneOf('csv', 'pdf'))),
})

const count = (description?: string) => (description === undefined ? whole(0) : withDescription(description, whole(0)))

const shownType = () =>
  maybe(
    withDescription('Left out for types of arms that are concealed from the caller; their counts are added up.', id()),
  )

const Balance = shape('PackBalance', {
  site: withDescription('Null for trial level.', orNull(id())),
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
  difference: withDescription(
    'received + movedIn − movedOut − all that is there, by state: always 0, or the books do not balance.',
    whole(),
  ),
})
export type Balance = ValueOf<typeof Balance>

const moment = () => orNull(instant())
const person = () => withDescription('Who recorded it.', orNull(text(0, 200)))

const Line = shape('PackAccountLine', {
  pack: id(),
  name: orNull(text(0, 200)),
  packType: shownType(),
  batchNumber: orNull(text(0, 100)),
  expiryDate: orNull(day()),
  site: withDescription('Null for trial level.', orNull(id())),
  state: withDescription('moved: it is at another place now.', oneOf(...packs.state.enumValues, 'moved')),
  receivedAt: moment(),
  receivedBy: person(),
  movedAt: moment(),
  dispensedAt: moment(),
  dispensedBy: person(),
  participantId: maybe(withDescription('Left out if the caller may not see the participant.', orNull(text(0, 50)))),
  armName: maybe(
    withDescription(
      'The arm of the participant, null for none. Only for packs that a sealed randomisation gives, and not while its arms are concealed from the caller.',
      orNull(text(0, 2500)),
    ),
  ),
  isOfArm: maybe(withDescription('With `armName`: whether the pack is of that arm.', flag())),
  returnedAt: moment(),
  returnedBy: person(),
  unitsReturned: orNull(whole(0)),
  excursions: count('How often its temperature was out of range.'),
  lostAt: moment(),
  damagedAt: moment(),
  destroyedAt: moment(),
  destroyedBy: person(),
})
export type Line = ValueOf<typeof Line>

export const Accountability = shape('PackAccountability', {
  balances: withDescription('Of each place and type, whatever page.', list(Balance, 1_000_000)),
  lines: withDescription('What became of each pack that is or was there.', list(Line, PAGE)),
  next: withDescription('`after` of the next page; null if this is the last.', orNull(cursor())),
})

export const AccountabilityFile = shape('PackAccountabilityFile', {
  request: withDescription('A link to the PDF, for an hour.', text(1, 5000)),
  fileName: text(1, 300),
})

/** The most rows of an import. */
export const MOST_ROWS = 50_000

/** The largest csv, in characters. */
export const MOST_CSV = 15 << 20

export const PackImport = shape('PackImportInput', {
  packType: maybe(withDescription('The type of all packs; without it, the csv has a column `packType`.', id())),
  content: withDescription(
    'A csv: a line of headers, then a line for each pack: name, batchNumber, expiryDate, site (its own identifier), receivedAt, groups (names with ; between), packType (name or _id), and the keys of extended fields.',
    text(1, MOST_CSV),
  ),
})

export const PackImportResult = shape('PackImport', { created: whole(0), sha256: text(64, 64) })
