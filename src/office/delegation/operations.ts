/** The delegation log of a site. Neither lock refuses it: it says who may do what until the study ends. */
import { type Access, holds } from '#access/caller'
import type { Db } from '#db/open'
import { updateById } from '#db/rows'
import { delegations } from '#db/tables/index'
import { site } from '#design/sites/scope'
import { operation } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { PAGE, PageOrCsv } from '#office/siteRecords/page'
import { READ, requireSiteMember } from '#office/siteRecords/place'
import { todayOf } from '#office/training/views'
import { byQuery } from '#wire/schema'
import { csvText } from '#writers/csv'
import { mailSignatureRequest } from './mail'
import { Delegation, DelegationCsv, DelegationEnd, DelegationInput, Delegations, NewDelegationSignature } from './model'
import { INVESTIGATOR } from './rules'
import { delegation } from './scope'
import { addSignature } from './sign'
import { insertDelegation, investigatorOn, investigatorsFrom } from './store'
import { delegationSheet, delegationView, delegationViews } from './views'

const WRITE = 'trial.writeSites'

/** Refuses (403) people of the site to choose their own principal investigator. */
function requireSponsor(access: Access, { role }: { role: string }): void {
  if (role === INVESTIGATOR && !holds(access, 'writeSites')) throw refuse.missingPermission([WRITE])
}

/** Refuses (400) a second principal investigator on the same day. */
function requireVacancy(db: Db, site: Id, { role, startsOn }: { role: string; startsOn: string }): void {
  const [other] = role === INVESTIGATOR ? investigatorsFrom(db, site, startsOn) : []
  if (!other) return
  throw refuse.bad('investigatorAlready', { investigator: other.userName, startsOn })
}

const listDelegations = operation({
  id: 'listDelegations',
  method: 'GET',
  path: '/sites/:siteId/delegations',
  summary: 'Read the delegation log of a site',
  description: 'Oldest first. `format=csv` has every entry, and is an export.',
  scope: site,
  needs: READ,
  logs: ({ format }) => (format === 'csv' ? 'exportDelegations' : undefined),
  query: PageOrCsv(),
  returns: byQuery('format', Delegations, { csv: DelegationCsv }),
  run: ({ db, now, trial, site, record, query: { format, page = 1, perPage = PAGE } }) => {
    const today = todayOf(trial, now)
    if (format === 'csv') {
      record({ event: { format } })
      return { csv: csvText(delegationSheet(delegationViews(db, site._id, today))) }
    }
    const entries = delegationViews(db, site._id, today, perPage + 1, (page - 1) * perPage)
    return { delegations: entries.slice(0, perPage), page, nextPageAvailable: entries.length > perPage }
  },
})

const createDelegation = operation({
  id: 'createDelegation',
  method: 'POST',
  path: '/sites/:siteId/delegations',
  summary: 'Delegate tasks to a person of a site',
  description:
    'The entry is in force once the person and the principal investigator have signed it; the person gets an e-mail. Who is the principal investigator is entered by people with `trial.writeSites` on the whole trial.',
  scope: site,
  needs: WRITE,
  of: 'delegation',
  logs: 'createDelegation',
  body: DelegationInput,
  returns: Delegation,
  run: (context) => {
    const { db, now, id, caller, trial, access, site, body } = context
    const { user, role, startsOn, otherTasks = null } = body
    requireSponsor(access, body)
    if (body.tasks.includes('other') && !otherTasks?.trim()) throw refuse.bad('otherTasksMissing')
    const { name: userName } = requireSiteMember(db, { trial: trial._id, site: site._id }, user)
    requireVacancy(db, site._id, body)
    const creation = { _id: id(), createdAt: now, createdBy: caller.user._id, trial: trial._id, site: site._id }
    const about = { user, userName, role, tasks: [...new Set(body.tasks)], otherTasks, startsOn }
    const row = insertDelegation(db, { ...creation, ...about })
    mailSignatureRequest(context, site._id, user)
    return delegationView(db, row, todayOf(trial, now))
  },
})

const endDelegation = operation({
  id: 'endDelegation',
  method: 'PUT',
  path: '/delegations/:delegationId',
  summary: 'Set the end of an entry of a delegation log',
  description: 'Once. Entries are neither changed nor deleted: if tasks change, end the entry and make another one.',
  scope: delegation,
  needs: WRITE,
  of: 'delegation',
  logs: 'endDelegation',
  body: DelegationEnd,
  returns: Delegation,
  run: ({ db, now, caller, access, row, today, body }) => {
    requireSponsor(access, row)
    if (row.endsOn !== null) throw refuse.bad('delegationEnds', { endsOn: row.endsOn })
    if (body.endsOn < row.startsOn) throw refuse.bad('delegationBegins', { startsOn: row.startsOn })
    const end = { ...body, endedAt: now, endedBy: caller.user._id }
    return delegationView(db, updateById(db, delegations, row._id, end), today)
  },
})

const signDelegation = operation({
  id: 'signDelegation',
  method: 'POST',
  path: '/delegations/:delegationId/signatures',
  summary: 'Sign an entry of a delegation log',
  description:
    'Needs an identity that was confirmed in the web app within five minutes. First the person signs, then the principal investigator of the site, who gets an e-mail. No permission is needed but to see the site.',
  scope: delegation,
  needs: 'nothing',
  fresh: true,
  logs: 'signDelegation',
  body: NewDelegationSignature,
  sets: ['signatures'],
  returns: Delegation,
  run: (context) => {
    const { db, row, today, body, record } = context
    const { signedAs, signedAt, hash } = addSignature(context, row, body.signedAs, today)
    record({ event: { signature: { signedAs, signedAt, hash } } })
    const after = delegationView(db, row, today)
    const investigator = after.state === 'awaitingInvestigator' ? investigatorOn(db, row.site, today) : undefined
    if (investigator) mailSignatureRequest(context, row.site, investigator.user)
    return after
  },
})

export const delegationOperations = [listDelegations, createDelegation, endDelegation, signDelegation] as const
