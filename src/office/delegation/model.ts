/** The models of the delegation log of a site (docs/monitoring.md, "Delegation log"). */
import { delegatedTasks, delegationSignatures, delegations } from '#db/tables/index'
import { PAGE } from '#office/siteRecords/page'
import * as t from '#wire/schema'
import { states } from './rules'

export const DelegationInput = t.shape('DelegationInput', {
  user: t.id('The account of the person, who can see the site.'),
  role: t.oneOf(...delegations.role.enumValues),
  tasks: t.list(t.oneOf(...delegatedTasks), delegatedTasks.length, 1),
  otherTasks: t.maybe(t.withDescription('Needed if `other` is among the tasks.', t.orNull(t.text(0, 1000)))),
  startsOn: t.withDescription('The first day.', t.day()),
})

/** An entry is not changed: it ends, and another one begins. */
export const DelegationEnd = t.shape('DelegationEnd', {
  endsOn: t.withDescription('The last day.', t.day()),
  endReason: t.maybe(t.text(1, 500)),
})

const { signedAs } = delegationSignatures

export const NewDelegationSignature = t.shape('NewDelegationSignature', {
  signedAs: t.withDescription(
    '`person`: who accepts the tasks. `investigator`: the principal investigator of the site, who delegates them, and signs after the person.',
    t.oneOf(...signedAs.enumValues),
  ),
})

const DelegationSignature = t.shape('DelegationSignature', {
  signedAs: t.oneOf(...signedAs.enumValues),
  user: t.id(),
  userName: t.text(0, 200),
  signedAt: t.instant(),
  hash: t.withDescription('SHA-256 of the entry, the signer and the time.', t.text(64, 64)),
  valid: t.withDescription('Whether the hash is that of the entry as it is.', t.flag()),
})

export const Delegation = t.joinShapes(
  'Delegation',
  t.shape({
    _id: t.id(),
    createdAt: t.instant(),
    createdBy: t.id(),
    trial: t.id(),
    site: t.id(),
    userName: t.withDescription('When the entry was made.', t.text(0, 200)),
    endsOn: t.withDescription('The last day; null as long as no end is set.', t.orNull(t.day())),
    endReason: t.orNull(t.text(0, 500)),
    endedAt: t.withDescription('When the end was set.', t.orNull(t.instant())),
    endedBy: t.orNull(t.id()),
    state: t.withDescription(
      'Only an `active` entry is in force: both have signed, and today is among its days. A principal investigator signs once.',
      t.oneOf(...states),
    ),
    expiredTrainings: t.withDescription(
      'Training of the person that has expired and was not renewed.',
      t.list(t.text(0, 300)),
    ),
    signatures: t.list(DelegationSignature, 2),
  }),
  DelegationInput,
)

export const Delegations = t.shape('Delegations', {
  delegations: t.list(Delegation, PAGE),
  page: t.whole(1),
  nextPageAvailable: t.flag(),
})
export const DelegationCsv = t.shape('DelegationCsv', { csv: t.text(0, 1_000_000_000) })
