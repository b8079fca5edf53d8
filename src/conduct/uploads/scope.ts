/** Finds the thing for which a file is uploaded, if it is visible to the caller, and checks the permission. */
import { holds, holdsAnywhere, type ParticipantCaller, type Places, type Staff } from '#access/caller'
import type { Key } from '#access/keys'
import { participantVisibleTo } from '#conduct/participants/scope'
import { queryVisibleTo } from '#conduct/queries/scope'
import { rowById } from '#db/rows'
import { participants, sites } from '#db/tables/index'
import { type TrialScope, trialOf, trialVisibleTo } from '#design/trials/scope'
import type { SharedTrial } from '#design/trials/store'
import type { RequestContext, Scope } from '#http/operation'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import type { ValueOf } from '#wire/schema'
import type { ForType, UploadRequest } from './model'

/** The thing for which a file is uploaded. `lacking`: the permissions of which the caller needs any; empty if they have one. */
export type Purpose = Partial<Omit<TrialScope, 'trial'>> & {
  trial?: SharedTrial
  team?: { _id: Id }
  places?: Places
  owner: { forType: ForType; forId: Id }
  lacking: readonly string[]
}

/**
 * The permissions of which any allows an upload, by what it may be used for. Using the file afterwards needs its own permission.
 * - trial: files of the master file, stages, resources and the logo (`write` and `admin` imply `writeFiles`), images of sites,
 *   broadcasts to sites, lists of packs;
 * - site: files of the master file, its image, messages on its board, lists of packs;
 * - participant: answers, and messages of the team; query: its messages.
 */
const uploadKeys = {
  trial: ['writeFiles', 'writeTasks', 'writeSites', 'writeSiteMessages', 'writePacks'],
  participant: ['writeParticipantStudyData', 'support'],
  site: ['writeFiles', 'writeSites', 'writeSiteMessages', 'writePacks'],
  query: ['writeParticipantStudyData', 'raiseQueries'],
} as const satisfies Partial<Record<ForType, readonly Key[]>>

const lacking = (keys: readonly Key[], isHeld: (key: Key) => boolean): string[] =>
  keys.some(isHeld) ? [] : keys.map((key) => `trial.${key}`)

/**
 * The thing that `forType` and `forId` name (docs/contract.md, "Files").
 * @throws 404 unless visible to the caller, 422 without `forId`
 */
export const purpose: Scope<Purpose, never, Staff | ParticipantCaller, ValueOf<typeof UploadRequest>> = (context) => {
  const { forType, forId } = context.query
  const { caller } = context
  if (caller.kind === 'participant') {
    if (forType !== 'participant' || (forId ?? caller.participant) !== caller.participant) throw refuse.missing(forType)
    return { ...trialOf({ ...context, caller }), owner: { forType, forId: caller.participant }, lacking: [] }
  }
  const staff = { db: context.db, caller }
  if (forId === undefined) throw refuse.invalid({ forId: [reason('missing')] }, 'query')
  const owner = { forType, forId }
  switch (forType) {
    case 'trial': {
      const inTrial = trialVisibleTo(staff, forId)
      return { ...inTrial, owner, lacking: lacking(uploadKeys.trial, (key) => holdsAnywhere(inTrial.access, key)) }
    }
    case 'participant':
      return participantPurpose(staff, forId, owner)
    case 'site': {
      const inTrial = trialVisibleTo(staff, found(rowById(context.db, sites, forId), 'site').trial, 'site')
      const access = inTrial.access
      if (!access.trial.size && !access.places.has(forId)) throw refuse.missing('site')
      const places = { sites: [forId], groups: [] }
      return { ...inTrial, places, owner, lacking: lacking(uploadKeys.site, (key) => holds(access, key, places)) }
    }
    case 'team':
      return teamPurpose(caller, forId, owner)
    case 'query': {
      const { trial, access, places } = queryVisibleTo(staff, forId)
      const isHeld = (key: Key) => holds(access, key, places)
      return { trial, access, places, owner, lacking: lacking(uploadKeys.query, isHeld) }
    }
    case 'user':
      if (forId !== caller.user._id) throw refuse.missing('user')
      return { owner, lacking: [] }
    default:
      throw refuse.missing(forType)
  }
}

/** Documents for a team are those from which a trial is built, so people who may create trials may upload them. */
function teamPurpose({ teams }: Staff, forId: Id, owner: Purpose['owner']): Purpose {
  const membership = teams.get(forId)
  if (!membership) throw refuse.missing('team')
  return { team: { _id: forId }, owner, lacking: membership.permissions.has('trials.create') ? [] : ['trials.create'] }
}

function participantPurpose(
  context: Pick<RequestContext<Staff>, 'db' | 'caller'>,
  forId: Id,
  owner: Purpose['owner'],
): Purpose {
  const row = found(rowById(context.db, participants, forId), 'participant')
  const inTrial = trialVisibleTo(context, row.trial, 'participant')
  const { access, places } = participantVisibleTo(context, inTrial, forId)
  return { ...inTrial, places, owner, lacking: lacking(uploadKeys.participant, (key) => holds(access, key, places)) }
}
