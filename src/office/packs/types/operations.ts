/** Kinds of packs. Neither lock refuses changes of them (docs/packs.md, "Pack types"). */
import type { Db } from '#db/open'
import { deleteById, updateById } from '#db/rows'
import { packTypes } from '#db/tables/index'
import { refuseRandomised } from '#design/configuration/randomisedStore'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { partial, shape } from '#wire/schema'
import { MOST_TYPES, PackType, PackTypeInput, PackTypes, standardFields } from './model'
import { repeatedKeys } from './rules'
import { packType } from './scope'
import {
  insertPackType,
  type PackTypeRow,
  packsOfType,
  packsWithField,
  packsWithValue,
  packTypesFor,
  packTypesOf,
} from './store'

const READ = [anywhere('trial.listPacks'), anywhere('trial.assignPacks')]

/** Refuses (422) two extended fields with the same key. */
function requireUniqueKeys({ extendedFields = [] }: { extendedFields?: readonly { key: string }[] }): void {
  const [key] = repeatedKeys(extendedFields)
  if (key !== undefined) throw refuse.invalid({ extendedFields: [reason('packFieldTwice', { key })] })
}

/** Refuses (400) to remove a field or to change its type while packs hold values of it: nothing of a pack is lost in silence. */
function requireNoLoss(
  db: Db,
  { _id, ...before }: PackTypeRow,
  after: Pick<PackTypeRow, 'standardFields' | 'extendedFields'>,
) {
  const kept = new Map(after.extendedFields.map(({ key, type }) => [key, type]))
  const changed = before.extendedFields.filter(({ key, type }) => kept.get(key) !== type)
  const extended = changed.map(({ key, label }) => ({ label, packs: packsWithValue(db, _id, key) }))
  const dropped = before.standardFields.filter((field) => !after.standardFields.includes(field))
  const standard = dropped.map((field) => ({ label: field, packs: packsWithField(db, _id, field) }))
  const lost = [...standard, ...extended].find(({ packs }) => packs > 0)
  if (!lost) return
  const { label, packs } = lost
  throw refuse.bad('packFieldInUse', { field: label, count: packs }, { packs })
}

const listPackTypes = operation({
  id: 'listPackTypes',
  method: 'GET',
  path: '/trials/:trialId/pack-types',
  summary: 'List the pack types of a trial',
  scope: trial,
  needs: READ,
  returns: PackTypes,
  run: ({ db, trial, access }) => ({ packTypes: packTypesFor(db, trial._id, access) }),
})

const createPackType = operation({
  id: 'createPackType',
  method: 'POST',
  path: '/trials/:trialId/pack-types',
  summary: 'Create a pack type',
  scope: trial,
  needs: 'trial.writePacks',
  of: 'packType',
  logs: 'createPackType',
  body: PackTypeInput,
  returns: PackType,
  run: ({ db, trial, body, caller, id, now }) => {
    requireUniqueKeys(body)
    if (packTypesOf(db, trial._id).length >= MOST_TYPES) throw refuse.bad('tooManyPackTypes', { most: MOST_TYPES })
    const created = { _id: id(), createdAt: now, createdBy: caller.user._id, trial: trial._id }
    const fields = [...new Set(body.standardFields ?? standardFields)]
    const { extendedFields = [] } = body
    return insertPackType(db, { ...created, ...body, standardFields: fields, extendedFields })
  },
})

const readPackType = operation({
  id: 'readPackType',
  method: 'GET',
  path: '/pack-types/:packTypeId',
  summary: 'Read a pack type',
  scope: packType,
  needs: READ,
  returns: PackType,
  run: ({ packType }) => packType,
})

const editPackType = operation({
  id: 'updatePackType',
  method: 'PUT',
  path: '/pack-types/:packTypeId',
  summary: 'Change a pack type',
  description: 'Refused (400) if a field would be removed, or get another type, of which packs hold values.',
  scope: packType,
  needs: 'trial.writePacks',
  of: 'packType',
  logs: 'updatePackType',
  body: partial(PackTypeInput),
  returns: PackType,
  run: ({ db, packType, body }) => {
    requireUniqueKeys(body)
    const change = { ...body, ...(body.standardFields && { standardFields: [...new Set(body.standardFields)] }) }
    requireNoLoss(db, packType, { ...packType, ...change })
    return updateById(db, packTypes, packType._id, change)
  },
})

const removePackType = operation({
  id: 'deletePackType',
  method: 'DELETE',
  path: '/pack-types/:packTypeId',
  summary: 'Delete a pack type',
  description: 'Refused (400) while it has packs.',
  scope: packType,
  needs: 'trial.deletePacks',
  of: 'packType',
  logs: 'deletePackType',
  returns: shape({}),
  run: ({ db, packType }) => {
    refuseRandomised(db, packType)
    const count = packsOfType(db, packType._id)
    if (count) throw refuse.bad('packTypeInUse', { name: packType.name, count }, { packs: count })
    deleteById(db, packTypes, packType._id)
    return {}
  },
})

export const packTypeOperations = [listPackTypes, createPackType, readPackType, editPackType, removePackType] as const
