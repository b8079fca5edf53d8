/** Approvals of files on the wire (docs/master-file.md, "Approvals"). */
import { fileApprovals, fileApprovers, masterFileVersions } from '#db/tables/index'
import { File } from '#office/files/model'
import {
  day,
  email,
  flag,
  id,
  instant,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

/** The most people whom one request asks. */
export const MAX_APPROVERS = 20
/** The most requests about one file. */
export const MAX_APPROVALS = 1000
/** The most earlier versions that a link lists. */
export const MAX_EARLIER = 50

const role = () => withDescription('In what capacity they are asked, such as sponsor.', orNull(text(1, 100)))
const message = () => withDescription('It is in the e-mail to the approvers.', orNull(text(0, 1000)))
const decision = () => oneOf(...fileApprovers.decision.enumValues)

export const ApproverInput = shape('FileApproverInput', {
  id: maybe(withDescription('The account of the approver, who must be able to read the file.', orNull(id()))),
  email: maybe(withDescription('Required for somebody without an account.', email())),
  role: maybe(role()),
})
export type ApproverInput = ValueOf<typeof ApproverInput>

export const ApprovalInput = shape('FileApprovalInput', {
  approvers: list(ApproverInput, MAX_APPROVERS, 1),
  message: maybe(message()),
})

export const Approval = shape('FileApproval', {
  _id: id(),
  createdAt: instant(),
  createdBy: id(),
  file: id(),
  version: withDescription('The version that is reviewed.', id()),
  message: message(),
  linksUntil: withDescription('When the links of the approvers end.', instant()),
  status: withDescription(
    'approved: all have approved. rejected: one has rejected. stale: a newer version was added before.',
    oneOf(...fileApprovals.status.enumValues),
  ),
  endedAt: orNull(instant()),
  approvers: list(
    shape('FileApprover', {
      id: withDescription('Null for somebody without an account.', orNull(id())),
      email: email(),
      name: orNull(oneLine(0, 1000)),
      role: role(),
      decision: orNull(decision()),
      decidedAt: orNull(instant()),
      comment: orNull(text(0, 2000)),
      byLink: withDescription('Whether the decision came by the link in the e-mail.', orNull(flag())),
    }),
    MAX_APPROVERS,
  ),
})

export const Approvals = shape('FileApprovals', { approvals: list(Approval, MAX_APPROVALS) })

export const DecisionInput = shape('FileDecisionInput', {
  decision: decision(),
  comment: maybe(withDescription('Required if the version is rejected.', orNull(text(0, 2000)))),
})
export type DecisionInput = ValueOf<typeof DecisionInput>

/** What a link shows: one version of one file. */
export const Review = shape('FileReview', {
  trialName: text(0, 500),
  requestedBy: withDescription('The name of who asks.', text(0, 1000)),
  createdAt: instant(),
  linksUntil: instant(),
  message: message(),
  email: email(),
  role: role(),
  file: shape({ name: File.properties.name, type: File.properties.type }),
  version: shape({
    number: whole(1),
    name: oneLine(1, 300),
    createdAt: instant(),
    expiresAt: orNull(day()),
    size: withDescription('In bytes.', whole(0)),
    sha256: text(64, 64),
    mimeType: text(1, 200),
    url: withDescription('Downloads the version, for an hour.', text(1, 5000)),
  }),
  earlierVersions: withDescription(
    'The versions before, newest first, at most 50: their number, date and status, and nothing of their content.',
    list(
      shape('EarlierFileVersion', {
        number: whole(1),
        createdAt: instant(),
        status: oneOf(...masterFileVersions.status.enumValues),
      }),
      MAX_EARLIER,
    ),
  ),
})

export const ReviewOutcome = shape('FileReviewed', { decision: decision(), decidedAt: instant() })
