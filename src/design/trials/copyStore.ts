import { sql } from 'drizzle-orm'
import { concealedIds } from '#access/armConcealmentStore'
import type { Db } from '#db/open'
import { insert, rowsWhere, updateWhere } from '#db/rows'
import {
  anchors,
  consentForms,
  dataTypes,
  files,
  groups,
  packTypes,
  participantResources,
  randomisationArms,
  randomisationDispensing,
  randomisations,
  roles,
  sites,
  stageGroups,
  stages,
  taskLanes,
  trials,
} from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { newStoredName } from '#storage/names'
import { copyConsentContents } from './consentCopyStore'
import { copiedSettings, replaceIds } from './rules'
import type { Trial } from './store'

/** The tables that a copy of a trial takes over, beside its settings: the whole configuration and no participants' data. */
const configurationTables = {
  groups,
  sites,
  anchors,
  dataTypes,
  stages,
  stageGroups,
  roles,
  taskLanes,
  participantResources,
  packTypes,
  randomisations,
  randomisationArms,
  randomisationDispensing,
  consentForms,
}

/**
 * The state that belongs to a row's own trial, by table: copies start without it. A randomisation is a draft without seed and
 * list again, so that the allocations of one trial do not predict those of another.
 */
const ownState: Readonly<Record<string, Record<string, unknown>>> = {
  sites: { approvalStatus: null, activityStatus: null },
  consentForms: {
    ...{ version: 1, reconsentFrom: null, blocksFrom: null, consentCount: 0 },
    ...{ notificationEmail: null, withdrawalEmail: null },
  },
  randomisations: {
    ...{ status: 'draft', unblindingRecipients: [], seed: null, list: null, nonce: null, commitment: null },
    ...{ sealedAt: null, sealedBy: null, closedAt: null, unblindedAt: null },
  },
}

type CopyContext = {
  now: Instant
  id(): Id
  user: Id
  /** Whether the person who copies sees arms: they are an admin of the copy, and would see there what is concealed from them here. */
  withArms: boolean
  /** Gives a stored file a second stored name. */
  link(storedName: string, newName: string): void
}

/** Copies the configuration of a trial into a new one, with all references. Returns the number of rows copied, by table. */
export function copyConfiguration(db: Db, source: Trial, target: Trial, context: CopyContext): Record<string, number> {
  const { now, id, user, link, withArms } = context
  const concealed = withArms ? new Set<Id>() : concealedIds(db, source._id)
  const copied = Object.entries(configurationTables).filter(([name]) => withArms || !name.startsWith('randomisation'))
  const rowsByTable = copied.map(([name, table]) => ({
    name,
    table,
    rows: rowsWhere(db, table, { trial: source._id }, '_id').filter(({ _id }) => !concealed.has(_id)),
  }))
  const ids = new Map<Id, Id>([[source._id, target._id]])
  for (const { rows } of rowsByTable) for (const { _id } of rows) ids.set(_id, id())

  const settings = copiedSettings(source, target)
  const content = JSON.stringify([settings, rowsByTable.map(({ rows }) => rows)])
  const uploads = filesIn(db, source._id).filter(({ storedName }) => content.includes(JSON.stringify(storedName)))
  for (const { storedName } of uploads) ids.set(storedName, newStoredName(storedName, now))

  for (const { name, table, rows } of rowsByTable) {
    for (const row of rows) {
      const creator = 'createdBy' in row ? { createdBy: user } : {}
      const updated = 'updatedAt' in row ? { updatedAt: now } : {}
      insert(db, table, { ...replaceIds(row, ids), createdAt: now, ...updated, ...creator, ...ownState[name] })
    }
  }
  copyConsentContents(db, source._id, ids, { now, user })
  concealArms(db, target._id)
  const { timezone, behindScheduleNotices } = source
  updateWhere(db, trials, { _id: target._id }, { settings: replaceIds(settings, ids), timezone, behindScheduleNotices })
  for (const file of uploads) {
    const { storedName } = insert(db, files, {
      ...replaceIds(file, ids),
      createdAt: now,
      createdBy: user,
      isUsed: true,
    })
    link(file.storedName, storedName)
  }
  return Object.fromEntries(rowsByTable.map(({ name, rows }) => [name, rows.length]))
}

/** Conceals the arms of the blinded drafts again: in the source they may be unblinded. */
const concealArms = (db: Db, trial: Id) =>
  db.$client
    .query<unknown, [{ trial: Id }]>(
      `UPDATE randomisationArms SET isConcealed =
         (SELECT r.isBlinded FROM randomisations AS r WHERE r._id = randomisationArms.randomisation)
       WHERE trial = +$trial`,
    )
    .run({ trial })

/** The finished uploads for a trial and its sites: the trial's logo, its stages' videos, its sites' images. */
const filesIn = (db: Db, trial: Id) =>
  db
    .select()
    .from(files)
    .where(
      sql`${files.kind} = 'upload' AND ${files.finishedAt} IS NOT NULL AND (
        (${files.forType} = 'trial' AND ${files.forId} = ${trial}) OR
        (${files.forType} = 'site' AND ${files.forId} IN (SELECT _id FROM sites WHERE trial = ${trial})))`,
    )
    .all()
