/**
 * The essential records that a trial keeps: facts of ICH E6(R3), Appendix C, and ICH E6(R2), section 8, in our own words
 * (docs/essential-records.md, "The records"). The checklist of the trial master file looks for each of them.
 */
import type { EssentialRecord } from './recordType'
import { siteRecords } from './siteRecords'
import { trialRecords } from './trialRecords'

export type Level = 'trial' | 'site'
export type LevelledRecord = EssentialRecord & { level: Level }

/** All records: those of the whole trial, then those of each site. */
export const essentialRecords: readonly LevelledRecord[] = [
  ...trialRecords.map((record) => ({ ...record, level: 'trial' as const })),
  ...siteRecords.map((record) => ({ ...record, level: 'site' as const })),
]

export const recordById: ReadonlyMap<string, LevelledRecord> = new Map(
  essentialRecords.map((record) => [record.id, record]),
)

/** Where the guidelines name the record. */
export const referencesOf = ({ sections }: EssentialRecord): string[] => [
  'ICH E6(R3) Appendix C',
  ...sections.map((section) => `ICH E6(R2) ${section}`),
]
