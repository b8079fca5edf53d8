/** All front ends. Each says in its `entry.ts` what it loads, where its pages are, and how large they may be. */
import { staffConsole } from '#web/console/entry'
import type { FrontEnd } from '#web/kit/frontEnd'
import { consent, links } from '#web/links/entry'
import { participant } from '#web/participant/entry'
import { site } from '#web/site/entry'

export const frontEnds: readonly FrontEnd[] = [...site, staffConsole, participant, links, consent]

/** Whether an address is that of a page of a front end. */
export const isPageOf = ({ path }: Pick<FrontEnd, 'path'>, address: string): boolean =>
  path.some((pattern) => pattern.test(address))
