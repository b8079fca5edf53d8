import { armsVisibleTo, isConcealed } from '#access/armConcealmentStore'
import { rowById } from '#db/rows'
import { packTypes } from '#db/tables/index'
import { type TrialScope, trialVisibleTo } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import type { PackTypeRow } from './store'

/** The pack type that `:packTypeId` names, with its trial; 404 unless the caller sees the trial, and for a concealed arm. */
export const packType: Scope<TrialScope & { packType: PackTypeRow }, 'packTypeId'> = (context) => {
  const packType = found(rowById(context.db, packTypes, context.params.packTypeId), 'pack type')
  const inTrial = trialVisibleTo(context, packType.trial, 'pack type')
  const isHidden = !armsVisibleTo(inTrial.access) && isConcealed(context.db, 'packType', packType._id)
  if (isHidden) throw refuse.missing('pack type')
  return { ...inTrial, packType }
}
