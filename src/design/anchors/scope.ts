import { rowById } from '#db/rows'
import { anchors } from '#db/tables/index'
import { type TrialScope, trialVisibleTo } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found } from '#kernel/problem'
import type { AnchorRow } from './store'

/** The anchor that `:anchorId` names, with its trial. */
export const anchor: Scope<TrialScope & { anchor: AnchorRow }, 'anchorId'> = (context) => {
  const anchor = found(rowById(context.db, anchors, context.params.anchorId), 'anchor')
  return { ...trialVisibleTo(context, anchor.trial, 'anchor'), anchor }
}
