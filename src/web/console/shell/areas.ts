/** The areas of the console: their addresses, what they load, and where the rail names them. */
import type { ComponentType } from 'preact'
import { casebook } from '#web/console/areas/participants/participant/texts'
import { participants } from '#web/console/areas/participants/texts'
import { queries } from '#web/console/areas/queries/texts'
import { studies } from '#web/console/areas/studies/texts'
import type { AreaTexts, ShellTexts } from '#web/console/lang/texts'
import type { IconName } from '#web/console/parts/parts'
import type { RuledOperation } from '#web/kit/may'
import type { AreaProps } from './areaProps'

export type Area = {
  /** The pattern of its addresses. Below `/console/:study`, the area is within a study (`useStudy`). */
  path: string
  load: () => Promise<{ Page: ComponentType<AreaProps> }>
  texts: AreaTexts
  /** Absent for areas that others lead to. */
  rail?: {
    /** Where it leads, below the study. */
    to: string
    icon: IconName
    title: Extract<keyof ShellTexts, `area.${string}`>
    /** The operation without which the area is empty: who may never perform it does not see the area. */
    needs: RuledOperation
  }
}

export const areas: readonly Area[] = [
  { path: '/console', load: () => import('#web/console/areas/studies/area'), texts: studies },
  {
    path: '/console/:study/participants',
    load: () => import('#web/console/areas/participants/area'),
    texts: participants,
    rail: { to: 'participants', icon: 'participants', title: 'area.participants', needs: 'listParticipants' },
  },
  {
    path: '/console/:study/participants/:participant/:tab?',
    load: () => import('#web/console/areas/participants/participant/area'),
    texts: casebook,
  },
  {
    path: '/console/:study/queries',
    load: () => import('#web/console/areas/queries/area'),
    texts: queries,
    rail: { to: 'queries', icon: 'query', title: 'area.queries', needs: 'listQueries' },
  },
]
