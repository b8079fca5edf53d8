import type { BackgroundKind } from '#jobs/kind'
import { flag, shape } from '#wire/words'

/** By which somebody who changed a configuration follows the sweep of its trial. */
export const timelines: BackgroundKind<{ isCounted: boolean }> = {
  by: 'background',
  kind: 'timelines',
  // Whether the account may know how many participants the trial has.
  input: shape({ isCounted: flag() }),
}
