/** The participants' list: pages of 80, and the whole list as CSV. */
import { join } from 'node:path'
import { armsVisibleTo } from '#access/armConcealmentStore'
import { type Access, scopeOf } from '#access/caller'
import { exportParticipants } from '#conduct/participants/listExport/job'
import { exportTask } from '#conduct/participants/listExport/task'
import type { Db } from '#db/open'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { responseWith, startFile } from '#jobs/fileWork'
import type { Id } from '#kernel/id'
import { byQuery, type ValueOf } from '#wire/schema'
import { pageOf } from './listStore'
import { ListQuery, ParticipantCsv, ParticipantPage } from './model'
import { searchOf } from './search'
import type { Search } from './searchStore'
import { participantViews } from './store'

const PAGE = 80

/** One page of the list with the total. */
function page(db: Db, search: Search, number: number, withArms: boolean) {
  const offset = (number - 1) * PAGE
  const { ids, total } = pageOf(db, search, offset, PAGE)
  return {
    participants: participantViews(db, ids, withArms),
    total,
    nextPageAvailable: offset + PAGE < total,
    prevPageAvailable: number > 1 && total > 0,
  }
}

const searchFor = (trial: Id, access: Access, query: ValueOf<typeof ListQuery>) =>
  searchOf(trial, scopeOf(access, ['readParticipants']), query, undefined, armsVisibleTo(access))

const listParticipants = operation({
  id: 'listParticipants',
  method: 'GET',
  path: '/trials/:trialId/participants',
  summary: 'List, search and filter the participants of a trial',
  description:
    '80 participants a page. `format=csv` returns the whole filtered list as `{csv}`, which is logged as an export.',
  scope: trial,
  needs: anywhere('trial.readParticipants'),
  logs: ({ format }) => (format === 'csv' ? 'exportParticipants' : undefined),
  reads: (answer) => ('participants' in answer ? answer.participants.map(({ _id }) => _id) : 'filter'),
  query: ListQuery,
  returns: byQuery('format', ParticipantPage, { csv: ParticipantCsv }),
  streams: true,
  prepare: ({ services, caller, trial, access, query }) =>
    query.format === 'csv'
      ? startFile(services, exportParticipants, exportTask(trial, access, query), caller)
      : Promise.resolve(undefined),
  run: ({ services, db, trial, access, query, prepared, record }) => {
    if (!prepared) return page(db, searchFor(trial._id, access, query), query.page ?? 1, armsVisibleTo(access))
    const { page: _, format, ...filters } = query
    record({ event: { format, filters } })
    return responseWith(join(services.storage.exports, prepared.file), prepared)
  },
})

export const participantListOperations = [listParticipants] as const
