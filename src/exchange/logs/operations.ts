import { team } from '#accounts/teams/scope'
import type { Db } from '#db/open'
import { trial } from '#design/trials/scope'
import { anywhere, type Note, operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { byQuery, type ValueOf } from '#wire/schema'
import { logCsv } from './csv'
import { momentsOf } from './days'
import { LogCsv, LogPage, LogQuery, TeamLogQuery } from './model'
import { changedIn, pageOf, pagesBefore, teamEntries, visibleEntries, visiblePageOf } from './pages'
import type { Entry, LogRow } from './rules'
import { entriesBefore, type LogFilter, visibleTo } from './store'

const readLogs = operation({
  id: 'readLogs',
  method: 'GET',
  path: '/trials/:trialId/logs',
  summary: 'Read the event log of a trial',
  description: 'Newest first, 30 entries a page; with `format=csv` every matching entry, which is an export.',
  scope: trial,
  needs: anywhere('trial.readLogs'),
  logs: ({ format }) => (format === 'csv' ? 'exportLogs' : undefined),
  reads: 'filter',
  query: LogQuery,
  returns: byQuery('format', LogPage, { csv: LogCsv }),
  streams: true,
  run: ({ db, trial, access, query, record }) => {
    const { userType = 'user', type, participant, user, dataType, from, to } = query
    if (dataType !== undefined && participant === undefined)
      throw refuse.invalid({ dataType: [reason('participantToo')] }, 'query')
    const filter = {
      ...{ chain: trial._id, userType, type: type ?? (dataType && 'submitResponse'), visible: visibleTo(access) },
      ...{ participant, user, dataType, ...momentsOf({ from, to }, trial.timezone ?? 'UTC') },
    }
    const shown = (rows: readonly LogRow[]) => visibleEntries(db, trial, access, rows)
    return logAnswer(
      db,
      filter,
      query,
      dataType === undefined ? shown : (rows) => changedIn(dataType, shown(rows)),
      record,
    )
  },
})

const readTeamLogs = operation({
  id: 'readTeamLogs',
  method: 'GET',
  path: '/teams/:teamId/logs',
  summary: 'Read the log of a team',
  description:
    'Sign-ins of its members, failed ones, keys, invitations, new passwords, confirmations, and what changed in the team. Newest ' +
    'first, 30 entries a page; with `format=csv` every matching entry.',
  scope: team,
  needs: 'team.admin',
  logs: ({ format }) => (format === 'csv' ? 'exportLogs' : undefined),
  query: TeamLogQuery,
  returns: byQuery('format', LogPage, { csv: LogCsv }),
  streams: true,
  run: ({ db, team, query, record }) => {
    const { userType, type } = query
    const filter = { chain: team._id, ...(userType && { userType }), ...(type && { type }) }
    return logAnswer(db, filter, query, teamEntries, record)
  },
})

/** A page of a log, or all of it as csv, which is recorded. */
function logAnswer(
  db: Db,
  filter: LogFilter,
  query: ValueOf<typeof TeamLogQuery>,
  shown: (rows: readonly LogRow[]) => Entry[],
  record: (note: Note) => void,
) {
  const { page = 1, format, limit = Number.MAX_SAFE_INTEGER } = query
  if (format === 'csv') {
    const { page: _, format: __, limit: ___, ...given } = query
    const { userType } = filter
    record({ event: { format, ...given, ...(userType && { userType }) } })
    // The current end of the log: entries that are written while the response is sent are not part of it.
    const [newest] = entriesBefore(db, filter, Number.MAX_SAFE_INTEGER, 1)
    return logCsv(pagesBefore(db, filter, { before: (newest?.number ?? 0) + 1, limit, shown }))
  }
  if (filter.dataType !== undefined) return { ...visiblePageOf(db, filter, page, shown), page }
  const { rows, ...rest } = pageOf(db, filter, page)
  return { entries: shown(rows), page, ...rest }
}

export const logOperations = [readLogs, readTeamLogs] as const
