/** Changes and deletes many packs in one request: all of them or none. */
import { changedFields } from '#audit/changedFields'
import { deleteById } from '#db/rows'
import { packs as packTable } from '#db/tables/index'
import { anywhere, operation } from '#http/operation'
import { list, shape } from '#wire/schema'
import { changePacks } from './change'
import { requireUnconcealedStock, requireUntouched } from './fields'
import { BulkPackChange, BulkPackDeletion, Pack } from './model'
import { packsInBody } from './scope'
import { auditView, packViews } from './view'

const editPacks = operation({
  id: 'updatePacks',
  method: 'PUT',
  path: '/packs/update',
  summary: 'Change several packs of a trial',
  description: 'All of them or none. Each field that is sent is set in each of the packs.',
  scope: packsInBody,
  needs: anywhere('trial.writePacks'),
  logs: 'updatePack',
  body: BulkPackChange,
  returns: shape('ChangedPacks', { packs: list(Pack, 500) }),
  run: (context) => {
    const { db, access, packs: before, record } = context
    const { ids: _, ...fields } = context.body
    const after = changePacks(context, before, fields)
    for (const [at, pack] of before.entries()) {
      const change = changedFields(auditView(pack), auditView(after[at]!))
      record({ type: 'updatePack', event: { packId: pack._id, ...change } })
    }
    return { packs: packViews(db, access, after) }
  },
})

const removePacks = operation({
  id: 'deletePacks',
  method: 'POST',
  path: '/packs/delete',
  summary: 'Delete several packs of a trial that were created by mistake',
  description: 'All of them or none. Refused (400) if anything became of one of them since it was received.',
  scope: packsInBody,
  needs: 'trial.deletePacks',
  logs: 'deletePack',
  body: BulkPackDeletion,
  returns: shape({}),
  run: (context) => {
    const { db, packs, record } = context
    requireUnconcealedStock(context, packs)
    requireUntouched(db, packs)
    for (const pack of packs) {
      record({ type: 'deletePack', event: { packId: pack._id, before: auditView(pack) } })
      deleteById(db, packTable, pack._id)
    }
    return {}
  },
})

export const bulkPackOperations = [editPacks, removePacks] as const
