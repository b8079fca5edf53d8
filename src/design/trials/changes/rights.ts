/** Who may change which settings of a trial, and the setting that conceals arms from its admins (docs/permissions.md). */
import { type Access, holds, type Staff } from '#access/caller'
import { requireFreshConfirmation } from '#access/freshConfirmation'
import type { Db } from '#db/open'
import { rowsWhere } from '#db/rows'
import { randomisations as randomisationTable } from '#db/tables/index'
import { endGrants } from '#design/roles/grantStore'
import { adminSettings, type TrialUpdate } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'

/** What somebody with `trial.lockDatabase` and without `trial.write` may change. */
const LOCK_ONLY: readonly string[] = ['isDatabaseLocked', 'databaseLockJustification']

type ChangeContext = { db: Db; now: Instant; caller: Staff; access: Access; trial: Trial }

/**
 * Refuses (403) a change by people who only lock the database, and of what only admins change without trial.admin; 403
 * for `blindsAdmins` and `secondPerson` without a fresh confirmation; 400 for `blindsAdmins`, as `requireBlinding` says.
 */
export function requireRights(context: ChangeContext, { change, configuration }: TrialUpdate): void {
  const { access, caller, now } = context
  const isWriter = holds(access, 'write')
  const isLockOnly = Object.keys(change).every((field) => LOCK_ONLY.includes(field)) && !configuration.length
  if (!isWriter && !isLockOnly) throw refuse.missingPermission(['trial.write'])
  if (!adminSettings.some((field) => field in change)) return
  if (!holds(access, 'admin')) throw refuse.missingPermission(['trial.admin'])
  if (change.blindsAdmins === undefined && change.secondPerson === undefined) return
  requireFreshConfirmation(caller, now)
  if (change.blindsAdmins !== undefined) requireBlinding(context, change.blindsAdmins)
}

/**
 * Refuses (400) to conceal arms from admins who have seen them, or can foretell them: after a sealing, and while a draft has a seed or a
 * list that somebody gave. Refuses to end it while arms are concealed. What was granted ends with it.
 */
function requireBlinding({ db, trial }: Pick<ChangeContext, 'db' | 'trial'>, isOn: boolean): void {
  const randomisations = rowsWhere(db, randomisationTable, { trial: trial._id }, '_id')
  if (!isOn) {
    const open = randomisations.find(({ status, unblindedAt }) => status !== 'draft' && unblindedAt === null)
    if (open) throw refuse.bad('armsStayConcealed', { name: open.name })
    endGrants(db, trial._id)
    return
  }
  const sealed = randomisations.find(({ status }) => status !== 'draft')
  if (sealed) throw refuse.bad('armsSeenAlready', { name: sealed.name })
  const known = randomisations.find(({ seed, list }) => seed !== null || list !== null)
  if (known) throw refuse.bad('armsForeseeable', { name: known.name })
}
