import type { Caller } from '#access/caller'
import { projector } from '#wire/project'
import { Health } from './healthModel'
import { operation } from './operation'

const project = projector(Health)

/** Whether the caller is an admin of a team on this server. */
const isTeamAdmin = (caller: Caller): boolean =>
  caller.kind === 'staff' && [...caller.teams.values()].some(({ permissions }) => permissions.has('team.admin'))

const health = operation({
  id: 'readHealth',
  method: 'GET',
  path: '/health',
  summary: 'Check that the service works',
  description:
    'The status is 503 if it does not: a full disk, a folder that cannot be written, a clock that is behind, a damaged file. Every ' +
    'caller gets `status`. This machine, clients with the token of the metrics, and accounts with `team.admin` get the details, too.',
  who: 'anyone',
  needs: 'nothing',
  returns: Health,
  streams: true,
  run: ({ services, caller, isMonitor }) => {
    const exact = services.health()
    const { status } = exact
    const isTold = isMonitor || isTeamAdmin(caller)
    // An admin of one team would learn from exact sizes how much others write: the metrics have them.
    const report = { ...exact, freeBytes: exact.freeBytes && 2 ** Math.floor(Math.log2(exact.freeBytes)) }
    if (status !== 'failing') return isTold ? report : { status }
    if (!isTold) return Response.json({ message: 'The service is failing.', status }, { status: 503 })
    const message = report.problems.find(({ isFailing }) => isFailing)?.message
    return Response.json({ message, ...(project(report, { personal: () => false }) as object) }, { status: 503 })
  },
})

export const healthOperations = [health] as const
