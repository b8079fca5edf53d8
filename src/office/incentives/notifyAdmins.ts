/** Notifies the administrators of a trial about payments that need their action: by e-mail, and with a task. */
import { trialAdmins } from '#accounts/teams/adminStore'
import { appendEntry } from '#audit/append'
import { addTask } from '#conduct/tasks/board'
import { auditView } from '#conduct/tasks/rules'
import { writerOf } from '#design/trials/notices'
import { DAY } from '#kernel/time'
import { type BrandRow, changeBrand } from '#office/incentives/brands/store'
import { moneyText } from '#office/incentives/wallet/money'
import { mailStaff } from '#outbox/messages'
import type { PayContext } from './pay'

type NoticeContext = Pick<PayContext, 'db' | 'now' | 'id' | 'trial'>
const NOTICES = {
  waits: { subject: 'incentivesWait.subject', body: 'incentivesWait.body' },
  refused: { subject: 'giftCardRefused.subject', body: 'giftCardRefused.body' },
} as const

type Payment = { brand: BrandRow; amount: number }

/** Sends an e-mail to each administrator of the trial, and assigns a task to all of them. */
export function notifyAdmins(
  context: NoticeContext,
  notice: keyof typeof NOTICES,
  { brand, amount }: Payment,
  reason = '',
): void {
  const { db, now, trial } = context
  const about = { trial: trial.name, brand: brand.name, amount: moneyText(amount, brand.currency), reason }
  const text = (language: string | null) => {
    const { write } = writerOf(trial, language)
    return { subject: write(NOTICES[notice].subject, about), body: write(NOTICES[notice].body, about) }
  }
  const admins = trialAdmins(db, trial._id)
  for (const admin of admins) mailStaff(db, now, trial._id, admin, text(admin.language))
  const { subject, body } = text(null)
  const task = { title: subject, description: body, participant: null, scored: [] }
  const after = addTask(context, trial._id, { ...task, assignees: admins.map(({ _id }) => _id) })
  const entry = { chain: trial._id, createdAt: now, type: 'createTask', userType: 'system' as const }
  appendEntry(db, { ...entry, event: { after: auditView(after) } })
}

/** Notifies them that the gateway refused a card: once a day for each brand, since it may refuse all of them. */
export function notifyOfRefusal(context: NoticeContext, payment: Payment, reason: string): void {
  const { db, now } = context
  const { _id, refusalToldAt } = payment.brand
  if (refusalToldAt !== null && now - refusalToldAt < DAY) return
  changeBrand(db, _id, { refusalToldAt: now })
  notifyAdmins(context, 'refused', payment, reason)
}
