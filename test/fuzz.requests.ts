/** Random requests of every operation, made from its own models; and their sending. */
import { availableParallelism, loadavg } from 'node:os'
import type { AnyOperation } from '#http/operation'
import { operations } from '#start/app'
import { nameOf, whoMay } from './every-operation.shared'
import type { FuzzStudy } from './fuzz.study'

/** A request as it can be printed, made simpler and sent again. */
export type FuzzRequest = {
  caller: string
  operation: string
  method: string
  path: string
  query: Record<string, string>
  /** A body as a value; `raw` is sent instead if there is one. */
  body?: unknown
  raw?: string
  headers: Record<string, string>
}

/** What is wrong with how a request was answered; undefined if nothing is. `status` is 0 if there was no answer. */
export type Outcome = { status: number; wrong?: string }

/** A request that takes longer hangs. Beside all other tests, one may wait for long; a series of its own has the machine to itself. */
const LIMIT_MS = process.env.TRIALBOX_FUZZ_REQUESTS ? 2_000 : 60_000

/** What leaves little to be found: called last in a world. */
const endings = new Set(['DELETE /trials/:trialId', 'DELETE /stages', 'DELETE /trials/:trialId/participants'])
/** Starts processes and makes whole trials. */
const large = new Set(['POST /teams/:teamId/trials'])

/** How often an operation is called, in proportion to the others. */
const weightOf = (op: AnyOperation, isEnd: boolean): number => {
  if (endings.has(nameOf(op))) return isEnd ? 8 : 0
  if (large.has(nameOf(op)) || op.method === 'DELETE') return 2
  return op.body ? 8 : 4
}
const listed = (isEnd: boolean) =>
  operations.flatMap((op) => Array.from({ length: weightOf(op, isEnd) }, (): AnyOperation => op))
const weighted = listed(false)
const weightedAtEnd = listed(true)

export function fuzzRequests(study: FuzzStudy) {
  const { random, known, mutate, randomValue, callers, bodies, params } = study
  const { chance, pick, whole } = random
  /** Operations that have not succeeded in this world: they are called more often. */
  const waiting = new Set<AnyOperation>(operations)
  function pickOperation(isEnd: boolean): AnyOperation {
    const all = isEnd ? weightedAtEnd : weighted
    return chance(0.2) ? pick(all.filter((op) => waiting.has(op))) : pick(all)
  }
  function callerOf(op: AnyOperation): string {
    if (chance(0.3)) return pick(Object.keys(callers.named))
    const kinds = whoMay(op)
    if (kinds.includes('participant') && (kinds.length === 1 || chance(0.5))) return 'participant'
    return kinds.includes('session') || chance(0.3) ? 'owner in the web app' : 'owner'
  }
  const pathOf = (op: AnyOperation, isOdd: boolean) =>
    op.path.replace(/:(\w+)/g, (_, name: string) => {
      if (isOdd && chance(0.3)) return mutate.pathText()
      const exact = params[`${op.path.split('/')[1]}/${name}`] ?? params[name]
      if (exact !== undefined && (name === 'token' || name === 'number' || chance(0.4))) return exact
      const id = known.idFor(name)
      return name === 'stageId' && op.path.includes('esponses') && chance(0.3) ? `${id}::${whole(0, 3)}` : id
    })
  function queryOf(op: AnyOperation, isOdd: boolean): Record<string, string> {
    const query: Record<string, string> = {}
    for (const [name, schema] of Object.entries(op.query?.properties ?? {})) {
      if (!op.query?.required?.includes(name) && !chance(0.3)) continue
      query[name] = isOdd && chance(0.4) ? mutate.queryText() : encodeURIComponent(`${randomValue(name, schema)}`)
    }
    if (isOdd && chance(0.1)) query[pick(['thereIsNone', '__proto__', '%ff'])] = mutate.queryText()
    return query
  }

  /** Half of them valid; in the others one place is changed, or a few. @param isEnd whether few more come */
  function make(isEnd: boolean): FuzzRequest {
    const op = pickOperation(isEnd)
    const isOdd = chance(0.5)
    const request: FuzzRequest = {
      caller: callerOf(op),
      operation: nameOf(op),
      method: op.method,
      path: pathOf(op, isOdd && chance(0.3)),
      query: queryOf(op, isOdd),
      headers: op.method !== 'GET' && chance(0.1) ? { 'Idempotency-Key': `key ${whole(0, 5)}` } : {},
    }
    if (!op.body) return request
    const base = chance(0.4) ? bodies[nameOf(op)] : undefined
    const made = randomValue('', op.body)
    const body = structuredClone(base ? (chance(0.5) ? { ...Object(made), ...Object(base) } : base) : made)
    for (let changes = isOdd ? pick([1, 1, 1, 2, 5]) : 0; changes > 0; changes--) mutate.mutateBody(body)
    if (isOdd && chance(0.05)) return { ...request, raw: mutate.rawBody() }
    return { ...request, body }
  }

  /** Sends a request. Wrong are: 5xx, an answer that its model does not say, and reported faults. */
  async function sendOnce({
    caller,
    operation,
    method,
    path,
    query,
    body,
    raw,
    headers,
  }: FuzzRequest): Promise<Outcome> {
    const text = Object.entries(query)
      .map(([name, value]) => `${name}=${value}`)
      .join('&')
    let status = 0
    let wrong: string | undefined
    try {
      const options = { headers, ...(raw === undefined ? {} : { raw }) }
      const answer = await callers.named[caller]!.call(method, text ? `${path}?${text}` : path, body, options)
      status = answer.status
      if (status >= 500) wrong = `answered ${status}`
      if (status === 200) {
        study.learn(answer.body)
        waiting.delete(operations.find((op) => nameOf(op) === operation)!)
      }
    } catch (error) {
      wrong = (error as Error).message
    }
    const [fault] = study.takeFaults()
    if (fault) wrong = `${wrong ?? `answered ${status}`}: ${(fault[1] as Error)?.stack ?? fault[1]}`
    return { status, ...(wrong === undefined ? {} : { wrong }) }
  }

  /**
   * Sends a request. No answer within the limit is wrong, too, if the process computed for as long, or if the same request is as slow
   * again: otherwise it waited for the disk, other programs of the machine, or the first start of a worker.
   */
  async function send(request: FuzzRequest): Promise<Outcome> {
    const [started, before] = [performance.now(), process.cpuUsage()]
    const outcome = await sendOnce(request)
    const elapsed = performance.now() - started
    const { user, system } = process.cpuUsage(before)
    if (elapsed <= LIMIT_MS || outcome.wrong !== undefined) return outcome
    if (user + system < LIMIT_MS * 1000) {
      const again = performance.now()
      await sendOnce(request)
      // While several programs share a core, each takes as many times as long.
      const share = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
      if (performance.now() - again <= LIMIT_MS * share) return outcome
    }
    return { ...outcome, wrong: `took ${Math.round(elapsed)} ms` }
  }

  return { make, send }
}
