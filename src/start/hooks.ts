/** What operations need of a layer above their own. Each is loaded when an operation first asks for it. */
import { responseToPrint } from '#design/stages/files/hook'
import { deletionsToFinish, demo } from '#design/trials/hooks'
import type { Hook } from '#jobs/hook'

type HookEntry = readonly [name: string, load: () => Promise<unknown>]

/** The compiler checks that the function is of the type that the hook asks for. */
const offer = <F>({ name }: Hook<F>, load: () => Promise<F>): HookEntry => [name, load]

export const hooks: ReadonlyMap<string, () => Promise<unknown>> = new Map([
  offer(demo, async () => (await import('#exchange/demo/start')).startDemo),
  offer(deletionsToFinish, async () => (await import('#conduct/participants/deletionSteps')).finishDeletions),
  offer(responseToPrint, async () => (await import('#conduct/responses/scope')).responseVisibleTo),
])
