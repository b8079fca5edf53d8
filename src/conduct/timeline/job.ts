import type { BackgroundKind } from '#jobs/kind'
import { flag, shape } from '#wire/schema'

/** The job that shows an account the background recalculation of a trial after it changed the configuration. */
export const timelinesJob: BackgroundKind<{ isCounted: boolean }> = {
  by: 'background',
  kind: 'timelines',
  // Whether the account may know how many participants the trial has.
  input: shape({ isCounted: flag() }),
}
