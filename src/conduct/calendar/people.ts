import type { VisibleScope } from '#access/caller'
import type { Id } from '#kernel/id'

/** The participants of a schedule: those whom the reader may read, of a site and of a group if these are given. */
export type People = { trial: Id; scope: VisibleScope; site?: Id | undefined; group?: Id | undefined }

/** Whether these are all participants of the trial. */
export const isEverybody = ({ scope, site, group }: People): boolean =>
  scope === 'all' && site === undefined && group === undefined
