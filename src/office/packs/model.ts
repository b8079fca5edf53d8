/** The models of packs (docs/packs.md, "Packs"). */

import { packs } from '#db/tables/index'
import { reason } from '#kernel/refusals/reason'
import { MOST_PACKS } from '#office/packs/events/model'
import {
  anything,
  day,
  either,
  flag,
  id,
  instant,
  joinShapes,
  keyed,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  partial,
  personal,
  shape,
  text,
  textWithSpaces,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

const fields = {
  name: maybe(orNull(oneLine(0, 200))),
  batchNumber: maybe(orNull(oneLine(0, 100))),
  expiryDate: maybe(withDescription('The last day on which it may be dispensed.', orNull(day()))),
  extended: maybe(
    withDescription(
      'Values by the keys of the type’s extended fields. Keys that are not sent keep their value; null removes it.',
      keyed(anything(), { problem: reason('notFields') }),
    ),
  ),
  assignedToSite: maybe(
    withDescription('The site that holds it; null for trial level. A change is recorded as moved.', orNull(id())),
  ),
  availableToAllGroups: maybe(withDescription('By default true unless `availableToGroups` names groups.', flag())),
  availableToGroups: maybe(list(id(), 1000)),
}
const receivedAt = maybe(withDescription('When it was received, by default now.', instant()))

const packType = () => withDescription('It cannot be changed.', id())

/** A pack as answers about others name it; `name` is null if it has none. */
export const NamedPack = shape('NamedPack', { _id: id(), name: orNull(oneLine(0, 200)) })

/** A pack as it is created or changed. */
export const PackInput = shape('PackInput', { packType: packType(), ...fields })
export type PackFields = Omit<ValueOf<typeof PackInput>, 'packType'>

const NewPack = joinShapes('NewPack', PackInput, shape({ receivedAt }))
const PackOfType = shape('NewPackOfType', { ...fields, receivedAt })
const NewPacks = shape('NewPacks', {
  packType: packType(),
  packs: list(PackOfType, MOST_PACKS, 1),
})

/** One pack, or up to 500 of a type. */
export const PackCreation = either(NewPacks, NewPack)
export type PackCreation = ValueOf<typeof PackCreation>

export const PackChange = partial(PackInput)

const ids = () => withDescription('Packs of one trial. Each counts once.', list(id(), MOST_PACKS, 1))

/** A change of several packs, and a deletion. */
export const BulkPackChange = shape('PackChanges', { ids: ids(), packType: maybe(packType()), ...fields })
export const BulkPackDeletion = shape('PackDeletion', { ids: ids() })

/** What the service knows of a pack besides. */
const known = {
  _id: id(),
  createdAt: instant(),
  createdBy: id(),
  trial: id(),
  state: withDescription('It follows from the events of the pack.', oneOf(...packs.state.enumValues)),
  participant: maybe(
    withDescription(
      'To whom it was dispensed, also after it came back; else null. Left out if the caller may not see the participant.',
      orNull(id()),
    ),
  ),
  assignedAt: orNull(instant()),
  unitsReturned: orNull(whole(0)),
}

const shownType = maybe(withDescription('Left out while it is that of an arm that is concealed from the caller.', id()))

export const Pack = joinShapes('Pack', joinShapes(shape(known), PackInput), shape({ packType: shownType }))
export type Pack = ValueOf<typeof Pack>

export const Packs = shape('Packs', { packs: list(Pack, MOST_PACKS) })

/** The most packs in a page, and the default. */
export const PAGE = 1000

const cursor = () => text(1, 2000)

const paging = {
  after: maybe(withDescription('Goes on after the page whose `next` was this.', cursor())),
  perPage: maybe(withDescription(`The default is ${PAGE}.`, whole(1, PAGE))),
}

export const PackFilter = shape({
  packType: maybe(id()),
  site: maybe(withDescription('The site that holds it; `null` for trial level.', orNull(id()))),
  state: maybe(oneOf(...packs.state.enumValues)),
  assigned: maybe(withDescription('Whether it was dispensed to a participant.', flag())),
  term: maybe(
    personal(withDescription('Text anywhere in the name or batch number, ignoring case.', textWithSpaces(1, 200))),
  ),
  expiringBefore: maybe(
    withDescription('Only packs that expire before this day, the earliest first; otherwise oldest first.', day()),
  ),
})
export type PackFilter = ValueOf<typeof PackFilter>

export const AvailableQuery = shape({
  availableOnly: maybe(
    withDescription('The packs that may be dispensed to the participant now, in place of those that were.', flag()),
  ),
  packType: maybe(id()),
  ...paging,
})

export const PackPage = shape('PackPage', {
  packs: list(Pack, PAGE),
  next: withDescription('`after` of the next page; null if this is the last.', orNull(cursor())),
})
