/** Approvals of files on the wire (docs/master-file.md, "Approvals"). */
import { fileApprovals, fileApprovers, masterFileVersions } from '#db/tables/index'
import { File } from '#office/files/model'
import * as t from '#wire/schema'

/** The most people whom one request asks. */
const MAX_APPROVERS = 20
/** The most requests about one file. */
export const MAX_APPROVALS = 1000
/** The most earlier versions that a link lists. */
export const MAX_EARLIER = 50

const role = () => t.withDescription('In what capacity they are asked, such as sponsor.', t.orNull(t.text(1, 100)))
const message = () => t.withDescription('It is in the e-mail to the approvers.', t.orNull(t.text(0, 1000)))
const decision = () => t.oneOf(...fileApprovers.decision.enumValues)

export const ApproverInput = t.shape('FileApproverInput', {
  id: t.maybe(t.withDescription('The account of the approver, who must be able to read the file.', t.orNull(t.id()))),
  email: t.maybe(t.withDescription('Required for somebody without an account.', t.email())),
  role: t.maybe(role()),
})
export type ApproverInput = t.ValueOf<typeof ApproverInput>

export const ApprovalInput = t.shape('FileApprovalInput', {
  approvers: t.list(ApproverInput, MAX_APPROVERS, 1),
  message: t.maybe(message()),
})

export const Approval = t.shape('FileApproval', {
  _id: t.id(),
  createdAt: t.instant(),
  createdBy: t.id(),
  file: t.id(),
  version: t.withDescription('The version that is reviewed.', t.id()),
  message: message(),
  linksUntil: t.withDescription('When the links of the approvers end.', t.instant()),
  status: t.withDescription(
    'approved: all have approved. rejected: one has rejected. stale: a newer version was added before.',
    t.oneOf(...fileApprovals.status.enumValues),
  ),
  endedAt: t.orNull(t.instant()),
  approvers: t.list(
    t.shape('FileApprover', {
      id: t.withDescription('Null for somebody without an account.', t.orNull(t.id())),
      email: t.email(),
      name: t.orNull(t.oneLine(0, 1000)),
      role: role(),
      decision: t.orNull(decision()),
      decidedAt: t.orNull(t.instant()),
      comment: t.orNull(t.text(0, 2000)),
      byLink: t.withDescription('Whether the decision came by the link in the e-mail.', t.orNull(t.flag())),
    }),
    MAX_APPROVERS,
  ),
})

export const Approvals = t.shape('FileApprovals', { approvals: t.list(Approval, MAX_APPROVALS) })

export const DecisionInput = t.shape('FileDecisionInput', {
  decision: decision(),
  comment: t.maybe(t.withDescription('Required if the version is rejected.', t.orNull(t.text(0, 2000)))),
})
export type DecisionInput = t.ValueOf<typeof DecisionInput>

/** What a link shows: one version of one file. */
export const Review = t.shape('FileReview', {
  trialName: t.text(0, 500),
  requestedBy: t.withDescription('The name of who asks.', t.text(0, 1000)),
  createdAt: t.instant(),
  linksUntil: t.instant(),
  message: message(),
  email: t.email(),
  role: role(),
  file: t.shape({ name: File.properties.name, type: File.properties.type }),
  version: t.shape({
    number: t.whole(1),
    name: t.oneLine(1, 300),
    createdAt: t.instant(),
    expiresAt: t.orNull(t.day()),
    size: t.withDescription('In bytes.', t.whole(0)),
    sha256: t.text(64, 64),
    mimeType: t.text(1, 200),
    url: t.withDescription('Downloads the version, for an hour.', t.text(1, 5000)),
  }),
  earlierVersions: t.withDescription(
    'The versions before, newest first, at most 50: their number, date and status, and nothing of their content.',
    t.list(
      t.shape('EarlierFileVersion', {
        number: t.whole(1),
        createdAt: t.instant(),
        status: t.oneOf(...masterFileVersions.status.enumValues),
      }),
      MAX_EARLIER,
    ),
  ),
})

export const ReviewOutcome = t.shape('FileReviewed', { decision: decision(), decidedAt: t.instant() })
