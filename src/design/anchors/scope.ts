import { rowById } from '#db/rows'
import { anchors } from '#db/tables/index'
import { type InTrial, trialVisibleTo } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found } from '#kernel/problem'
import type { AnchorRow } from './store'

/** The anchor that `:anchorId` names, with its trial. */
export const anchor: Scope<InTrial & { anchor: AnchorRow }, 'anchorId'> = (asked) => {
  const anchor = found(rowById(asked.db, anchors, asked.params.anchorId), 'anchor')
  return { ...trialVisibleTo(asked, anchor.trial, 'anchor'), anchor }
}
