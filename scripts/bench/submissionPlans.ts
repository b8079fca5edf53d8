/** The plans of submissions: who submits what to which server. */
import { cpuTime, idle } from './accounting'
import type { LoadFigures, Plan } from './load'
import { runToEnd } from './run'
import type { SeededTrial } from './seed'
import type { Server } from './servers'
import { shuffled } from './work'

/** How many requests at a time, or at which rate, and how many. */
export type Pace = Pick<Plan, 'concurrency' | 'requests' | 'rate'>

/** Figures of one phase; `cpu` in µs a request. */
export type PhaseFigures = LoadFigures & { cpu: number }

/** Submissions by a trial's participants in random order. @param occurrence the number of the occurrence, if the stage recurs */
export const submissionsTo = (
  server: Server,
  key: string,
  { trial, stage, people }: Pick<SeededTrial, 'trial' | 'stage' | 'people'>,
  bodies: string[],
  { seed, occurrence }: { seed: number; occurrence?: number },
): Omit<Plan, keyof Pace> => ({
  port: server.port,
  method: 'PUT',
  headers: { Authorization: `Bearer ${key}` },
  bodies,
  paths: shuffled(people, seed).map(
    (_id) =>
      `/trials/${trial}/participants/${_id}/responses/${stage}${occurrence === undefined ? '' : `::${occurrence}`}`,
  ),
})

/** Performs a plan and counts the CPU time of the server, with what it left to later. @throws if one was refused */
export async function performPhase(server: Server, plan: Plan): Promise<PhaseFigures> {
  const before = cpuTime(server.pid)
  const got = await runToEnd<LoadFigures>('load.ts', [], plan)
  if (got.failed || got.unanswered)
    throw new Error(`${got.failed} requests failed, ${got.unanswered} have no answer: ${got.firstFailure}`)
  await idle(server.pid)
  return { ...got, cpu: (cpuTime(server.pid) - before) / plan.requests }
}
