/** Creates the demo study for tests. */
import type { Id } from '#kernel/id'
import type { World } from '../../harness'
import { until } from '../../until'

export const PEOPLE = 40

export const url = (team: Id) => `/teams/${team}/trials?creationType=demo` as const

/** Requests a demo trial and waits until it has all its participants. */
export async function demo(here: World) {
  const made = await here.owner.do('createTrial', here.team, {}, { creationType: 'demo' })
  return { made, trial: await filled(here, made._id) }
}

/** Waits until the demo trial has all its participants, and returns it. */
export async function filled(here: World, trial: Id) {
  const read = () => here.owner.do('readTrial', trial)
  await until(async () => (await read()).participantCount === PEOPLE)
  return read()
}

export const participantsOf = async (here: World, trial: Id, filter = '') =>
  (await here.owner.get<'listParticipants'>(`/trials/${trial}/participants?includeArchived=true${filter}`)).participants

/** Counts the demo trials to which the service has stopped adding participants before all were there. */
export function stoppedIn({ service: { services } }: World): () => number {
  const { commit } = services
  let count = 0
  services.commit = async <T>(run: () => T extends PromiseLike<unknown> ? never : T): Promise<T> => {
    const value = await commit<T>(run)
    if (value === false) count++
    return value
  }
  return () => count
}
