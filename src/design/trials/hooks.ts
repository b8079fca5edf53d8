/** What operations on trials need of the layers above. */
import type { Note } from '#http/operation'
import type { Services } from '#http/services'
import type { Hook } from '#jobs/hook'
import type { Id } from '#kernel/id'
import type { CreationContext, NewTrial } from './creation'

type DemoContext = CreationContext & { record(note: Note): void; after(effect: () => void): void }

/** Adds a trial with a made-up study. */
export const demo: Hook<(context: DemoContext) => NewTrial> = { name: 'demo' }

/** Deletes the participants of a trial whose deletion was accepted. */
export const deletionsToFinish: Hook<(services: Services, trial: Id) => Promise<void>> = { name: 'deletionsToFinish' }
