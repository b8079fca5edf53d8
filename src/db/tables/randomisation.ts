import { bool, integer, json, key, moment, oneOf, primaryKey, table, text } from './columns'

/** What splits participants into strata, or what a minimisation balances (docs/randomisation.md, "Factors"). */
export type FactorFields = {
  name: string
  type: 'site' | 'group' | 'answer'
  groups?: string[]
  stage?: string
  dataType?: string
  cutPoints?: number[]
  weight?: number
}

type Condition = { dataType: string; operator: 'exists' | 'equal' | 'notequal' | 'more' | 'less'; value?: unknown }

/** The stage whose submission makes a participant eligible, and the conditions on its answers. */
export type EligibilityFields = { stage: string; conditions: Condition[] }

export const randomisations = table('randomisations', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  trial: text().notNull(),
  name: text().notNull(),
  status: oneOf('draft', 'sealed', 'closed').notNull(),
  method: oneOf('simple', 'permutedBlocks', 'stratified', 'minimisation', 'list').notNull(),
  isBlinded: bool().notNull(),
  blockSizes: json<number[]>().notNull(),
  listLength: integer().notNull(),
  factors: json<FactorFields[]>().notNull(),
  /** How often, of 100 times, a minimisation takes the arm with the least imbalance. */
  preferredPercent: integer().notNull(),
  eligibility: json<EligibilityFields>(),
  /** The people who get an e-mail about each unblinding. */
  unblindingRecipients: json<string[]>().notNull(),
  seed: text(),
  /** The uploaded list, as csv. */
  list: text(),
  /** Random text in the committed document. */
  nonce: text(),
  /** SHA-256 of the document of the sealed list. */
  commitment: text(),
  sealedAt: moment(),
  sealedBy: text(),
  closedAt: moment(),
  unblindedAt: moment(),
  /** The keys of the consent forms that a participant must have signed before an allocation. */
  requiresConsent: json<string[]>(),
}))

export const randomisationArms = table('randomisationArms', () => ({
  _id: key(),
  trial: text().notNull(),
  randomisation: text().notNull(),
  index: integer().notNull(),
  name: text().notNull(),
  ratio: integer().notNull(),
  group: text(),
  packType: text(),
  isConcealed: bool().notNull(),
}))

export const randomisationLists = table(
  'randomisationLists',
  () => ({
    randomisation: text().notNull(),
    /** The levels of the factors in their order, as JSON. */
    stratum: text().notNull(),
    trial: text().notNull(),
    /** Places of arms. */
    arms: json<number[]>().notNull(),
    /** Whether it is in the document of the commitment. */
    isCommitted: bool().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.randomisation, t.stratum] })],
)

export const allocations = table('allocations', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  trial: text().notNull(),
  randomisation: text().notNull(),
  participant: text().notNull(),
  /** From 1, in the order of the allocations. */
  number: integer().notNull(),
  arm: text().notNull(),
  stratum: text().notNull(),
  position: integer(),
  site: text(),
  pack: text(),
}))

export const allocationCounts = table(
  'allocationCounts',
  () => ({
    randomisation: text().notNull(),
    /** The place of the factor, from 0. */
    factor: integer().notNull(),
    level: text().notNull(),
    arm: text().notNull(),
    trial: text().notNull(),
    count: integer().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.randomisation, t.factor, t.level, t.arm] })],
)

export const unblindings = table('unblindings', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  trial: text().notNull(),
  allocation: text().notNull(),
  participant: text().notNull(),
  user: text().notNull(),
  reason: text().notNull(),
}))

/** What an arm dispenses at a time; see the migration. */
export const randomisationDispensing = table('randomisationDispensing', () => ({
  _id: key(),
  trial: text().notNull(),
  randomisation: text().notNull(),
  arm: text().notNull(),
  index: integer().notNull(),
  /** Null in an arm without dose levels. */
  doseLevel: text(),
  packType: text().notNull(),
  quantity: integer().notNull(),
}))

export const dispensations = table('dispensations', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  trial: text().notNull(),
  randomisation: text().notNull(),
  participant: text().notNull(),
  /** From 1, in the order of the dispensations of the randomisation. */
  number: integer().notNull(),
  doseLevel: text(),
  quantity: integer().notNull(),
  site: text(),
  /** The pack in whose place the participant got one. */
  replaces: text(),
  reason: text(),
}))

/** How many packs had arrived at a place when a blinded person was refused a quantity there. */
export const scarcePlaces = table(
  'scarcePlaces',
  () => ({
    trial: text().notNull(),
    randomisation: text().notNull(),
    /** Empty for trial level. */
    site: text().notNull(),
    arrivals: integer().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.randomisation, t.site] })],
)

export const dispensedPacks = table(
  'dispensedPacks',
  () => ({
    dispensation: text().notNull(),
    pack: text().notNull(),
    trial: text().notNull(),
  }),
  (t) => [primaryKey({ columns: [t.dispensation, t.pack] })],
)
