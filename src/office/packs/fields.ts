/** Checks the fields of new and changed packs against their type, the trial, and what the caller may do. */

import { concealedFrom } from '#access/armConcealmentStore'
import { type Access, holds } from '#access/caller'
import { placeVisibleTo } from '#access/places'
import { idsOutsideTrial } from '#conduct/participants/store'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { packTypes } from '#db/tables/index'
import { settingsOf } from '#design/trials/rules'
import type { TrialScope } from '#design/trials/scope'
import type { Id } from '#kernel/id'
import { type FieldProblems, refuse } from '#kernel/problem'
import { at, type Reason, reason } from '#kernel/refusals/reason'
import { firstCustodyEvent } from '#office/packs/events/store'
import { standardFields } from '#office/packs/types/model'
import { mergeExtended } from '#office/packs/types/rules'
import type { PackTypeRow } from '#office/packs/types/store'
import { nameOfPack } from './custody'
import type { PackFields } from './model'
import type { PackRow } from './store'

/** The fields of a pack that a person sets, but the place: a change of the place is an event. */
export type EditableFields = Pick<
  PackRow,
  'name' | 'batchNumber' | 'expiryDate' | 'extended' | 'availableToAllGroups' | 'availableToGroups'
>

/** A new pack before anything is sent. */
const BLANK: EditableFields = {
  name: null,
  batchNumber: null,
  expiryDate: null,
  extended: {},
  availableToAllGroups: true,
  availableToGroups: [],
}

/** What is wrong with a field: its name, followed by the inner path, and why. */
export type FieldProblem = { path: readonly string[]; problem: Reason }

/** The type of that `_id`. @throws 400 if it is not in the trial, or that of an arm that is concealed from the caller */
export function requirePackType(db: Db, trial: Id, _id: Id, access?: Access): PackTypeRow {
  const type = rowById(db, packTypes, _id)
  const isHidden = access && concealedFrom(db, trial, access).has(_id)
  if (isHidden || type?.trial !== trial) throw refuse.bad('packTypeElsewhere')
  return type
}

/** Blank text is no text. */
const textOf = (text: string | null) => (text === null || text.trim() === '' ? null : text)

/** Who may get the pack. Groups that are named alone limit it to them. */
function availability(before: EditableFields, sent: PackFields) {
  const availableToGroups = [...new Set(sent.availableToGroups ?? before.availableToGroups)]
  const isLimited = Boolean(sent.availableToGroups?.length)
  const availableToAllGroups = sent.availableToAllGroups ?? (isLimited ? false : before.availableToAllGroups)
  return { availableToAllGroups, availableToGroups }
}

/** The fields of a pack after a change, as they are stored, and what is wrong with those that were sent. */
export function applyFields(
  type: Pick<PackTypeRow, 'standardFields' | 'extendedFields'>,
  sent: PackFields,
  before: EditableFields = BLANK,
): { fields: EditableFields; problems: FieldProblem[] } {
  const { values, problems } = mergeExtended(type.extendedFields, before.extended, sent.extended ?? {})
  const standard = {
    name: sent.name === undefined ? before.name : textOf(sent.name),
    batchNumber: sent.batchNumber === undefined ? before.batchNumber : textOf(sent.batchNumber),
  }
  const unused = standardFields.filter((field) => standard[field] !== null && !type.standardFields.includes(field))
  const expiryDate = sent.expiryDate === undefined ? before.expiryDate : sent.expiryDate
  return {
    fields: { ...standard, expiryDate, extended: values, ...availability(before, sent) },
    problems: [
      ...unused.map((field) => ({ path: [field], problem: reason('otherPackField') })),
      ...[...problems].map(([key, problem]) => ({ path: ['extended', key], problem })),
    ],
  }
}

/** Refuses (400) to delete packs of which anything became since they were received: their accountability is never lost. */
export function requireUntouched(db: Db, packs: readonly PackRow[]): void {
  for (const pack of packs) {
    const event = firstCustodyEvent(db, pack._id)
    if (!event) continue
    throw refuse.bad(
      'packHasHistory',
      { pack: nameOfPack(pack), event: event.type },
      { pack: pack._id, event: event.type },
    )
  }
}

/** Refuses (422) with these problems, if there are any. */
export function refuseProblems(problems: readonly FieldProblem[]): void {
  if (!problems.length) return
  const fields: FieldProblems = Object.create(null)
  const paths: Record<string, Reason> = Object.create(null)
  for (const { path, problem } of problems.slice(0, 100)) {
    const [field = '_schema', ...inner] = path
    paths[path.join('.')] = problem
    ;(fields[field] ??= []).push(inner.length ? at(inner.join('.'), problem) : problem)
  }
  throw refuse.invalid(fields, 'json', paths)
}

/**
 * Refuses (403) to set what goes with the type of packs whose types are concealed from the caller: a refusal would tell which
 * fields the type has.
 */
export function requireUnconcealedTypes(
  { db, trial, access }: PlacementContext,
  packs: readonly PackRow[],
  fields: readonly string[],
): void {
  const concealed = concealedFrom(db, trial._id, access)
  if (!packs.some(({ packType }) => concealed.has(packType))) return
  if (['packType', 'name', 'batchNumber', 'extended'].some((field) => fields.includes(field)))
    throw refuse.missingPermission(['trial.readRandomisation'])
}

/** The states of a pack that may still be given out. */
const STOCK: readonly string[] = ['inStock', 'quarantined']

/**
 * Refuses (403), in a trial whose admins are blinded, to change, move, hold back or delete stock whose type is concealed from the caller:
 * with two packs left in stock, the next allocation or its refusal would reveal whether they are of one type.
 */
export function requireUnconcealedStock(
  { db, trial, access }: TrialScope & { db: Db },
  packs: readonly PackRow[],
): void {
  if (!settingsOf(trial).blindsAdmins) return
  const concealed = concealedFrom(db, trial._id, access)
  if (packs.some(({ packType, state }) => concealed.has(packType) && STOCK.includes(state)))
    throw refuse.missingPermission(['trial.readRandomisation'])
}

type PlacementContext = { db: Db; trial: { _id: Id }; access: Access }

/** Refuses groups that are not in the trial (400), or that the caller cannot see (404). */
export function requireGroups({ db, trial, access }: PlacementContext, groups: readonly Id[]): void {
  const named = [...new Set(groups)]
  if (!named.every((group) => placeVisibleTo(access, 'group', group))) throw refuse.missing('group')
  const unknown = idsOutsideTrial(db, 'groups', trial._id, named)
  if (unknown.length) throw refuse.bad('noSuchGroups', { groups: unknown }, { groups: unknown })
}

/**
 * Refuses places that are not in the trial (400), that the caller cannot see (404), or where they may not write packs (403).
 * @param places sites, null for trial level
 */
export function requirePlaces({ db, trial, access }: PlacementContext, places: readonly (Id | null)[]): void {
  const named = [...new Set(places)]
  const sites = named.flatMap((site) => site ?? [])
  if (!sites.every((site) => placeVisibleTo(access, 'site', site))) throw refuse.missing('site')
  const unknown = idsOutsideTrial(db, 'sites', trial._id, sites)
  if (unknown.length) throw refuse.bad('noSuchSites', { sites: unknown }, { sites: unknown })
  const mayWrite = (site: Id | null) => holds(access, 'writePacks', { sites: site === null ? [] : [site], groups: [] })
  if (!named.every(mayWrite)) throw refuse.missingPermission(['trial.writePacks'])
}
