/** The models of the delegation log of a site (docs/monitoring.md, "Delegation log"). */
import { delegatedTasks, delegationSignatures, delegations } from '#db/tables/index'
import { PAGE } from '#office/siteRecords/page'
import {
  day,
  flag,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  oneOf,
  orNull,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'
import { states } from './rules'

export const DelegationInput = shape('DelegationInput', {
  user: id('The account of the person, who can see the site.'),
  role: oneOf(...delegations.role.enumValues),
  tasks: list(oneOf(...delegatedTasks), delegatedTasks.length, 1),
  otherTasks: maybe(withDescription('Needed if `other` is among the tasks.', orNull(text(0, 1000)))),
  startsOn: withDescription('The first day.', day()),
})

/** An entry is not changed: it ends, and another one begins. */
export const DelegationEnd = shape('DelegationEnd', {
  endsOn: withDescription('The last day.', day()),
  endReason: maybe(text(1, 500)),
})

const { signedAs } = delegationSignatures

export const NewDelegationSignature = shape('NewDelegationSignature', {
  signedAs: withDescription(
    '`person`: who accepts the tasks. `investigator`: the principal investigator of the site, who delegates them, and signs after the person.',
    oneOf(...signedAs.enumValues),
  ),
})

const DelegationSignature = shape('DelegationSignature', {
  signedAs: oneOf(...signedAs.enumValues),
  user: id(),
  userName: text(0, 200),
  signedAt: instant(),
  hash: withDescription('SHA-256 of the entry, the signer and the time.', text(64, 64)),
  valid: withDescription('Whether the hash is that of the entry as it is.', flag()),
})

export const Delegation = joinShapes(
  'Delegation',
  shape({
    _id: id(),
    createdAt: instant(),
    createdBy: id(),
    trial: id(),
    site: id(),
    userName: withDescription('When the entry was made.', text(0, 200)),
    endsOn: withDescription('The last day; null as long as no end is set.', orNull(day())),
    endReason: orNull(text(0, 500)),
    endedAt: withDescription('When the end was set.', orNull(instant())),
    endedBy: orNull(id()),
    state: withDescription(
      'Only an `active` entry is in force: both have signed, and today is among its days. A principal investigator signs once.',
      oneOf(...states),
    ),
    expiredTrainings: withDescription(
      'Training of the person that has expired and was not renewed.',
      list(text(0, 300)),
    ),
    signatures: list(DelegationSignature, 2),
  }),
  DelegationInput,
)

export const Delegations = shape('Delegations', {
  delegations: list(Delegation, PAGE),
  page: whole(1),
  nextPageAvailable: flag(),
})
export const DelegationCsv = shape('DelegationCsv', { csv: text(0, 1_000_000_000) })
