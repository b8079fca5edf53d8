import * as t from '#wire/schema'

const triggers = ['manual', 'lock', 'databaseLock'] as const
export type Trigger = (typeof triggers)[number]

const snapshotList = (what: string) => t.withDescription(what, t.list(t.keyed(t.anything()), 1_000_000))

/** The whole configuration as it was when the version was taken. Later models do not change stored snapshots. */
export const Snapshot = t.shape('ConfigurationSnapshot', {
  dataTypes: snapshotList('By age.'),
  stages: snapshotList('In their order.'),
  stageGroups: snapshotList('In their order.'),
  anchors: snapshotList('By age.'),
  groups: snapshotList('By age.'),
  sites: snapshotList('By age: `_id`, `name` and `id` only.'),
  consentForms: snapshotList('By age, with the content of their newest versions.'),
  settings: t.withDescription(
    'The fields of the trial, without its password, locks and archive flag.',
    t.keyed(t.anything()),
  ),
})
export type Snapshot = t.ValueOf<typeof Snapshot>

/** See docs/review.md, "Configuration versions". */
const Version = t.shape('ConfigurationVersion', {
  _id: t.id(),
  number: t.whole(1),
  createdAt: t.instant(),
  user: t.withDescription('Who took it; at a lock, who turned the lock on.', t.id()),
  userEmail: t.text(1, 200),
  trigger: t.oneOf(...triggers),
  note: t.withDescription('At a lock, its justification.', t.orNull(t.text(0, 1000))),
  hash: t.withDescription(
    'SHA-256 of the snapshot as JSON with sorted keys, without fields that are null.',
    t.text(64, 64),
  ),
})

export const Versions = t.shape('ConfigurationVersions', { versions: t.list(Version, 1_000_000) })

export const VersionInput = t.shape('ConfigurationVersionInput', { note: t.maybe(t.orNull(t.text(1, 1000))) })

/** The new version; if nothing has changed, the last one. */
export const NewVersion = t.joinShapes(
  'NewConfigurationVersion',
  Version,
  t.shape({ snapshot: Snapshot, unchanged: t.maybe(t.withDescription('True if nothing had changed.', t.flag())) }),
)

const Change = t.shape('ConfigurationChange', {
  path: t.withDescription('Such as `stages["Visit 1"].components["pulse"].title`.', t.text(1, 10_000)),
  kind: t.oneOf('added', 'removed', 'changed'),
  before: t.anything(),
  after: t.anything(),
})

export const VersionDetail = t.joinShapes(
  'ConfigurationVersionDetail',
  Version,
  t.shape({
    snapshot: Snapshot,
    changes: t.maybe(t.withDescription('From the version `against` to this one.', t.list(Change, 1_000_000))),
  }),
)

export const AgainstQuery = t.shape({
  against: t.maybe(t.withDescription('The number of the version to compare with.', t.whole(1))),
})
