/** What blinded admins cannot do with a draft, since they would know the arms (docs/permissions.md, "Blinded administrators"). */
import { type Access, holds } from '#access/caller'
import { seesArms } from '#access/concealedStore'
import { settingsOf } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import { refuse } from '#kernel/problem'
import type { RandomisationInput } from './model'
import type { RandomisationRow } from './store'

type Change = Partial<RandomisationInput>
type Changing = { trial: Pick<Trial, 'settings'>; access: Access; body: Change }

/** What people who see arms change in a draft of blinded admins, without being admins. */
const OF_ARM_KEEPERS = ['seed', 'list']

/** What blinded admins change while somebody's list is stored: the list is read again, and its faults would tell what is in it. */
const BESIDE_LIST = ['name', 'eligibility', 'requiresConsent', 'unblindingRecipients']

const onlyHas = (body: Change, fields: readonly string[]) =>
  Object.entries(body).every(([field, value]) => value === undefined || fields.includes(field))

/**
 * Refuses (403) admins who are blinded to give a seed or a list, or to change a draft in which somebody's list is; and people who are no
 * admins everything but the seed and the list.
 * @param row the draft before; undefined for a new one
 */
export function requireBlindChange({ trial, access, body }: Changing, row?: RandomisationRow): void {
  const isBlinding = settingsOf(trial).blindsAdmins
  if (!holds(access, 'admin') && !(isBlinding && onlyHas(body, OF_ARM_KEEPERS))) throw refuse.lacking(['trial.admin'])
  if (!isBlinding || seesArms(access)) return
  const givesOrder = body.seed != null || body.list != null
  if (givesOrder || (row?.status === 'draft' && row.list !== null && !onlyHas(body, BESIDE_LIST)))
    throw refuse.lacking(['trial.readRandomisation'])
}
