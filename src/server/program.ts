/** What a server is given by the program that starts it (src/start/program.ts): what is above it, and how its threads are started. */
import type { OfferedOperation } from '#http/offeredOperation'
import type { AnyOperation } from '#http/operation'
import type { Services } from '#http/services'
import type { JobKinds } from '#jobs/kind'
import type { SpawnProcess } from '#jobs/process'

export type Program = {
  /** The operations of a server, each loaded when it is first needed. @param isTest whether it is a test server, which has some more */
  offeredOperations(isTest: boolean): readonly OfferedOperation[]
  /** Loads all operations of a server that is no test server. */
  allOperations(): Promise<readonly AnyOperation[]>
  jobKinds: JobKinds
  loadHook: Services['load']
  spawnWorker(): Worker
  spawnCheckpointer(): Worker
  spawnProcess: SpawnProcess
}
