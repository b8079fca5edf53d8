import { rowById } from '../../db/rows'
import { anchors } from '../../db/tables'
import type { Scope } from '../../http/operation'
import { found } from '../../kernel/problem'
import { type InTrial, trialSeenBy } from '../trials/scope'
import type { AnchorRow } from './queries'

/** The anchor that `:anchorId` names, with its trial. */
export const anchor: Scope<InTrial & { anchor: AnchorRow }> = (asked) => {
  const anchor = found(rowById(asked.db, anchors, asked.params.anchorId!), 'anchor')
  return { ...trialSeenBy(asked, anchor.trial, 'anchor'), anchor }
}
