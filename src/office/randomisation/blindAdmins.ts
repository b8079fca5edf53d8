/** What blinded admins cannot do with a draft, since they would know the arms (docs/permissions.md, "Blinded administrators"). */

import { armsVisibleTo } from '#access/armConcealmentStore'
import { type Access, holds } from '#access/caller'
import { settingsOf } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import { refuse } from '#kernel/problem'
import type { RandomisationInput } from './model'
import type { RandomisationRow } from './store'

type Change = Partial<RandomisationInput>
type ChangeContext = { trial: Pick<Trial, 'settings'>; access: Access; body: Change }

/** What people who see arms change in a draft of blinded admins, without being admins. */
const ARM_KEEPER_FIELDS = ['seed', 'list']

/** What blinded admins change while somebody's list is stored: the list is read again, and its faults would tell what is in it. */
const FIELDS_BESIDE_LIST = ['name', 'eligibility', 'requiresConsent', 'unblindingRecipients']

const hasOnly = (body: Change, fields: readonly string[]) =>
  Object.entries(body).every(([field, value]) => value === undefined || fields.includes(field))

/**
 * Refuses (403) admins who are blinded to give a seed or a list, or to change a draft in which somebody's list is; and people who are not
 * admins everything but the seed and the list.
 * @param row the draft before; undefined for a new one
 */
export function requireBlindChange({ trial, access, body }: ChangeContext, row?: RandomisationRow): void {
  const isBlinding = settingsOf(trial).blindsAdmins
  if (!holds(access, 'admin') && !(isBlinding && hasOnly(body, ARM_KEEPER_FIELDS)))
    throw refuse.missingPermission(['trial.admin'])
  if (!isBlinding || armsVisibleTo(access)) return
  const setsOrder = body.seed != null || body.list != null
  if (setsOrder || (row?.status === 'draft' && row.list !== null && !hasOnly(body, FIELDS_BESIDE_LIST)))
    throw refuse.missingPermission(['trial.readRandomisation'])
}
