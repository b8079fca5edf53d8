import { Condition } from '#design/stages/components'
import { formKeys } from '#design/trials/settingsModel'
import { reason } from '#kernel/refusals/reason'
import * as t from '#wire/schema'

const methods = ['simple', 'permutedBlocks', 'stratified', 'minimisation', 'list'] as const

/** See docs/randomisation.md, "Dispensing by arm". */
const PlanLine = t.shape('RandomisationPlanLine', {
  doseLevel: t.maybe(
    t.withDescription(
      'The name of the dose level; null or absent in an arm without dose levels.',
      t.orNull(t.oneLine(1, 50)),
    ),
  ),
  packType: t.id(),
  quantity: t.maybe(t.withDescription('How many packs at a time; the default is 1.', t.whole(1, 20))),
})

/** See docs/randomisation.md, "Arms". */
const ArmInput = t.shape('RandomisationArmInput', {
  _id: t.maybe(t.withDescription('Ignored, so that a randomisation can be sent as it was read.', t.id())),
  name: t.oneLine(1, 100),
  ratio: t.maybe(t.withDescription('Its part of the allocation ratio; the default is 1.', t.whole(1, 100))),
  group: t.maybe(t.orNull(t.id('The group into which allocated participants come.'))),
  packType: t.maybe(t.orNull(t.id('The type of the pack that allocated participants get.'))),
  dispensing: t.maybe(
    t.withDescription(
      'What a dispensation gives after the allocation. Without lines, one pack of `packType`.',
      t.list(PlanLine, 50),
    ),
  ),
})

/** See docs/randomisation.md, "Factors". */
const Factor = t.shape('RandomisationFactor', {
  name: t.withDescription(
    'Unique in the randomisation; the name of its column in an uploaded list.',
    t.oneLine(1, 100),
  ),
  type: t.oneOf('site', 'group', 'answer'),
  groups: t.maybe(
    t.withDescription('For `group`: a participant must be in exactly one of them.', t.list(t.id(), 100, 2)),
  ),
  stage: t.maybe(t.id('For `answer`: the stage, whose first occurrence counts.')),
  dataType: t.maybe(t.id('For `answer`: a choice of one option, or a number.')),
  cutPoints: t.maybe(
    t.withDescription(
      'For a number, in ascending order: 18, 65 makes the levels `< 18`, `18 to < 65` and `>= 65`.',
      t.list(t.number(), 20, 1),
    ),
  ),
  weight: t.maybe(t.withDescription('In a minimisation; the default is 1.', t.whole(1, 100))),
})
export type Factor = t.ValueOf<typeof Factor>

/** See docs/randomisation.md, "Eligibility". */
const Eligibility = t.shape('RandomisationEligibility', {
  stage: t.id('Its first occurrence must be submitted.'),
  conditions: t.withDescription('All must hold for its answers.', t.list(Condition, 50)),
})

const recipients = t.withDescription(
  'The people who get an e-mail when a participant or the study is unblinded. The default is the person who creates it.',
  t.list(t.id(), 50),
)

const SEED = '^[\\x20-\\x7e]+$'

export const RandomisationInput = t.shape('RandomisationInput', {
  name: t.oneLine(2, 100),
  method: t.oneOf(...methods),
  isBlinded: t.maybe(
    t.withDescription(
      'Whether arms are concealed from everybody without trial.readRandomisation. The default is true.',
      t.flag(),
    ),
  ),
  arms: t.withDescription('At least two, in their order.', t.list(ArmInput, 20)),
  blockSizes: t.maybe(
    t.withDescription(
      'For `permutedBlocks` and `stratified`: multiples of the sum of the ratios, from which each block draws its size.',
      t.list(t.whole(2, 1000), 20),
    ),
  ),
  listLength: t.maybe(
    t.withDescription('The length of the list of each stratum; the default is 1000.', t.whole(1, 10_000)),
  ),
  factors: t.maybe(t.withDescription('For `stratified`, `minimisation` and `list`.', t.list(Factor, 10))),
  preferredPercent: t.maybe(
    t.withDescription(
      'For `minimisation`: how often, of 100 times, the arm with the least imbalance is taken. The default is 80.',
      t.whole(50, 100),
    ),
  ),
  eligibility: t.maybe(t.orNull(Eligibility)),
  unblindingRecipients: t.maybe(recipients),
  requiresConsent: t.maybe(
    t.withDescription(
      'The keys of consent forms: without a valid consent with each of them, and with those of the trial, nobody is allocated.',
      formKeys(),
    ),
  ),
  seed: t.maybe(
    t.orNull(
      t.withDescription(
        'Without one, the service makes one when it seals.',
        t.text(16, 200, { pattern: SEED, problem: reason('notSeed') }),
      ),
    ),
  ),
  list: t.maybe(
    t.orNull(
      t.withDescription(
        'For `list`: csv with the columns `arm` and those of the factors; each line is one allocation.',
        t.text(1, 900_000),
      ),
    ),
  ),
})
export type RandomisationInput = t.ValueOf<typeof RandomisationInput>

const Arm = t.joinShapes(
  'RandomisationArm',
  t.shape({ _id: t.id() }),
  t.shape({
    name: t.oneLine(1, 100),
    ratio: t.whole(1, 100),
    group: t.orNull(t.id()),
    packType: t.orNull(t.id()),
    dispensing: t.list(PlanLine),
  }),
)

/** A field that only some readers see; for the others it is absent. */
const forSome = <T extends t.TSchema>(description: string, schema: T) => t.maybe(t.withDescription(description, schema))
const ARMS = 'Not for those from whom the arms are concealed.'
const LIST = 'Only with trial.readRandomisation, until the unblinding.'

export const Randomisation = t.shape('Randomisation', {
  _id: t.id(),
  createdAt: t.instant(),
  createdBy: t.id(),
  trial: t.id(),
  name: t.oneLine(2, 100),
  status: t.oneOf('draft', 'sealed', 'closed'),
  method: t.oneOf(...methods),
  isBlinded: t.flag(),
  commitment: t.withDescription('SHA-256 of the document of the list, since it was sealed.', t.orNull(t.text(64, 64))),
  sealedAt: t.orNull(t.instant()),
  sealedBy: t.orNull(t.id()),
  closedAt: t.orNull(t.instant()),
  unblindedAt: t.withDescription('When the study was unblinded, and the list became public.', t.orNull(t.instant())),
  unblindingRecipients: t.list(t.id()),
  eligibility: t.orNull(Eligibility),
  doseLevels: t.withDescription(
    'The dose levels of the arms, the first of which participants begin with: those of all arms, as long as these are concealed.',
    t.list(t.oneLine(1, 50)),
  ),
  requiresConsent: formKeys(),
  arms: forSome(ARMS, t.list(Arm)),
  factors: forSome(LIST, t.list(Factor)),
  blockSizes: forSome(LIST, t.list(t.whole())),
  listLength: forSome(LIST, t.whole()),
  preferredPercent: forSome(LIST, t.whole()),
  seed: forSome(LIST, t.orNull(t.text(0, 200))),
  list: forSome(LIST, t.orNull(t.text(0, 900_000))),
})

export const Randomisations = t.shape('Randomisations', { randomisations: t.list(Randomisation) })

/** See docs/randomisation.md, "The commitment". */
export const RandomisationList = t.shape('RandomisationList', {
  document: t.withDescription('The text whose SHA-256 is the commitment.', t.text(0, Number.MAX_SAFE_INTEGER)),
  commitment: t.text(64, 64),
  lists: t.withDescription(
    'By stratum, with those that were added for sites that came later.',
    t.list(
      t.shape('StratumList', { stratum: t.list(t.text(0, 1000)), arms: t.list(t.text(1, 100), 10_000_000) }),
      1_000_000,
    ),
  ),
})

export const Reason = t.shape('UnblindingReason', {
  reason: t.withDescription('The audit trail keeps it, and the people named get it.', t.text(1, 1000)),
})
