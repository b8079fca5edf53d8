import { seesPlace } from '#conduct/participants/memberships'
import { type OfParticipant, participantSeenBy } from '#conduct/participants/scope'
import { rowById } from '#db/rows'
import { sites } from '#db/tables/index'
import { type InTrial, trialSeenBy } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import type { Site } from './store'

type OfSite = InTrial & { site: Site }

/** The site that `:siteId` names; what is done to the site itself needs a permission on the trial. */
export const siteOfTrial: Scope<OfSite, 'siteId'> = (asked) => {
  const site = found(rowById(asked.db, sites, asked.params.siteId), 'site')
  const seen = trialSeenBy(asked, site.trial, 'site')
  if (!seesPlace(seen.access, 'site', site._id)) throw refuse.missing('site')
  return { ...seen, site }
}

/** The same, where permissions held on the site count too. */
export const site: Scope<OfSite & { places: { sites: string[]; groups: string[] } }, 'siteId'> = (asked) => {
  const seen = siteOfTrial(asked)
  return { ...seen, places: { sites: [seen.site._id], groups: [] } }
}

/** A site and a participant of its trial. Changing the membership needs a permission on the trial or that site. */
export const siteMembership: Scope<OfSite & Omit<OfParticipant, 'places'>, 'siteId' | 'participantId'> = (asked) => {
  const seen = site(asked)
  const { participant } = participantSeenBy(asked, seen, asked.params.participantId)
  return { ...seen, participant }
}
