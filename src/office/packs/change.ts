/** Creates and changes packs: the steps that single requests, requests for many, and imports share. */
import { holds } from '#access/caller'
import type { TrialScope } from '#design/trials/scope'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import type { PackTypeRow } from '#office/packs/types/store'
import { type CustodyContext, receivePacks, recordEvent, requirePast } from './custody'
import {
  applyFields,
  type EditableFields,
  type FieldProblem,
  refuseProblems,
  requireGroups,
  requirePackType,
  requirePlaces,
  requireUnconcealedStock,
  requireUnconcealedTypes,
} from './fields'
import type { PackFields } from './model'
import { placesOfPack } from './scope'
import { type PackRow, updatePackRows } from './store'

export type ChangeContext = CustodyContext & TrialScope

/** A pack as it was sent. */
export type NewPack = PackFields & { receivedAt?: Instant }

/** A new pack with the fields that it is stored with. */
export type CheckedPack = { type: PackTypeRow; sent: NewPack; fields: EditableFields }

/** Refuses places where the caller may not write, groups that are not of the trial, and a receipt in the future. */
export function requireUsable(context: ChangeContext, packs: readonly NewPack[]): void {
  requirePlaces(
    context,
    packs.map(({ assignedToSite = null }) => assignedToSite),
  )
  requireGroups(
    context,
    packs.flatMap(({ availableToGroups = [] }) => availableToGroups),
  )
  for (const { receivedAt } of packs) if (receivedAt !== undefined) requirePast(receivedAt, context.now)
}

/** Inserts packs that were checked, each with its receipt. @param importId the import that brings them */
export function insertPacks(
  context: ChangeContext,
  packs: readonly CheckedPack[],
  importId: Id | null = null,
): PackRow[] {
  const { trial, id, now, caller } = context
  const created = { createdAt: now, createdBy: caller.user._id, trial: trial._id, import: importId }
  const receipts = packs.map(({ type, sent: { assignedToSite = null, receivedAt }, fields }) => {
    const pack = { ...created, packType: type._id, ...fields, _id: id(), assignedToSite, state: 'inStock' as const }
    return { pack, receivedAt }
  })
  return receivePacks(context, receipts)
}

/**
 * Creates packs of a type, all or none.
 * @param parentField the place of the packs in the body, for problems with them; undefined for a single pack
 * @throws 422 for values that do not fit the type; 400, 403 or 404 for places and groups
 */
export function addPacks(
  context: ChangeContext,
  type: PackTypeRow,
  sent: readonly NewPack[],
  parentField?: string,
): PackRow[] {
  const checked = sent.map((pack) => applyFields(type, pack))
  const withPath = (at: number, { path, problem }: FieldProblem) => ({
    path: parentField === undefined ? path : [parentField, `${at}`, ...path],
    problem,
  })
  refuseProblems(checked.flatMap(({ problems }, at) => problems.map((each) => withPath(at, each))))
  requireUsable(context, sent)
  return insertPacks(
    context,
    sent.map((pack, at) => ({ type, sent: pack, fields: checked[at]!.fields })),
  )
}

/** Refuses (403) packs where the caller may not write. */
function requireWritable({ access }: Pick<TrialScope, 'access'>, packs: readonly PackRow[]): void {
  if (!packs.every((pack) => holds(access, 'writePacks', placesOfPack(pack))))
    throw refuse.missingPermission(['trial.writePacks'])
}

/** Changes packs, all or none. A new place is recorded as an event. Returns them as they are then. */
export function changePacks(
  context: ChangeContext,
  packs: readonly PackRow[],
  { packType, ...sent }: PackFields & { packType?: Id },
): PackRow[] {
  const { db, trial } = context
  requireWritable(context, packs)
  const fields = Object.entries({ ...sent, packType }).flatMap(([field, value]) => (value === undefined ? [] : [field]))
  requireUnconcealedTypes(context, packs, fields)
  requireUnconcealedStock(context, packs)
  if (packType !== undefined && packs.some((pack) => pack.packType !== packType)) throw refuse.bad('packTypeFixed')
  const types = new Map(
    [...new Set(packs.map((pack) => pack.packType))].map((_id) => [_id, requirePackType(db, trial._id, _id)]),
  )
  const checked = packs.map((pack) => applyFields(types.get(pack.packType)!, sent, pack))
  const [problems = []] = checked.flatMap(({ problems }) => (problems.length ? [problems] : []))
  refuseProblems(problems)
  // A pack may keep a group that was deleted.
  const isNew = (group: Id) => packs.some(({ availableToGroups }) => !availableToGroups.includes(group))
  requireGroups(context, (sent.availableToGroups ?? []).filter(isNew))
  const { assignedToSite: site } = sent
  if (site !== undefined && packs.some((pack) => pack.assignedToSite !== site)) requirePlaces(context, [site])
  const changed = updatePackRows(
    db,
    packs.map((before, at) => ({ before, change: checked[at]!.fields })),
  )
  return changed.map((pack) => {
    const moves = site !== undefined && site !== pack.assignedToSite
    return moves ? recordEvent(context, pack, { type: 'moved', site }).pack : pack
  })
}
