/** Who read what about whom (docs/security.md, "Who looked"). */

import { withoutConcealed } from '#access/armConcealment'
import { concealedFrom } from '#access/armConcealmentStore'
import { type Access, type Places, scopeOf, visibleScopeOf } from '#access/caller'
import { unpackIds } from '#audit/packedIds'
import { self } from '#conduct/participantSessions/scope'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { participants, users } from '#db/tables/index'
import { settingsOf } from '#design/trials/rules'
import { trial } from '#design/trials/scope'
import { momentsOf } from '#exchange/logs/days'
import { participantIds } from '#exchange/logs/store'
import { anywhere, operation } from '#http/operation'
import type { Id } from '#kernel/id'
import { isObject } from '#kernel/json'
import { refuse } from '#kernel/problem'
import { OwnReads, OwnReadsQuery, ReadPage, ReadsQuery } from './model'
import { idsWithin, type ReadRow, readsOf } from './store'

const PAGE = 30

/** What limits a reader of the log to some participants: the rows about others, and about all of a filter, are left out. */
const scopesOf = (access: Access): Places[] =>
  [scopeOf(access, ['readLogs']), visibleScopeOf(access)].filter((scope) => scope !== 'all')

const pageOf = (page = 1) => ({ limit: PAGE + 1, offset: (page - 1) * PAGE })

/** The participant of a filter. One who was deleted may have been found by a filter at any time. */
const participantIn = (db: Db, _id: Id | undefined) =>
  _id === undefined ? undefined : { _id, since: rowById(db, participants, _id)?.createdAt ?? 0 }

const participantIdsOf = ({ participant, participants }: ReadRow): Id[] =>
  participant === null ? unpackIds(participants) : [participant]

/** The filter of a read; empty if it names a group or a pack type of an arm, which would tell that they are of one. */
function shownFilter(filter: ReadRow['filter'], concealed: ReadonlySet<Id>) {
  const shown = withoutConcealed(filter, concealed)
  return isObject(shown) ? shown : {}
}

function views(db: Db, rows: readonly ReadRow[], scopes: readonly Places[], concealed: ReadonlySet<Id>) {
  const about = [...new Set(rows.flatMap(participantIdsOf))]
  const visible = idsWithin(db, about, scopes)
  const ids = participantIds(db, about)
  const named = (_id: Id) => {
    const participantId = ids.get(_id)
    return { _id, ...(participantId === undefined ? {} : { participantId }) }
  }
  return rows.map(({ apiToken, filter, ...row }) => ({
    ...row,
    participants: participantIdsOf({ apiToken, filter, ...row })
      .filter((each) => visible.has(each))
      .map(named),
    ...(apiToken === null ? {} : { apiToken }),
    ...(row.isFilter ? { filter: shownFilter(filter, concealed) } : {}),
  }))
}

const listReads = operation({
  id: 'listReads',
  method: 'GET',
  path: '/trials/:trialId/reads',
  summary: 'List who read what about the participants of a trial',
  description:
    'Newest first, 30 a page. An account, a participant and an operation have one row in 15 minutes. A reader of the log who is ' +
    'limited to some participants gets the rows about these.',
  scope: trial,
  needs: anywhere('trial.readLogs'),
  reads: ({ reads }) => reads.flatMap(({ participants }) => participants.map(({ _id }) => _id)),
  query: ReadsQuery,
  returns: ReadPage,
  // What was read a moment ago is part of the list.
  prepare: ({ services }) => services.reads.flush(),
  run: ({ db, trial, access, query }) => {
    const { page = 1, user, operation, participant, ...days } = query
    const scopes = scopesOf(access)
    const moments = momentsOf(days, trial.timezone ?? 'UTC')
    const filter = {
      trial: trial._id,
      user,
      operation,
      participant: participantIn(db, participant),
      scopes,
      ...moments,
    }
    const rows = readsOf(db, filter, pageOf(page))
    const concealed = concealedFrom(db, trial._id, access)
    return { reads: views(db, rows.slice(0, PAGE), scopes, concealed), page, nextPageAvailable: rows.length > PAGE }
  },
})

const listOwnReads = operation({
  id: 'listOwnReads',
  method: 'GET',
  path: '/participants/me/reads',
  summary: 'List who has read something about the participant',
  description: 'Refused (403) unless the trial has `showsReads`. Newest first, 30 a page.',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  query: OwnReadsQuery,
  returns: OwnReads,
  prepare: ({ services }) => services.reads.flush(),
  run: ({ db, trial, participant, query: { page = 1, ...days } }) => {
    if (!settingsOf(trial).showsReads) throw refuse.forbidden('readsNotShown')
    const about = { _id: participant._id, since: participant.createdAt }
    const moments = momentsOf(days, participant.timezone ?? trial.timezone ?? 'UTC')
    const rows = readsOf(db, { trial: trial._id, participant: about, scopes: [], ...moments }, pageOf(page))
    return { reads: rows.slice(0, PAGE).map(ownView(db)), page, nextPageAvailable: rows.length > PAGE }
  },
})

/** A read as its participant sees it. */
const ownView = (db: Db) => (row: ReadRow) => ({
  ...row,
  name: row.user === null ? null : (rowById(db, users, row.user)?.name ?? null),
})

export const readOperations = [listReads, listOwnReads] as const
