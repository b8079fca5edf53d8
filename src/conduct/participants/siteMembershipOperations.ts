import type { Places } from '#access/caller'
import { Membership } from '#design/sites/model'
import { type SiteScope, site } from '#design/sites/scope'
import { operation, type Scope } from '#http/operation'
import { addMembership, endMembership } from './membershipStore'
import { placesOf, requireMembershipPermission } from './memberships'
import { type ParticipantScope, participantVisibleTo } from './scope'

/**
 * A site and a participant of its trial. Changing the membership needs the permission on the trial or on this site, and
 * where the participant belongs.
 */
const membership: Scope<SiteScope & ParticipantScope & { before: Places }, 'siteId' | 'participantId'> = (context) => {
  const inSite = site(context)
  const { participant, places } = participantVisibleTo(context, inSite, context.params.participantId)
  return { ...inSite, participant, before: places }
}

const addMember = operation({
  id: 'addSiteMember',
  method: 'PUT',
  path: '/sites/:siteId/memberships/:participantId',
  summary: 'Make a participant a member of a site',
  scope: membership,
  needs: 'trial.writeSites',
  changes: 'data',
  logs: 'addSiteMember',
  returns: Membership,
  run: ({ db, access, site, participant, before, record }) => {
    requireMembershipPermission(access, 'site', before)
    addMembership(db, 'site', participant._id, site._id)
    record({ event: { name: site.name } })
    return { sites: placesOf(db, participant._id).sites }
  },
})

const removeMember = operation({
  id: 'removeSiteMember',
  method: 'DELETE',
  path: '/sites/:siteId/memberships/:participantId',
  summary: 'End a participant’s membership of a site',
  scope: membership,
  needs: 'trial.writeSites',
  changes: 'data',
  logs: 'removeSiteMember',
  returns: Membership,
  run: ({ db, site, participant, record }) => {
    endMembership(db, 'site', participant._id, site._id)
    record({ event: { name: site.name } })
    return { sites: placesOf(db, participant._id).sites }
  },
})

export const siteMembershipOperations = [addMember, removeMember] as const
