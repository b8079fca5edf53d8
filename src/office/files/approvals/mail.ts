/** E-mails about approvals of files: to the approvers, with their links, and to who asked. */
import type { Db } from '#db/open'
import { writerOf } from '#design/trials/notices'
import type { Trial } from '#design/trials/store'
import type { Instant } from '#kernel/time'
import type { FileRow } from '#office/files/store'
import { mailAddress, mailStaff, mailUsers } from '#outbox/messages'
import type { RequestedApprover } from './approvers'
import { readerAccess } from './scope'
import { type ApprovalRow, type ApproverRow, versionById } from './store'

type MailContext = { db: Db; now: Instant; trial: Trial }

/** What the e-mail says to all approvers: who asks, and for which file. */
type RequestSummary = { user: string; file: string; number: number; message: string | null; until: Instant }

/** Sends an approver their link. */
export function mailApprover(
  { db, now, trial }: MailContext,
  to: RequestedApprover,
  url: string,
  about: RequestSummary,
): void {
  const { write, moment } = writerOf(trial, to.language)
  const { user, file, number, message, until } = about
  const text = {
    subject: write('fileApproval.subject', { trial: trial.name, file }),
    body: write('fileApproval.body', {
      ...{ user, trial: trial.name, file, number, url },
      message: message?.trim() ? `${message.trim()}\n\n` : '',
      when: moment(until, 'UTC'),
    }),
    expiresAt: until,
    isSecret: true,
  }
  if (to.user === null) mailAddress(db, now, trial._id, to.email, text)
  else mailStaff(db, now, trial._id, { _id: to.user, email: to.email }, text)
}

type LastDecision = Pick<ApproverRow, 'decision' | 'name' | 'email' | 'comment'>

/** Tells who asked that the request has ended, if they can still read the file. @param last who decided last */
export function mailRequester(
  { db, now, trial }: MailContext,
  approval: ApprovalRow,
  file: FileRow,
  last: LastDecision,
): void {
  const { createdBy, version } = approval
  if (!readerAccess(db, createdBy, file)) return
  const about = { trial: trial.name, file: file.name, number: versionById(db, version)!.number }
  mailUsers(db, now, trial._id, [createdBy], (language) => {
    const { write } = writerOf(trial, language)
    const rejected = { ...about, approver: last.name ?? last.email, comment: last.comment ?? '' }
    return {
      subject: write('fileReviewed.subject', { trial: trial.name, file: file.name }),
      body:
        last.decision === 'rejected' ? write('fileReviewed.rejected', rejected) : write('fileReviewed.approved', about),
    }
  })
}
