/** Which packs a caller sees: an account that is limited to sites sees those of its sites only (docs/packs.md, "Who sees what"). */
import { type Access, isInScope, type Places, type Staff, scopeOf, type VisibleScope } from '#access/caller'
import { type Key, keys } from '#access/keys'
import { type TrialScope, trialVisibleTo } from '#design/trials/scope'
import type { RequestContext, Scope } from '#http/operation'
import type { Id } from '#kernel/id'
import { isObject } from '#kernel/json'
import { found, refuse } from '#kernel/problem'
import { type PackRow, packById, packsById } from './store'

const packKeys: readonly Key[] = ['listPacks', 'writePacks', 'deletePacks', 'assignPacks']

/**
 * The packs that a person may see. Somebody with permissions on the trial, but none on packs, is not restricted here, because the
 * permission check refuses their requests; anybody else is restricted to their places.
 */
export function packScopeOf(access: Access): VisibleScope {
  const scope = scopeOf(access, packKeys)
  if (scope === 'all' || scope.sites.length || scope.groups.length) return scope
  return access.trial.size ? 'all' : scopeOf(access, keys)
}

/** The site that holds the pack, and the groups that it is limited to. */
export const placesOfPack = (
  pack: Pick<PackRow, 'assignedToSite' | 'availableToAllGroups' | 'availableToGroups'>,
): Places => ({
  sites: pack.assignedToSite === null ? [] : [pack.assignedToSite],
  groups: pack.availableToAllGroups ? [] : pack.availableToGroups,
})

export const isPackVisible = (access: Access, pack: PackRow): boolean =>
  isInScope(packScopeOf(access), placesOfPack(pack))

export type PackScope = TrialScope & { pack: PackRow; places: Places }

/** The pack that `:packId` names, with its trial; 404 unless visible to the caller. */
export const pack: Scope<PackScope, 'packId'> = (context) => {
  const pack = found(packById(context.db, context.params.packId), 'pack')
  const inTrial = trialVisibleTo(context, pack.trial, 'pack')
  if (!isPackVisible(inTrial.access, pack)) throw refuse.missing('pack')
  return { ...inTrial, pack, places: placesOfPack(pack) }
}

export type PacksScope = TrialScope & { packs: PackRow[] }

/** The `_id`s that the body names, each once. The check of the body came before. */
function idsIn(body: unknown): Id[] {
  const ids: unknown = isObject(body) ? body.ids : undefined
  return Array.isArray(ids) ? [...new Set(ids.filter((each) => typeof each === 'string'))] : []
}

/**
 * The packs that the body names, and their trial; 404 unless all are visible to the caller.
 * @throws 400 if they belong to several trials: an entry of the audit trail is about one trial
 */
export const packsInBody: Scope<PacksScope> = (context: RequestContext<Staff>) => {
  const ids = idsIn(context.body)
  const rows = packsById(context.db, ids)
  if (rows.length < ids.length) throw refuse.missing('pack')
  const trials = [...new Set(rows.map(({ trial }) => trial))].map((trial) => trialVisibleTo(context, trial, 'pack'))
  const accessOf = new Map(trials.map(({ trial, access }) => [trial._id, access]))
  if (!rows.every((row) => isPackVisible(accessOf.get(row.trial)!, row))) throw refuse.missing('pack')
  if (trials.length > 1) throw refuse.bad('severalTrials')
  return { ...trials[0]!, packs: rows }
}
