/** The models of pack types (docs/packs.md, "Pack types"). */
import { reason } from '#kernel/refusals/reason'
import * as t from '#wire/schema'

export const standardFields = ['name', 'batchNumber'] as const

/** The types of extended fields. */
const fieldTypes = ['text', 'integer', 'float', 'date', 'datetime', 'boolean'] as const

const MOST_EXTENDED_FIELDS = 50

/** The most pack types of a trial: a list of packs reads a range of an index for each. */
export const MOST_TYPES = 100

const ExtendedField = t.shape('PackExtendedField', {
  key: t.withDescription(
    'Unique in the type. A letter, then letters, digits and `_`.',
    t.text(1, 64, {
      pattern: '^[A-Za-z][A-Za-z0-9_]*$',
      problem: reason('notFieldKey'),
    }),
  ),
  label: t.oneLine(1, 200),
  type: t.oneOf(...fieldTypes),
})

export const PackTypeInput = t.shape('PackTypeInput', {
  name: t.oneLine(2, 120),
  description: t.maybe(t.orNull(t.text(0, 2000))),
  standardFields: t.maybe(
    t.withDescription(
      'The fields of a pack that packs of this type have; both by default.',
      t.list(t.oneOf(...standardFields), standardFields.length),
    ),
  ),
  extendedFields: t.maybe(
    t.withDescription(
      'Fields that packs of this type have besides. A field whose values packs hold cannot be removed, nor get another type.',
      t.list(ExtendedField, MOST_EXTENDED_FIELDS),
    ),
  ),
})
export type PackTypeInput = t.ValueOf<typeof PackTypeInput>

export const PackType = t.joinShapes(
  'PackType',
  t.shape({ _id: t.id(), createdAt: t.instant(), createdBy: t.id(), trial: t.id() }),
  PackTypeInput,
)

export const PackTypes = t.shape('PackTypes', { packTypes: t.list(PackType, MOST_TYPES) })
