import type { VisibleScope } from '#access/caller'
import type { Id } from '#kernel/id'

/** The participants of a schedule: those whom the reader may read, of a site and of a group if these are given. */
export type ParticipantSelection = { trial: Id; scope: VisibleScope; site?: Id | undefined; group?: Id | undefined }

/** Up to this many participants, what each has is read by itself: it costs less than to look at what others have. */
export const FEW = 100

/** Whether these are all participants of the trial. */
export const isWholeTrial = ({ scope, site, group }: ParticipantSelection): boolean =>
  scope === 'all' && site === undefined && group === undefined
