import { Condition } from '#design/stages/components'
import { formKeys } from '#design/trials/settingsModel'
import { reason } from '#kernel/refusals/reason'
import {
  flag,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  number,
  oneLine,
  oneOf,
  orNull,
  shape,
  type TSchema,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

export const methods = ['simple', 'permutedBlocks', 'stratified', 'minimisation', 'list'] as const

/** See docs/randomisation.md, "Dispensing by arm". */
const PlanLine = shape('RandomisationPlanLine', {
  doseLevel: maybe(
    withDescription(
      'The name of the dose level; null or absent in an arm without dose levels.',
      orNull(oneLine(1, 50)),
    ),
  ),
  packType: id(),
  quantity: maybe(withDescription('How many packs at a time; the default is 1.', whole(1, 20))),
})

/** See docs/randomisation.md, "Arms". */
export const ArmInput = shape('RandomisationArmInput', {
  _id: maybe(withDescription('Ignored, so that a randomisation can be sent as it was read.', id())),
  name: oneLine(1, 100),
  ratio: maybe(withDescription('Its part of the allocation ratio; the default is 1.', whole(1, 100))),
  group: maybe(orNull(id('The group into which allocated participants come.'))),
  packType: maybe(orNull(id('The type of the pack that allocated participants get.'))),
  dispensing: maybe(
    withDescription(
      'What a dispensation gives after the allocation. Without lines, one pack of `packType`.',
      list(PlanLine, 50),
    ),
  ),
})

/** See docs/randomisation.md, "Factors". */
export const Factor = shape('RandomisationFactor', {
  name: withDescription('Unique in the randomisation; the name of its column in an uploaded list.', oneLine(1, 100)),
  type: oneOf('site', 'group', 'answer'),
  groups: maybe(withDescription('For `group`: a participant must be in exactly one of them.', list(id(), 100, 2))),
  stage: maybe(id('For `answer`: the stage, whose first occurrence counts.')),
  dataType: maybe(id('For `answer`: a choice of one option, or a number.')),
  cutPoints: maybe(
    withDescription(
      'For a number, in ascending order: 18, 65 makes the levels `< 18`, `18 to < 65` and `>= 65`.',
      list(number(), 20, 1),
    ),
  ),
  weight: maybe(withDescription('In a minimisation; the default is 1.', whole(1, 100))),
})
export type Factor = ValueOf<typeof Factor>

/** See docs/randomisation.md, "Eligibility". */
export const Eligibility = shape('RandomisationEligibility', {
  stage: id('Its first occurrence must be submitted.'),
  conditions: withDescription('All must hold for its answers.', list(Condition, 50)),
})

const recipients = withDescription(
  'The people who get an e-mail when a participant or the study is unblinded. The default is the person who creates it.',
  list(id(), 50),
)

const SEED = '^[\\x20-\\x7e]+$'

export const RandomisationInput = shape('RandomisationInput', {
  name: oneLine(2, 100),
  method: oneOf(...methods),
  isBlinded: maybe(
    withDescription(
      'Whether arms are concealed from everybody without trial.readRandomisation. The default is true.',
      flag(),
    ),
  ),
  arms: withDescription('At least two, in their order.', list(ArmInput, 20)),
  blockSizes: maybe(
    withDescription(
      'For `permutedBlocks` and `stratified`: multiples of the sum of the ratios, from which each block draws its size.',
      list(whole(2, 1000), 20),
    ),
  ),
  listLength: maybe(withDescription('The length of the list of each stratum; the default is 1000.', whole(1, 10_000))),
  factors: maybe(withDescription('For `stratified`, `minimisation` and `list`.', list(Factor, 10))),
  preferredPercent: maybe(
    withDescription(
      'For `minimisation`: how often, of 100 times, the arm with the least imbalance is taken. The default is 80.',
      whole(50, 100),
    ),
  ),
  eligibility: maybe(orNull(Eligibility)),
  unblindingRecipients: maybe(recipients),
  requiresConsent: maybe(
    withDescription(
      'The keys of consent forms: without a valid consent with each of them, and with those of the trial, nobody is allocated.',
      formKeys(),
    ),
  ),
  seed: maybe(
    orNull(
      withDescription(
        'Without one, the service makes one when it seals.',
        text(16, 200, { pattern: SEED, problem: reason('notSeed') }),
      ),
    ),
  ),
  list: maybe(
    orNull(
      withDescription(
        'For `list`: csv with the columns `arm` and those of the factors; each line is one allocation.',
        text(1, 900_000),
      ),
    ),
  ),
})
export type RandomisationInput = ValueOf<typeof RandomisationInput>

const Arm = joinShapes(
  'RandomisationArm',
  shape({ _id: id() }),
  shape({
    name: oneLine(1, 100),
    ratio: whole(1, 100),
    group: orNull(id()),
    packType: orNull(id()),
    dispensing: list(PlanLine),
  }),
)

/** A field that only some readers see; for the others it is absent. */
const forSome = <T extends TSchema>(description: string, schema: T) => maybe(withDescription(description, schema))
const ARMS = 'Not for those from whom the arms are concealed.'
const LIST = 'Only with trial.readRandomisation, until the unblinding.'

export const Randomisation = shape('Randomisation', {
  _id: id(),
  createdAt: instant(),
  createdBy: id(),
  trial: id(),
  name: oneLine(2, 100),
  status: oneOf('draft', 'sealed', 'closed'),
  method: oneOf(...methods),
  isBlinded: flag(),
  commitment: withDescription('SHA-256 of the document of the list, since it was sealed.', orNull(text(64, 64))),
  sealedAt: orNull(instant()),
  sealedBy: orNull(id()),
  closedAt: orNull(instant()),
  unblindedAt: withDescription('When the study was unblinded, and the list became public.', orNull(instant())),
  unblindingRecipients: list(id()),
  eligibility: orNull(Eligibility),
  doseLevels: withDescription(
    'The dose levels of the arms, the first of which participants begin with: those of all arms, as long as these are concealed.',
    list(oneLine(1, 50)),
  ),
  requiresConsent: formKeys(),
  arms: forSome(ARMS, list(Arm)),
  factors: forSome(LIST, list(Factor)),
  blockSizes: forSome(LIST, list(whole())),
  listLength: forSome(LIST, whole()),
  preferredPercent: forSome(LIST, whole()),
  seed: forSome(LIST, orNull(text(0, 200))),
  list: forSome(LIST, orNull(text(0, 900_000))),
})

export const Randomisations = shape('Randomisations', { randomisations: list(Randomisation) })

/** See docs/randomisation.md, "The commitment". */
export const RandomisationList = shape('RandomisationList', {
  document: withDescription('The text whose SHA-256 is the commitment.', text(0, Number.MAX_SAFE_INTEGER)),
  commitment: text(64, 64),
  lists: withDescription(
    'By stratum, with those that were added for sites that came later.',
    list(shape('StratumList', { stratum: list(text(0, 1000)), arms: list(text(1, 100), 10_000_000) }), 1_000_000),
  ),
})

export const Reason = shape('UnblindingReason', {
  reason: withDescription('The audit trail keeps it, and the people named get it.', text(1, 1000)),
})
