import { withoutConsentReason } from '#conduct/consents/required'
import { NamedPack } from '#office/packs/model'
import {
  flag,
  id,
  instant,
  list,
  maybe,
  number,
  oneLine,
  orNull,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'

/** See docs/randomisation.md, "Allocation". */
export const AllocationInput = shape('AllocationInput', {
  participant: id(),
  site: maybe(id('For a participant of several sites: the one that counts, and whose packs are used.')),
  withoutConsentReason: withoutConsentReason(),
})

const ARM = 'Absent for readers from whom the arms are concealed.'

export const Allocation = shape('Allocation', {
  _id: id(),
  createdAt: instant(),
  createdBy: id(),
  randomisation: id(),
  participant: id(),
  participantId: withDescription('The participant ID that the study gave', oneLine(1, 50)),
  number: withDescription('From 1, in the order of the allocations.', whole(1)),
  site: orNull(id('The site of the participant, if it matters.')),
  pack: orNull(NamedPack),
  unblindedAt: withDescription('When the participant was last unblinded in an emergency.', orNull(instant())),
  arm: maybe(withDescription(ARM, id())),
  armName: maybe(withDescription(ARM, text(1, 100))),
  group: maybe(withDescription(ARM, orNull(id()))),
  packType: maybe(withDescription(ARM, orNull(id()))),
  stratum: maybe(
    withDescription(
      `${ARM} By factor; null for an answer that is hidden from the reader.`,
      list(orNull(text(0, 1000))),
    ),
  ),
})

export const AllocationQuery = shape({
  participant: maybe(id()),
  after: maybe(withDescription('Only allocations after this number', whole(0))),
})

export const Allocations = shape('Allocations', { allocations: list(Allocation), nextPageAvailable: flag() })

/** The body of an emergency unblinding: the caller types the participant ID again, so that the wrong participant is not unblinded by mistake. */
export const UnblindingInput = shape('UnblindingInput', {
  participantId: withDescription('The participant ID that the study gave, typed again to confirm', oneLine(1, 50)),
  reason: withDescription('The audit trail keeps it, and the people named get it.', text(1, 1000)),
})

export const Unblinding = shape('Unblinding', {
  participant: id(),
  participantId: oneLine(1, 50),
  arm: withDescription('The arm of the participant.', shape({ _id: id(), name: oneLine(1, 100), group: orNull(id()) })),
  pack: orNull(NamedPack),
  unblindedAt: instant(),
})

const armCounts = list(withDescription('By arm, in their order.', whole(0)))

/** See docs/randomisation.md, "Balance". */
export const Balance = shape('RandomisationBalance', {
  allocated: whole(0),
  arms: list(
    shape('ArmBalance', { _id: id(), name: oneLine(1, 100), ratio: whole(1), count: whole(0), expected: number(0) }),
  ),
  strata: withDescription(
    'Empty if a factor is an answer that is hidden from the reader.',
    list(
      shape('StratumBalance', {
        stratum: list(text(0, 1000)),
        counts: armCounts,
        imbalance: withDescription('The range of the counts, each divided by the ratio of its arm.', number(0)),
      }),
      1_000_000,
    ),
  ),
  factors: withDescription(
    'Of a minimisation, without answers that are hidden from the reader.',
    list(
      shape('LevelBalance', { factor: text(1, 100), level: text(0, 1000), counts: armCounts, imbalance: number(0) }),
      1_000_000,
    ),
  ),
  bound: withDescription(
    'The largest imbalance that the method allows in a stratum; null if it has none.',
    orNull(number(0)),
  ),
})
