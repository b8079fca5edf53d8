import { and, asc, desc, eq, getTableColumns } from 'drizzle-orm'
import type { Db } from '#db/open'
import { insert } from '#db/rows'
import { configurationVersions } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type VersionRow = typeof configurationVersions.$inferSelect

const { snapshot: _, ...columns } = getTableColumns(configurationVersions)

/** The versions of a trial without their snapshots, newest first. */
export const versionsOf = (db: Db, trial: Id): Omit<VersionRow, 'snapshot'>[] =>
  db
    .select(columns)
    .from(configurationVersions)
    .where(eq(configurationVersions.trial, trial))
    .orderBy(desc(configurationVersions.number))
    .all()

export const versionAt = (db: Db, trial: Id, number: number): VersionRow | undefined =>
  db
    .select()
    .from(configurationVersions)
    .where(and(eq(configurationVersions.trial, trial), eq(configurationVersions.number, number)))
    .get()

export const newestVersion = (db: Db, trial: Id): VersionRow | undefined =>
  db
    .select()
    .from(configurationVersions)
    .where(eq(configurationVersions.trial, trial))
    .orderBy(desc(configurationVersions.number))
    .limit(1)
    .get()

/** The numbers of a trial's versions, oldest first. */
export const versionNumbers = (db: Db, trial: Id): number[] =>
  db
    .select({ number: configurationVersions.number })
    .from(configurationVersions)
    .where(eq(configurationVersions.trial, trial))
    .orderBy(asc(configurationVersions.number))
    .all()
    .map(({ number }) => number)

export const insertVersion = (db: Db, version: typeof configurationVersions.$inferInsert): VersionRow =>
  insert(db, configurationVersions, version)
