/** Packs, their types, and what became of each of them. */
import type { Id } from '#kernel/id'
import { bool, integer, json, key, moment, oneOf, primaryKey, real, table, text } from './columns'

/** A field that the packs of a type have besides their own. */
export type ExtendedField = {
  key: string
  label: string
  type: 'text' | 'integer' | 'float' | 'date' | 'datetime' | 'boolean'
}

const state = () => oneOf('inStock', 'quarantined', 'dispensed', 'returned', 'lost', 'damaged', 'destroyed')

export const packTypes = table('packTypes', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  trial: text().notNull(),
  name: text().notNull(),
  description: text(),
  standardFields: json<('name' | 'batchNumber')[]>().notNull(),
  extendedFields: json<ExtendedField[]>().notNull(),
}))

/** Its `key` is in SQL only. */
export const packs = table('packs', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  trial: text().notNull(),
  packType: text().notNull(),
  name: text(),
  batchNumber: text(),
  /** The last day on which it may be dispensed, `YYYY-MM-DD`. */
  expiryDate: text(),
  /** By the key of the extended field; a datetime is text as on the wire. */
  extended: json<Record<string, string | number | boolean>>().notNull(),
  /** The site that holds it or dispensed it; null at trial level. */
  assignedToSite: text(),
  availableToAllGroups: bool().notNull(),
  availableToGroups: json<Id[]>().notNull(),
  state: state().notNull(),
  /** The participant to whom it was dispensed, also after it came back. */
  participant: text(),
  assignedAt: moment(),
  unitsReturned: integer(),
  /** Name and batch number in the form in which a search compares them. */
  searchText: text().notNull(),
  /** The import that brought it. */
  import: text(),
}))

export const packImports = table('packImports', () => ({
  _id: key(),
  trial: text().notNull(),
  /** Its packs are written by then, or are deleted. */
  until: moment().notNull(),
}))

/** The chain of custody of each pack; see the migration. */
export const packEvents = table(
  'packEvents',
  () => ({
    pack: text().notNull(),
    _id: text().notNull(),
    createdAt: moment().notNull(),
    createdBy: text().notNull(),
    occurredAt: moment().notNull(),
    packType: text().notNull(),
    type: oneOf(
      'received',
      'moved',
      'temperatureExcursion',
      'quarantined',
      'released',
      'lost',
      'found',
      'damaged',
      'dispensed',
      'unassigned',
      'returned',
      'destroyed',
    ).notNull(),
    state: state().notNull(),
    site: text(),
    fromSite: text(),
    participant: text(),
    reason: text(),
    units: integer(),
    /** In °C. */
    lowestTemperature: real(),
    highestTemperature: real(),
    minutes: integer(),
  }),
  (t) => [primaryKey({ columns: [t.pack, t._id] })],
)
