import { trialAdmins } from '#accounts/teams/adminStore'
import { appendEntry } from '#audit/append'
import { addTask } from '#conduct/tasks/board'
import { auditView } from '#conduct/tasks/rules'
import { rowById } from '#db/rows'
import { incentiveBrands } from '#db/tables/index'
import { writerOf } from '#design/trials/notices'
import type { PayContext } from '#office/incentives/pay'
import { moneyText } from '#office/wallet/money'
import { mailStaff } from '#outbox/post'
import type { RuleRow } from './store'

/** Tells the administrators of a trial that payments of a rule wait: by e-mail, and with a task that is assigned to them. */
export function tellOfWaiting(context: PayContext, rule: RuleRow): void {
  const { db, now, trial } = context
  const { name: brand, currency } = rowById(db, incentiveBrands, rule.brand)!
  const about = { trial: trial.name, brand, amount: moneyText(rule.amount, currency) }
  const text = (language: string | null) => {
    const { write } = writerOf(trial, language)
    return { subject: write('incentivesWait.subject', about), body: write('incentivesWait.body', about) }
  }
  const admins = trialAdmins(db, trial._id)
  for (const admin of admins) mailStaff(db, now, trial._id, admin, text(admin.language))
  const { subject, body } = text(null)
  const task = { title: subject, description: body, participant: null, scored: [] }
  const after = addTask(context, trial._id, { ...task, assignees: admins.map(({ _id }) => _id) })
  const entry = { chain: trial._id, createdAt: now, type: 'createTask', userType: 'system' as const }
  appendEntry(db, { ...entry, event: { after: auditView(after) } })
}
