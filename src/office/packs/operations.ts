/** Packs one by one. Neither lock refuses changes of packs (docs/packs.md). */
import { changedFields } from '#audit/changedFields'
import { deleteById } from '#db/rows'
import { packs as packTable } from '#db/tables/index'
import { trial } from '#design/trials/scope'
import { anywhere, operation, type Scope } from '#http/operation'
import { shape } from '#wire/schema'
import { addPacks, changePacks, type NewPack } from './change'
import { requirePackType, requireUnconcealedStock, requireUntouched } from './fields'
import { Pack, PackChange, PackCreation, Packs } from './model'
import { type PackScope, pack } from './scope'
import { auditView, packView, packViews } from './view'

/** The largest body of a creation, in bytes: 500 packs may have many extended fields. */
const LARGEST = 16 << 20

const createPacks = operation({
  id: 'createPacks',
  method: 'POST',
  path: '/trials/:trialId/packs',
  summary: 'Create a pack, or up to 500 of a type',
  description: 'All of them or none. Each is recorded as received at its site, or at trial level.',
  scope: trial,
  needs: anywhere('trial.writePacks'),
  logs: 'createPack',
  body: PackCreation,
  maxBodyBytes: LARGEST,
  returns: Packs,
  run: (context) => {
    const { db, trial, access, body, record } = context
    const { packType, ...rest } = body
    const sent: readonly NewPack[] = 'packs' in rest ? rest.packs : [rest]
    const type = requirePackType(db, trial._id, packType, access)
    const rows = addPacks(context, type, sent, 'packs' in rest ? 'packs' : undefined)
    for (const row of rows) record({ type: 'createPack', event: { packId: row._id, after: auditView(row) } })
    return { packs: packViews(db, access, rows) }
  },
})

const readPack = operation({
  id: 'readPack',
  method: 'GET',
  path: '/packs/:packId',
  summary: 'Read a pack',
  scope: pack,
  needs: 'trial.listPacks',
  reads: ({ participant }) => [participant],
  returns: Pack,
  run: ({ db, access, pack }) => packView(db, access, pack),
})

const editPack = operation({
  id: 'updatePack',
  method: 'PUT',
  path: '/packs/:packId',
  summary: 'Change a pack',
  description:
    'A new site is recorded as moved, which is refused (400) for a pack that is dispensed, lost or destroyed.',
  scope: pack,
  needs: 'trial.writePacks',
  logs: 'updatePack',
  body: PackChange,
  returns: Pack,
  run: (context) => {
    const { db, access, pack: before, body, record } = context
    const after = changePacks(context, [before], body)[0]!
    record({ event: changedFields(auditView(before), auditView(after)) })
    return packView(db, access, after)
  },
})

/** A pack, for operations of which only permissions on the whole trial count. */
const packOfTrial: Scope<Omit<PackScope, 'places'>, 'packId'> = (context) => {
  const { places: _, ...rest } = pack(context)
  return rest
}

const removePack = operation({
  id: 'deletePack',
  method: 'DELETE',
  path: '/packs/:packId',
  summary: 'Delete a pack that was created by mistake',
  description: 'Refused (400) if anything became of it since it was received: record it as lost or destroyed instead.',
  scope: packOfTrial,
  needs: 'trial.deletePacks',
  logs: 'deletePack',
  returns: shape({}),
  run: (context) => {
    const { db, pack, record } = context
    requireUnconcealedStock(context, [pack])
    requireUntouched(db, [pack])
    record({ event: { before: auditView(pack) } })
    deleteById(db, packTable, pack._id)
    return {}
  },
})

export const packOperations = [createPacks, readPack, editPack, removePack] as const
