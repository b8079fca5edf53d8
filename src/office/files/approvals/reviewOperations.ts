/** The review of a version of a file by the link in an e-mail, without sign-in (docs/master-file.md, "Approvals"). */
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import { operation } from '#http/operation'
import { downloadName } from '#office/files/rules'
import { fileEntry } from '#office/files/versions/versions'
import { hourLinkMaker } from '#storage/links'
import { nameOf } from './approvers'
import { decide } from './decision'
import { DecisionInput, MAX_EARLIER, Review, ReviewOutcome } from './model'
import { review } from './scope'
import { versionsBefore } from './store'

/** Wrong links that an address may try per minute. */
const WRONG_LINKS = 60

const readReview = operation({
  id: 'readFileReview',
  method: 'GET',
  path: '/file-reviews/:token',
  summary: 'Read what a review link is for',
  description: 'It shows one version of one file. The link ends with the decision, and with the request.',
  who: 'anyone',
  scope: review,
  needs: 'nothing',
  failures: WRONG_LINKS,
  returns: Review,
  run: ({ db, services, now, trial, file, version, approval, approver }) => ({
    ...{ trialName: trial.name, requestedBy: nameOf(db, approval.createdBy), createdAt: approval.createdAt },
    ...{ linksUntil: approval.linksUntil, message: approval.message, email: approver.email, role: approver.role },
    file: { name: file.name, type: file.type },
    version: { ...version, url: hourLinkMaker(services, now)(version.storedName, downloadName(version)) },
    earlierVersions: versionsBefore(db, version, MAX_EARLIER),
  }),
})

const decideReview = operation({
  id: 'decideFileReview',
  method: 'POST',
  path: '/file-reviews/:token',
  summary: 'Approve or reject the version that a review link shows',
  description: 'A link takes one decision.',
  who: 'anyone',
  scope: review,
  needs: 'nothing',
  failures: WRONG_LINKS,
  logs: 'decideFileApproval',
  body: DecisionInput,
  returns: ReviewOutcome,
  run: (context) => {
    const { db, now, file, approval, approver, body, record } = context
    const status = decide(context, approver, body, true)
    const account = approver.user === null ? undefined : rowById(db, users, approver.user)
    const event = {
      fileId: file._id,
      approvalId: approval._id,
      version: approval.version,
      ...body,
      status,
      byLink: true,
    }
    record({ ...fileEntry(file, event), by: account ? { user: account } : { email: approver.email } })
    return { decision: body.decision, decidedAt: now }
  },
})

export const fileReviewOperations = [readReview, decideReview] as const
