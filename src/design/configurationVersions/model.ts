import {
  anything,
  flag,
  id,
  instant,
  joinShapes,
  keyed,
  list,
  maybe,
  oneOf,
  orNull,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

const triggers = ['manual', 'lock', 'databaseLock'] as const
export type Trigger = (typeof triggers)[number]

const snapshotList = (what: string) => withDescription(what, list(keyed(anything()), 1_000_000))

/** The whole configuration as it was when the version was taken. Later models do not change stored snapshots. */
export const Snapshot = shape('ConfigurationSnapshot', {
  dataTypes: snapshotList('By age.'),
  stages: snapshotList('In their order.'),
  stageGroups: snapshotList('In their order.'),
  anchors: snapshotList('By age.'),
  groups: snapshotList('By age.'),
  sites: snapshotList('By age: `_id`, `name` and `id` only.'),
  consentForms: snapshotList('By age, with the content of their newest versions.'),
  settings: withDescription(
    'The fields of the trial, without its password, locks and archive flag.',
    keyed(anything()),
  ),
})
export type Snapshot = ValueOf<typeof Snapshot>

/** See docs/review.md, "Configuration versions". */
const Version = shape('ConfigurationVersion', {
  _id: id(),
  number: whole(1),
  createdAt: instant(),
  user: withDescription('Who took it; at a lock, who turned the lock on.', id()),
  userEmail: text(1, 200),
  trigger: oneOf(...triggers),
  note: withDescription('At a lock, its justification.', orNull(text(0, 1000))),
  hash: withDescription(
    'SHA-256 of the snapshot as JSON with sorted keys, without fields that are null.',
    text(64, 64),
  ),
})

export const Versions = shape('ConfigurationVersions', { versions: list(Version, 1_000_000) })

export const VersionInput = shape('ConfigurationVersionInput', { note: maybe(orNull(text(1, 1000))) })

/** The new version; if nothing has changed, the last one. */
export const NewVersion = joinShapes(
  'NewConfigurationVersion',
  Version,
  shape({ snapshot: Snapshot, unchanged: maybe(withDescription('True if nothing had changed.', flag())) }),
)

const Change = shape('ConfigurationChange', {
  path: withDescription('Such as `stages["Visit 1"].components["pulse"].title`.', text(1, 10_000)),
  kind: oneOf('added', 'removed', 'changed'),
  before: anything(),
  after: anything(),
})

export const VersionDetail = joinShapes(
  'ConfigurationVersionDetail',
  Version,
  shape({
    snapshot: Snapshot,
    changes: maybe(withDescription('From the version `against` to this one.', list(Change, 1_000_000))),
  }),
)

export const AgainstQuery = shape({
  against: maybe(withDescription('The number of the version to compare with.', whole(1))),
})
