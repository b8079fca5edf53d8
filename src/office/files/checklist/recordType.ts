/** What the checklist knows of an essential record. */
import type { masterFiles } from '#db/tables/index'

type FileType = (typeof masterFiles.$inferSelect)['type']

/** The stages of a trial and of a site. `none`: of a site that was not selected, which needs no records. */
export const stages = ['none', 'before', 'during', 'after'] as const
export type Stage = (typeof stages)[number]

/** The parts of Trialbox that hold some of the records. */
export const sources = [
  ...(['forms', 'participants', 'responses', 'delegations', 'trainings'] as const),
  ...(['selectionVisits', 'monitoringVisits', 'packs', 'destroyedPacks', 'randomisations'] as const),
]
export type Source = (typeof sources)[number]

export type EssentialRecord = {
  /** It never changes: exemptions and tags name it. */
  id: string
  /** The sections of ICH E6(R2) that name it; none if only ICH E6(R3) does. */
  sections: readonly string[]
  /** The stage in which it must be there. */
  due: 'before' | 'during' | 'after'
  /** Types of files each of which is such a record. */
  types: readonly FileType[]
  /** Beginnings of names of such files, of whole words and in lower case; as tags they count, too. */
  words: readonly string[]
  /** It exists only if something happened, such as an amendment: without it nothing is lacking. */
  isConditional?: true
  /** Every trial or site has it: nobody can say that it is not applicable. */
  isIndispensable?: true
  /** There is one for each person: one that has expired is not replaced by that of somebody else. */
  isPersonal?: true
  /** A part of Trialbox that holds it. */
  source?: Source
}
