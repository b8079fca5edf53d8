import { sql } from 'drizzle-orm'
import type { Db } from '#db/open'
import { insert, rowsWhere, updateWhere } from '#db/rows'
import {
  anchors,
  dataTypes,
  files,
  groups,
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
import { copiedSettings, remap } from './rules'
import type { Trial } from './store'

/** What a copy of a trial takes over, beside its settings: everything that is configured and nobody's data. */
const copied = { groups, sites, anchors, dataTypes, stages, stageGroups, roles, taskLanes }

/** What a site has come to in its own trial, which says nothing about another. */
const siteState = { approvalStatus: null, activityStatus: null }

export type Copying = {
  now: Instant
  id(): Id
  user: Id
  /** Gives a stored file a second name. */
  link(storedName: string, newName: string): void
}

/** Copies the configuration of a trial into a new one, every reference following; answers how many of each. */
export function copyConfiguration(db: Db, source: Trial, target: Trial, copying: Copying): Record<string, number> {
  const { now, id, user, link } = copying
  const found = Object.entries(copied).map(([name, table]) => ({
    name,
    table,
    rows: rowsWhere(db, table, { trial: source._id }, '_id'),
  }))
  const ids = new Map<Id, Id>([[source._id, target._id]])
  for (const { rows } of found) for (const { _id } of rows) ids.set(_id, id())

  const settings = copiedSettings(source.settings)
  const content = JSON.stringify([settings, found.map(({ rows }) => rows)])
  const uploads = filesIn(db, source._id).filter(({ storedName }) => content.includes(JSON.stringify(storedName)))
  for (const { storedName } of uploads) ids.set(storedName, newStoredName(storedName, now))

  for (const { name, table, rows } of found) {
    for (const row of rows) {
      insert(db, table, { ...remap(row, ids), createdAt: now, ...(name === 'sites' ? siteState : {}) })
    }
  }
  const { timezone, behindScheduleNotices } = source
  updateWhere(db, trials, { _id: target._id }, { settings: remap(settings, ids), timezone, behindScheduleNotices })
  for (const file of uploads) {
    const { storedName } = insert(db, files, { ...remap(file, ids), createdAt: now, createdBy: user })
    link(file.storedName, storedName)
  }
  return Object.fromEntries(found.map(({ name, rows }) => [name, rows.length]))
}

/** The finished uploads for a trial itself and for its sites: its logo, its stages' videos, their pictures. */
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
