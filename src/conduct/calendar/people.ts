import type { Places, VisibleScope } from '#access/caller'
import type { Id } from '#kernel/id'

/** The participants of a schedule: those whom the reader may read, of a site and of a group if these are given. */
export type ParticipantSelection = { trial: Id; scope: VisibleScope; site?: Id | undefined; group?: Id | undefined }

/** The sites and groups to whose participants a selection is limited, besides what the reader may read. */
export const placesOf = ({ site, group }: ParticipantSelection): Places[] => [
  ...(site === undefined ? [] : [{ sites: [site], groups: [] }]),
  ...(group === undefined ? [] : [{ sites: [], groups: [group] }]),
]

/** Up to this many participants, what each has is read by itself: it costs less than to look at what others have. */
export const FEW = 100

/** Whether these are all participants of the trial. */
export const isWholeTrial = ({ scope, site, group }: ParticipantSelection): boolean =>
  scope === 'all' && site === undefined && group === undefined
