import { withoutConcealed } from '#access/armConcealment'
import { concealedFrom } from '#access/armConcealmentStore'
import type { Access } from '#access/caller'
import type { Db } from '#db/open'
import { type TrialScope, trial } from '#design/trials/scope'
import { operation, type Scope } from '#http/operation'
import type { Id } from '#kernel/id'
import { found } from '#kernel/problem'
import { changesBetween } from './changes'
import { AgainstQuery, NewVersion, type Snapshot, VersionDetail, VersionInput, Versions } from './model'
import { withoutAnswers } from './quizAnswers'
import { type VersionRow, versionAt, versionsOf } from './store'
import { takeVersion } from './takeVersion'

/** The configuration version that `:number` names. */
const version: Scope<TrialScope & { version: VersionRow }, 'trialId' | 'number'> = (context) => {
  const inTrial = trial(context)
  const { number } = context.params
  const row = /^[1-9]\d{0,8}$/.test(number) ? versionAt(context.db, inTrial.trial._id, Number(number)) : undefined
  return { ...inTrial, version: found(row, 'configuration version') }
}

const listVersions = operation({
  id: 'listConfigurationVersions',
  method: 'GET',
  path: '/trials/:trialId/configuration-versions',
  summary: 'List the configuration versions of a trial',
  description: 'Newest first, without their snapshots.',
  scope: trial,
  needs: 'trial.read',
  returns: Versions,
  run: ({ db, trial }) => ({ versions: versionsOf(db, trial._id) }),
})

const createVersion = operation({
  id: 'createConfigurationVersion',
  method: 'POST',
  path: '/trials/:trialId/configuration-versions',
  summary: 'Take a snapshot of the configuration',
  description:
    'If nothing has changed since the last snapshot, the answer is that one, with `unchanged: true`. Each lock takes a snapshot too.',
  scope: trial,
  needs: 'trial.admin',
  logs: 'createConfigurationVersion',
  body: VersionInput,
  returns: NewVersion,
  run: (context) => {
    const { version, unchanged } = takeVersion(context, context.trial, 'manual', context.body.note ?? null)
    const { number, hash, note } = version
    context.record({ event: unchanged ? { number, unchanged } : { number, hash, note } })
    return unchanged ? { ...version, unchanged } : version
  },
})

/**
 * A snapshot as this person may see it: groups that became concealed arms after it was taken are left out, and so are the right answers of
 * quizzes for readers who may not read consent forms.
 */
function snapshotFor(db: Db, trial: Id, access: Access, { snapshot }: VersionRow): Snapshot {
  const concealed = concealedFrom(db, trial, access)
  const open = concealed.size ? (withoutConcealed(snapshot, concealed) as Snapshot) : snapshot
  return access.trial.has('readConsentSettings') ? open : withoutAnswers(open)
}

const readVersion = operation({
  id: 'readConfigurationVersion',
  method: 'GET',
  path: '/trials/:trialId/configuration-versions/:number',
  summary: 'Read a configuration version, or what changed between two',
  description:
    'With `against`, `changes` lists the differences from that version to this one. Paths consist of names; a moved item is a change of its `index`.',
  scope: version,
  needs: 'trial.read',
  query: AgainstQuery,
  returns: VersionDetail,
  run: ({ db, trial, access, version, query: { against } }) => {
    const snapshot = snapshotFor(db, trial._id, access, version)
    if (against === undefined) return { ...version, snapshot }
    const other = found(versionAt(db, trial._id, against), 'configuration version')
    return { ...version, snapshot, changes: changesBetween(snapshotFor(db, trial._id, access, other), snapshot) }
  },
})

export const configurationVersionOperations = [listVersions, createVersion, readVersion] as const
