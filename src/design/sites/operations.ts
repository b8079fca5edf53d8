import { scopeOf } from '#access/caller'
import type { Db } from '#db/open'
import { deleteById, updateById } from '#db/rows'
import { sites } from '#db/tables/index'
import { configuration } from '#design/configuration/configuration'
import { refuseReferenced } from '#design/configuration/dependants'
import { keptEvent, mailDeletion, performDeletion } from '#design/deletions/keepDeletion'
import { refuseLockedDataLoss } from '#design/trials/lockedDataStore'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { usableFile } from '#storage/store'
import { partial, shape } from '#wire/schema'
import { Site, SiteInput, Sites } from './model'
import { site, siteOfTrial } from './scope'
import {
  insertSite,
  isSiteIdTaken,
  recordsOf,
  saveEnrolmentTarget,
  siteById,
  siteForReader,
  sitesWithEnrolment,
} from './store'

const WRITE = 'trial.writeSites'

/** Refuses (400) an identifier in use and an image that was not uploaded for this trial or site. */
function requireValidSite(db: Db, trial: Id, { id, image }: { id?: string; image?: string | null }, site?: Id): void {
  if (id !== undefined && isSiteIdTaken(db, trial, id, site)) throw refuse.taken('site ID', id)
  if (image == null || usableFile(db, image, 'trial', trial)) return
  if (site === undefined || !usableFile(db, image, 'site', site)) {
    throw refuse.bad('imageNotUploaded')
  }
}

/** Refuses (400) to delete a site whose records an inspector may ask for. */
function refuseSiteWithRecords(db: Db, { _id, name }: { _id: Id; name: string }): void {
  const records = recordsOf(db, _id)
  if (!records.length) return
  throw refuse.bad('siteHasRecords', { name, records }, { records: records.map(({ text }) => text) })
}

const listSites = operation({
  id: 'listSites',
  method: 'GET',
  path: '/trials/:trialId/sites',
  summary: 'List the sites of a trial',
  description: 'Accounts that are limited to sites see only these.',
  scope: trial,
  needs: anywhere('trial.access'),
  returns: Sites,
  run: ({ db, trial, access }) => ({ sites: sitesWithEnrolment(db, trial._id, access, scopeOf(access, ['access'])) }),
})

const createSite = operation({
  id: 'createSite',
  method: 'POST',
  path: '/trials/:trialId/sites',
  summary: 'Create a site',
  scope: trial,
  needs: WRITE,
  of: 'site',
  logs: 'createSite',
  body: SiteInput,
  returns: Site,
  run: ({ db, trial, body, id, now }) => {
    requireValidSite(db, trial._id, body)
    const { enrolmentTarget = null, ...fields } = body
    const site = insertSite(db, { _id: id(), createdAt: now, trial: trial._id, ...fields })
    saveEnrolmentTarget(db, site, enrolmentTarget)
    return { ...site, enrolmentTarget, enrolled: 0 }
  },
})

const readSite = operation({
  id: 'readSite',
  method: 'GET',
  path: '/sites/:siteId',
  summary: 'Read a site',
  scope: site,
  needs: 'trial.access',
  returns: Site,
  run: ({ site }) => site,
})

const editSite = operation({
  id: 'updateSite',
  method: 'PUT',
  path: '/sites/:siteId',
  summary: 'Change a site',
  scope: site,
  needs: WRITE,
  of: 'site',
  logs: 'updateSite',
  body: partial(SiteInput),
  returns: Site,
  run: ({ db, trial, access, site, body }) => {
    // The site may keep its image, whatever the image was uploaded for.
    const { image, ...rest } = body
    requireValidSite(db, trial._id, image === site.image ? rest : body, site._id)
    const { enrolmentTarget, ...fields } = body
    updateById(db, sites, site._id, fields)
    if (enrolmentTarget !== undefined) saveEnrolmentTarget(db, site, enrolmentTarget)
    return siteForReader(access, siteById(db, site._id)!)
  },
})

const removeSite = operation({
  id: 'deleteSite',
  method: 'DELETE',
  path: '/sites/:siteId',
  summary: 'Delete a site',
  description:
    'Participants keep their data and lose the membership. An admin can restore the site with its members for a time. Refused while a stage is limited to this site, and, if the database is locked, while it has members. A site with monitoring visits, a delegation log, a training log, files of the trial master file, packs in its accountability log, randomised participants or shared tablets is kept: set its `activityStatus` to closed.',
  scope: siteOfTrial,
  needs: WRITE,
  of: 'site',
  logs: 'deleteSite',
  returns: shape({}),
  run: (context) => {
    const { db, trial, site, record } = context
    refuseLockedDataLoss(db, trial, 'site', [site._id])
    refuseReferenced(configuration(db, trial), site)
    refuseSiteWithRecords(db, site)
    const about = { kind: 'site', subject: site._id, name: site.id } as const
    const { deletion } = performDeletion(context, about, () => deleteById(db, sites, site._id))
    record({ event: keptEvent(deletion) })
    mailDeletion(context, [deletion])
    return {}
  },
})

export const siteOperations = [listSites, createSite, readSite, editSite, removeSite] as const
