/** Updates of a trial that wait for a second person: unlocking, and fewer acts in `secondPerson` (docs/permissions.md, "A second person"). */
import { requestSecondPerson } from '#design/secondRequests/request'
import type { TrialChange } from '#design/trials/model'
import type { TrialUpdate } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import { refuse } from '#kernel/problem'

/** What unlocking depends on: a lock that was lifted and set again is another one. */
export const lockState = ({ isLocked, isDatabaseLocked, settings }: Trial) => ({
  isLocked,
  isDatabaseLocked,
  lockJustification: settings.lockJustification ?? null,
  databaseLockJustification: settings.databaseLockJustification ?? null,
})

export const settingState = ({ settings }: Trial) => ({ secondPerson: settings.secondPerson ?? [] })

type AskContext = Parameters<typeof requestSecondPerson>[0] & { trial: Trial; body: TrialChange }

/**
 * Asks for a second person if the update needs one, and returns whether it does. Refuses (400) such an update together with anything
 * else: that would wait too.
 */
export function askSecondIfNeeded(context: AskContext, update: TrialUpdate): boolean {
  const { trial, body } = context
  const { before, change, lockChanges } = update
  const after = change.secondPerson
  const isLess = after !== undefined && before.secondPerson.some((act) => !after.includes(act))
  const unlocks = before.secondPerson.includes('unlocking') ? lockChanges.filter(({ on }) => on === undefined) : []
  if (isLess) {
    requireAlone(update, ['secondPerson'])
    const settingRequest = { body: { secondPerson: [...after] }, state: settingState(trial) }
    requestSecondPerson(context, 'setting', { subject: trial._id, reason: null, ...settingRequest })
    return true
  }
  if (!unlocks.length) return false
  requireAlone(
    update,
    unlocks.flatMap(({ flag, reason }) => [flag, reason]),
  )
  const liftedLocks = Object.fromEntries(
    unlocks.flatMap(({ flag, reason }) => [
      [flag, false],
      [reason, body[reason]],
    ]),
  )
  const reason = unlocks.map((lock) => body[lock.reason]).join(' / ')
  requestSecondPerson(context, 'unlocking', { subject: trial._id, reason, body: liftedLocks, state: lockState(trial) })
  return true
}

function requireAlone({ change, configuration }: TrialUpdate, fields: readonly string[]): void {
  const others = [...new Set([...Object.keys(change), ...configuration])].filter((field) => !fields.includes(field))
  if (others.length) throw refuse.bad('sendSeparately', { fields, others })
}
