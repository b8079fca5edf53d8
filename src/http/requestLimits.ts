/** Limits of requests, and of failed attempts at secrets (docs/contract.md, "Limits"). */
import { networkOf } from '#kernel/address'
import { Problem } from '#kernel/problem'
import type { Call } from './call'
import type { RequestContext } from './operation'

/** Who made the request, for limits and repeated writes: the account, or the network of a caller who is not signed in. */
export const accountOf = ({ caller, client }: RequestContext): string =>
  caller.kind === 'staff'
    ? caller.user._id
    : caller.kind === 'participant'
      ? caller.participant
      : networkOf(client.address)

const failuresOf = ({ plan, context }: Call): string => `failures of ${plan.name} ${networkOf(context.client.address)}`

/** Refuses (429) a caller whose address has used up its failures of this minute. */
export function requireFailuresLeft(call: Call): void {
  const { services, op } = call.plan
  if (op.failures !== undefined) services.limits.requireBelowLimit(failuresOf(call), op.failures, call.context.now)
}

/** Counts the request against its limit; 429 over it. Before the checks, so that invalid requests count too. */
export function countRequest(call: Call): void {
  const { plan, context } = call
  const { services, op, name, who } = plan
  requireFailuresLeft(call)
  const limit = op.limit ?? services.rateLimit
  if (limit === undefined) return
  // If anyone may call it, an account must not raise the limit of its address.
  const account = who.includes('anyone') ? networkOf(context.client.address) : accountOf(context)
  services.limits.count(op.limit === undefined ? account : `${name} ${account}`, limit, context.now)
}

/** If the request has a secret of an account, waits until it may be compared; 429 after too many failures. */
export async function beginAttempt(call: Call): Promise<void> {
  const { plan, context, body } = call
  const account = plan.op.attempts?.({ ...context, body })
  if (account === undefined) return
  const named = typeof account === 'string' ? { account } : account
  const attempt = { ...named, address: context.client.address }
  await plan.services.attempts.begin(attempt, context.now)
  call.attempt = attempt
}

/** Counts and records a failure if the request was refused because its secret is wrong. */
export async function countFailure(call: Call, reason: unknown): Promise<void> {
  if (!(reason instanceof Problem && reason.isWrongSecret)) return
  const { services, op, name } = call.plan
  const { attempt, context, body } = call
  const { now } = context
  if (op.failures !== undefined) services.limits.addOne(failuresOf(call), now)
  if (!attempt) return
  await services
    .commit(() => {
      services.attempts.fail(attempt, now)
      op.recordFailure?.({ ...context, body })
    })
    .catch((fault) => services.fault(fault, `${name}, failed attempt`))
}
