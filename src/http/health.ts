import { projector } from '#wire/project'
import { Health } from './healthModel'
import { operation } from './operation'

const project = projector(Health)

const health = operation({
  id: 'readHealth',
  method: 'GET',
  path: '/health',
  summary: 'Check that the service works',
  description:
    'The status is 503 if it does not: a full disk, a folder that cannot be written, a clock that is behind, a damaged file.',
  who: 'anyone',
  needs: 'nothing',
  returns: Health,
  streams: true,
  run: ({ services }) => {
    const exact = services.health()
    // Anybody reads this, and exact sizes would tell how much others write: the metrics have them.
    const report = { ...exact, freeBytes: exact.freeBytes && 2 ** Math.floor(Math.log2(exact.freeBytes)) }
    if (report.status !== 'failing') return report
    const message = report.problems.find(({ isFailing }) => isFailing)?.message
    return Response.json({ message, ...(project(report, { personal: () => false }) as object) }, { status: 503 })
  },
})

export const healthOperations = [health] as const
