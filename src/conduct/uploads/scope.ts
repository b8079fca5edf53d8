/** Finds the thing for which a file is uploaded, if it is visible to the caller, and checks the permission. */
import {
  holds,
  holdsAnywhere,
  isInScope,
  type ParticipantCaller,
  type Places,
  type Staff,
  visibleScopeOf,
} from '#access/caller'
import type { Key } from '#access/keys'
import { groupsOfParticipant, sitesOfParticipant } from '#conduct/participants/membershipStore'
import { queryVisibleTo } from '#conduct/queries/scope'
import { rowById } from '#db/rows'
import { participants, sites } from '#db/tables/index'
import { type InTrial, trialOf, trialVisibleTo } from '#design/trials/scope'
import type { RequestContext, Scope } from '#http/operation'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import type { Of } from '#wire/words'
import type { ForType, UploadRequest } from './model'

/** The thing for which a file is uploaded. `lacking` are the permissions of which the caller needs any; empty if they have one. */
export type Purpose = Partial<InTrial> & {
  team?: { _id: Id }
  places?: Places
  owner: { forType: ForType; forId: Id }
  lacking: readonly string[]
}

/** The permissions of which any allows an upload. Using the file afterwards needs its own permission. */
const uploadKeys = {
  trial: ['writeFiles', 'writeTasks', 'writeSites', 'writeSiteMessages'],
  participant: ['writeParticipantStudyData', 'support'],
  site: ['writeFiles', 'writeSites', 'writeSiteMessages', 'write'],
} as const satisfies Partial<Record<ForType, readonly Key[]>>

const lacking = (keys: readonly Key[], isHeld: (key: Key) => boolean): string[] =>
  keys.some(isHeld) ? [] : keys.map((key) => `trial.${key}`)

/** The thing that `forType` and `forId` name (docs/contract.md, "Files"). @throws 404 unless it is visible to the caller */
export const purpose: Scope<Purpose, never, Staff | ParticipantCaller, Of<typeof UploadRequest>> = (asked) => {
  const { forType, forId } = asked.query
  const { caller } = asked
  if (caller.kind === 'participant') {
    if (forType !== 'participant' || (forId ?? caller.participant) !== caller.participant) throw refuse.missing(forType)
    return { ...trialOf({ ...asked, caller }), owner: { forType, forId: caller.participant }, lacking: [] }
  }
  const staff = { db: asked.db, caller }
  if (forId === undefined) throw refuse.invalid({ forId: ['Missing data for required field.'] }, 'query')
  const owner = { forType, forId }
  switch (forType) {
    case 'trial': {
      const inTrial = trialVisibleTo(staff, forId)
      return { ...inTrial, owner, lacking: lacking(uploadKeys.trial, (key) => holdsAnywhere(inTrial.access, key)) }
    }
    case 'participant':
      return ofParticipant(staff, forId, owner)
    case 'site': {
      const inTrial = trialVisibleTo(staff, found(rowById(asked.db, sites, forId), 'site').trial, 'site')
      const access = inTrial.access
      if (!access.trial.size && !access.places.has(forId)) throw refuse.missing('site')
      const places = { sites: [forId], groups: [] }
      return { ...inTrial, places, owner, lacking: lacking(uploadKeys.site, (key) => holds(access, key, places)) }
    }
    case 'team':
      if (!caller.teams.has(forId)) throw refuse.missing('team')
      return { team: { _id: forId }, owner, lacking: [] }
    case 'query': {
      const { trial, access, places } = queryVisibleTo(staff, forId)
      const isHeld = (key: Key) => holds(access, key, places)
      return { trial, access, places, owner, lacking: lacking(['writeParticipantStudyData'], isHeld) }
    }
    case 'user':
      if (forId !== caller.user._id) throw refuse.missing('user')
      return { owner, lacking: [] }
    default:
      throw refuse.missing(forType)
  }
}

function ofParticipant(
  asked: Pick<RequestContext<Staff>, 'db' | 'caller'>,
  forId: Id,
  owner: Purpose['owner'],
): Purpose {
  const participant = found(rowById(asked.db, participants, forId), 'participant')
  const inTrial = trialVisibleTo(asked, participant.trial, 'participant')
  const { access } = inTrial
  const places = { sites: sitesOfParticipant(asked.db, forId), groups: groupsOfParticipant(asked.db, forId) }
  if (!isInScope(visibleScopeOf(access), places)) throw refuse.missing('participant')
  return { ...inTrial, places, owner, lacking: lacking(uploadKeys.participant, (key) => holds(access, key, places)) }
}
