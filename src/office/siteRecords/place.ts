/** What the records of a site have in common: who may see them, and whom they may name. */

import { holds } from '#access/caller'
import { accessOf } from '#access/identify'
import { placeVisibleTo } from '#access/places'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import { type TrialScope, trialVisibleTo } from '#design/trials/scope'
import type { Id } from '#kernel/id'
import type { Noun } from '#kernel/nouns'
import { refuse } from '#kernel/problem'

/** The permission to read what is recorded about a site. */
export const READ = 'trial.readSites'

export type SiteScope = TrialScope & { places: { sites: string[]; groups: string[] } }

/** A trial and one of its sites, by `_id`. */
export type Place = { trial: Id; site: Id }

/** The trial of a record and its site as a place, if the caller may see the site; else 404 for the noun. */
export function atSite(context: Parameters<typeof trialVisibleTo>[0], { trial, site }: Place, noun: Noun): SiteScope {
  const inTrial = trialVisibleTo(context, trial, noun)
  if (!placeVisibleTo(inTrial.access, 'site', site)) throw refuse.missing(noun)
  return { ...inTrial, places: { sites: [site], groups: [] } }
}

/** Refuses (400) people who could not read what is recorded about the site. @param code says what they are assigned to */
export function requireReaders(
  db: Db,
  { trial, site }: Place,
  people: readonly Id[],
  code: 'visitAssignees' | 'issueAssignees',
): void {
  const strangers = people.filter((user) => {
    const access = accessOf(db, user).trials.get(trial)
    return !access || !holds(access, 'readSites', { sites: [site], groups: [] })
  })
  if (strangers.length) throw refuse.bad(code, { count: strangers.length }, { strangers })
}

/** The account of a person who can see the site. @throws 400 for anybody else */
export function requireSiteMember(db: Db, { trial, site }: Place, user: Id): { _id: Id; name: string } {
  const access = accessOf(db, user).trials.get(trial)
  const row = access && placeVisibleTo(access, 'site', site) ? rowById(db, users, user) : undefined
  if (!row || row.isDisabled) throw refuse.bad('notOfSite', undefined, { user })
  return row
}
