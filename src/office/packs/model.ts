/** The models of packs (docs/packs.md, "Packs"). */

import { packs } from '#db/tables/index'
import { reason } from '#kernel/refusals/reason'
import { MOST_PACKS } from '#office/packs/events/model'
import * as t from '#wire/schema'

const fields = {
  name: t.maybe(t.orNull(t.oneLine(0, 200))),
  batchNumber: t.maybe(t.orNull(t.oneLine(0, 100))),
  expiryDate: t.maybe(t.withDescription('The last day on which it may be dispensed.', t.orNull(t.day()))),
  extended: t.maybe(
    t.withDescription(
      'Values by the keys of the type’s extended fields. Keys that are not sent keep their value; null removes it.',
      t.keyed(t.anything(), { problem: reason('notFields') }),
    ),
  ),
  assignedToSite: t.maybe(
    t.withDescription('The site that holds it; null for trial level. A change is recorded as moved.', t.orNull(t.id())),
  ),
  availableToAllGroups: t.maybe(
    t.withDescription('By default true unless `availableToGroups` names groups.', t.flag()),
  ),
  availableToGroups: t.maybe(t.list(t.id(), 1000)),
}
const receivedAt = t.maybe(t.withDescription('When it was received, by default now.', t.instant()))

const packType = () => t.withDescription('It cannot be changed.', t.id())

/** A pack as answers about others name it; `name` is null if it has none. */
export const NamedPack = t.shape('NamedPack', { _id: t.id(), name: t.orNull(t.oneLine(0, 200)) })

/** A pack as it is created or changed. */
const PackInput = t.shape('PackInput', { packType: packType(), ...fields })
export type PackFields = Omit<t.ValueOf<typeof PackInput>, 'packType'>

const NewPack = t.joinShapes('NewPack', PackInput, t.shape({ receivedAt }))
const PackOfType = t.shape('NewPackOfType', { ...fields, receivedAt })
const NewPacks = t.shape('NewPacks', {
  packType: packType(),
  packs: t.list(PackOfType, MOST_PACKS, 1),
})

/** One pack, or up to 500 of a type. */
export const PackCreation = t.either(NewPacks, NewPack)
export type PackCreation = t.ValueOf<typeof PackCreation>

export const PackChange = t.partial(PackInput)

const ids = () => t.withDescription('Packs of one trial. Each counts once.', t.list(t.id(), MOST_PACKS, 1))

/** A change of several packs, and a deletion. */
export const BulkPackChange = t.shape('PackChanges', { ids: ids(), packType: t.maybe(packType()), ...fields })
export const BulkPackDeletion = t.shape('PackDeletion', { ids: ids() })

/** What the service knows of a pack besides. */
const known = {
  _id: t.id(),
  createdAt: t.instant(),
  createdBy: t.id(),
  trial: t.id(),
  state: t.withDescription('It follows from the events of the pack.', t.oneOf(...packs.state.enumValues)),
  participant: t.maybe(
    t.withDescription(
      'To whom it was dispensed, also after it came back; else null. Left out if the caller may not see the participant.',
      t.orNull(t.id()),
    ),
  ),
  assignedAt: t.orNull(t.instant()),
  unitsReturned: t.orNull(t.whole(0)),
}

const shownType = t.maybe(
  t.withDescription('Left out while it is that of an arm that is concealed from the caller.', t.id()),
)

export const Pack = t.joinShapes('Pack', t.joinShapes(t.shape(known), PackInput), t.shape({ packType: shownType }))
export type Pack = t.ValueOf<typeof Pack>

export const Packs = t.shape('Packs', { packs: t.list(Pack, MOST_PACKS) })

/** The most packs in a page, and the default. */
export const PAGE = 1000

const cursor = () => t.text(1, 2000)

const paging = {
  after: t.maybe(t.withDescription('Goes on after the page whose `next` was this.', cursor())),
  perPage: t.maybe(t.withDescription(`The default is ${PAGE}.`, t.whole(1, PAGE))),
}

export const PackFilter = t.shape({
  packType: t.maybe(t.id()),
  site: t.maybe(t.withDescription('The site that holds it; `null` for trial level.', t.orNull(t.id()))),
  state: t.maybe(t.oneOf(...packs.state.enumValues)),
  assigned: t.maybe(t.withDescription('Whether it was dispensed to a participant.', t.flag())),
  term: t.maybe(
    t.personal(
      t.withDescription('Text anywhere in the name or batch number, ignoring case.', t.textWithSpaces(1, 200)),
    ),
  ),
  expiringBefore: t.maybe(
    t.withDescription('Only packs that expire before this day, the earliest first; otherwise oldest first.', t.day()),
  ),
})
export type PackFilter = t.ValueOf<typeof PackFilter>

export const AvailableQuery = t.shape({
  availableOnly: t.maybe(
    t.withDescription('The packs that may be dispensed to the participant now, in place of those that were.', t.flag()),
  ),
  packType: t.maybe(t.id()),
  ...paging,
})

export const PackPage = t.shape('PackPage', {
  packs: t.list(Pack, PAGE),
  next: t.withDescription('`after` of the next page; null if this is the last.', t.orNull(cursor())),
})
