import { placeVisibleTo } from '#access/places'
import { type TrialScope, trialVisibleTo } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { type Site, siteById, siteForReader } from './store'

export type SiteScope = TrialScope & { site: Site }

/** The site that `:siteId` names, if a permission on the trial is needed. Refuses (404) a caller who cannot see the site. */
export const siteOfTrial: Scope<SiteScope, 'siteId'> = (context) => {
  const site = found(siteById(context.db, context.params.siteId), 'site')
  const inTrial = trialVisibleTo(context, site.trial, 'site')
  if (!placeVisibleTo(inTrial.access, 'site', site._id)) throw refuse.missing('site')
  return { ...inTrial, site: siteForReader(inTrial.access, site) }
}

/** The same, for operations where permissions on the site count too. */
export const site: Scope<SiteScope & { places: { sites: string[]; groups: string[] } }, 'siteId'> = (context) => {
  const inTrial = siteOfTrial(context)
  return { ...inTrial, places: { sites: [inTrial.site._id], groups: [] } }
}
