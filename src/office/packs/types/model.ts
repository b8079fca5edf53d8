/** The models of pack types (docs/packs.md, "Pack types"). */
import { reason } from '#kernel/refusals/reason'
import {
  id,
  instant,
  joinShapes,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  shape,
  text,
  type ValueOf,
  withDescription,
} from '#wire/schema'

export const standardFields = ['name', 'batchNumber'] as const

/** The types of extended fields. */
export const fieldTypes = ['text', 'integer', 'float', 'date', 'datetime', 'boolean'] as const

export const MOST_EXTENDED_FIELDS = 50

/** The most pack types of a trial: a list of packs reads a range of an index for each. */
export const MOST_TYPES = 100

const ExtendedField = shape('PackExtendedField', {
  key: withDescription(
    'Unique in the type. A letter, then letters, digits and `_`.',
    text(1, 64, {
      pattern: '^[A-Za-z][A-Za-z0-9_]*$',
      problem: reason('notFieldKey'),
    }),
  ),
  label: oneLine(1, 200),
  type: oneOf(...fieldTypes),
})

export const PackTypeInput = shape('PackTypeInput', {
  name: oneLine(2, 120),
  description: maybe(orNull(text(0, 2000))),
  standardFields: maybe(
    withDescription(
      'The fields of a pack that packs of this type have; both by default.',
      list(oneOf(...standardFields), standardFields.length),
    ),
  ),
  extendedFields: maybe(
    withDescription(
      'Fields that packs of this type have besides. A field whose values packs hold cannot be removed, nor get another type.',
      list(ExtendedField, MOST_EXTENDED_FIELDS),
    ),
  ),
})
export type PackTypeInput = ValueOf<typeof PackTypeInput>

export const PackType = joinShapes(
  'PackType',
  shape({ _id: id(), createdAt: instant(), createdBy: id(), trial: id() }),
  PackTypeInput,
)

export const PackTypes = shape('PackTypes', { packTypes: list(PackType, MOST_TYPES) })
