import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { byQuery } from '#wire/words'
import { csvAnswer } from './csv'
import { LogCsv, LogPage, LogQuery } from './model'
import { pageOf, pagesBefore, visibleEntries } from './pages'
import { entriesBefore, visibleTo } from './store'

const readLogs = operation({
  id: 'readLogs',
  method: 'GET',
  path: '/trials/:trialId/logs',
  summary: 'Read the event log of a trial',
  description: 'Newest first, 30 entries a page; with `format=csv` every matching entry, which is an export.',
  scope: trial,
  needs: anywhere('trial.readLogs'),
  logs: ({ format }) => (format === 'csv' ? 'exportLogs' : undefined),
  query: LogQuery,
  returns: byQuery('format', LogPage, { csv: LogCsv }),
  streams: true,
  run: ({ db, trial, access, query, record }) => {
    const { userType = 'user', type, page = 1, format, limit = Number.MAX_SAFE_INTEGER } = query
    const visible = visibleTo(access)
    const filter = { trial: trial._id, userType, ...(type && { type }), ...(visible && { visible }) }
    if (format === 'csv') {
      record({ event: { format, userType, ...(type && { type }) } })
      // The current end of the log: entries that are written while the response is sent are not part of it.
      const [newest] = entriesBefore(db, filter, Number.MAX_SAFE_INTEGER, 1)
      return csvAnswer(pagesBefore(db, trial, access, filter, (newest?.number ?? 0) + 1, limit))
    }
    const { rows, ...rest } = pageOf(db, filter, page)
    return { entries: visibleEntries(db, trial, access, rows), page, ...rest }
  },
})

export const logOperations = [readLogs] as const
