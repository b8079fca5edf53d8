/** The settings of the quotas of uploads. */
import { fault } from '#kernel/fault'
import type { Option } from './options'

/** The most bytes of uploads for one participant, and for a trial with all its participants; `Infinity` for no quota. */
export type Quotas = Readonly<{ participant: number; trial: number }>

/**
 * A participant may send two of the largest videos, or 340 of the largest files; a trial as much as fifty such participants.
 * Studies ask for less, and a disk has room for more, so that one person who sends without end fills no disk.
 */
const DEFAULTS = { participant: '10GB', trial: '500GB' }

export const quotaOptions: readonly Option[] = [
  {
    flag: 'participant-quota',
    takes: 'size',
    summary: 'the most that the uploads of one participant may have together, such as 500MB; or none',
    env: 'TRIALBOX_PARTICIPANT_QUOTA',
    otherwise: DEFAULTS.participant,
  },
  {
    flag: 'trial-quota',
    takes: 'size',
    summary: 'the most that the uploads of a trial and its participants may have together; or none',
    env: 'TRIALBOX_TRIAL_QUOTA',
    otherwise: DEFAULTS.trial,
  },
]

const UNITS = ['KB', 'MB', 'GB', 'TB']

/** A size in bytes, counted by 1024; `Infinity` for `none`. */
function sizeOf(flag: string, text: string): number {
  if (text.toLowerCase() === 'none') return Number.POSITIVE_INFINITY
  const [, number, unit = ''] = /^(\d{1,6}) ?([KMGT]B)$/i.exec(text) ?? []
  if (number === undefined) throw fault(`${flag} must be a size such as 500MB, 10GB or 2TB, or none, not "${text}".`)
  return Number(number) * 1024 ** (UNITS.indexOf(unit.toUpperCase()) + 1)
}

/** @param setting the value of a flag or its variable */
export const quotasOf = (setting: (flag: string) => string | undefined): Quotas =>
  Object.freeze({
    participant: sizeOf('--participant-quota', setting('participant-quota') ?? DEFAULTS.participant),
    trial: sizeOf('--trial-quota', setting('trial-quota') ?? DEFAULTS.trial),
  })
