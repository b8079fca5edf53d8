/** The table of the manual about metrics. */
import { migrate, openSqlite } from '#db/open'
import type { HealthReport } from '#http/healthModel'
import { openMetrics } from '#server/metrics/metrics'
import { code, table } from './markdown'

/** A health with a value for each metric. */
const SOME_HEALTH: HealthReport = {
  ...{
    status: 'warning',
    version: '',
    schemaVersion: 1,
    problems: [{ code: 'backup', message: '', isFailing: false }],
  },
  ...{
    now: 1,
    newestEntryAt: 1,
    freeBytes: 1,
    lastBackupAt: 1,
    certificateExpiresAt: 1,
    messagesWaiting: 1,
    failedSignIns: 1,
  },
  ...{ quickCheck: { status: 'ok', at: 1 }, verify: { status: 'ok', at: 1 } },
}

export function metricsTable(): string {
  const sqlite = openSqlite(':memory:')
  migrate(sqlite)
  const metrics = openMetrics(sqlite, ':memory:')
  metrics.request({ method: 'GET', pattern: '/health', status: 200, milliseconds: 1 })
  metrics.message({ channel: 'email', status: 'sent' })
  const text = metrics.text(SOME_HEALTH)
  sqlite.close()
  const rows = [...text.matchAll(/# HELP (\S+) (.*)\n# TYPE \S+ (\S+)\n((?!#).*)?/g)].map(
    ([, name, help, type, line]) => {
      const labels = [...(line ?? '').matchAll(/(\w+)="/g)].map(([, label]) => label!).filter((label) => label !== 'le')
      return [code(name!), type!, (name === 'trialbox_jobs' ? ['status'] : labels).map(code).join(', '), help!]
    },
  )
  return table(['name', 'type', 'labels', 'what it counts'], rows)
}
