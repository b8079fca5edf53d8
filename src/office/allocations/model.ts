import { withoutConsentReason } from '#conduct/consents/required'
import { NamedPack } from '#office/packs/model'
import * as t from '#wire/schema'

/** See docs/randomisation.md, "Allocation". */
export const AllocationInput = t.shape('AllocationInput', {
  participant: t.id(),
  site: t.maybe(t.id('For a participant of several sites: the one that counts, and whose packs are used.')),
  withoutConsentReason: withoutConsentReason(),
})

const ARM = 'Absent for readers from whom the arms are concealed.'

export const Allocation = t.shape('Allocation', {
  _id: t.id(),
  createdAt: t.instant(),
  createdBy: t.id(),
  randomisation: t.id(),
  participant: t.id(),
  participantId: t.withDescription('The participant ID that the study gave', t.oneLine(1, 50)),
  number: t.withDescription('From 1, in the order of the allocations.', t.whole(1)),
  site: t.orNull(t.id('The site of the participant, if it matters.')),
  pack: t.orNull(NamedPack),
  unblindedAt: t.withDescription('When the participant was last unblinded in an emergency.', t.orNull(t.instant())),
  arm: t.maybe(t.withDescription(ARM, t.id())),
  armName: t.maybe(t.withDescription(ARM, t.text(1, 100))),
  group: t.maybe(t.withDescription(ARM, t.orNull(t.id()))),
  packType: t.maybe(t.withDescription(ARM, t.orNull(t.id()))),
  stratum: t.maybe(
    t.withDescription(
      `${ARM} By factor; null for an answer that is hidden from the reader.`,
      t.list(t.orNull(t.text(0, 1000))),
    ),
  ),
})

export const AllocationQuery = t.shape({
  participant: t.maybe(t.id()),
  after: t.maybe(t.withDescription('Only allocations after this number', t.whole(0))),
})

export const Allocations = t.shape('Allocations', { allocations: t.list(Allocation), nextPageAvailable: t.flag() })

/** The body of an emergency unblinding: the caller types the participant ID again, so that the wrong participant is not unblinded by mistake. */
export const UnblindingInput = t.shape('UnblindingInput', {
  participantId: t.withDescription('The participant ID that the study gave, typed again to confirm', t.oneLine(1, 50)),
  reason: t.withDescription('The audit trail keeps it, and the people named get it.', t.text(1, 1000)),
})

export const Unblinding = t.shape('Unblinding', {
  participant: t.id(),
  participantId: t.oneLine(1, 50),
  arm: t.withDescription(
    'The arm of the participant.',
    t.shape({ _id: t.id(), name: t.oneLine(1, 100), group: t.orNull(t.id()) }),
  ),
  pack: t.orNull(NamedPack),
  unblindedAt: t.instant(),
})

const armCounts = t.list(t.withDescription('By arm, in their order.', t.whole(0)))

/** See docs/randomisation.md, "Balance". */
export const Balance = t.shape('RandomisationBalance', {
  allocated: t.whole(0),
  arms: t.list(
    t.shape('ArmBalance', {
      _id: t.id(),
      name: t.oneLine(1, 100),
      ratio: t.whole(1),
      count: t.whole(0),
      expected: t.number(0),
    }),
  ),
  strata: t.withDescription(
    'Empty if a factor is an answer that is hidden from the reader.',
    t.list(
      t.shape('StratumBalance', {
        stratum: t.list(t.text(0, 1000)),
        counts: armCounts,
        imbalance: t.withDescription('The range of the counts, each divided by the ratio of its arm.', t.number(0)),
      }),
      1_000_000,
    ),
  ),
  factors: t.withDescription(
    'Of a minimisation, without answers that are hidden from the reader.',
    t.list(
      t.shape('LevelBalance', {
        factor: t.text(1, 100),
        level: t.text(0, 1000),
        counts: armCounts,
        imbalance: t.number(0),
      }),
      1_000_000,
    ),
  ),
  bound: t.withDescription(
    'The largest imbalance that the method allows in a stratum; null if it has none.',
    t.orNull(t.number(0)),
  ),
})
