/** Work in a thread whose result is a file for a caller that waits. A large file may be sent while it is written. */
import type { Staff } from '#access/caller'
import type { JsonObject } from '#kernel/json'
import { Problem } from '#kernel/problem'
import { type Growth, growth, streamGrowing } from '#storage/growingFile'
import { streamAndDelete } from '#storage/temporaryFiles'
import type { JobServices, WorkerKind } from './kind'
import { performForRequest } from './perform'

/** What is written of a large file so far, and how many rows it will have. Work reports it from the first bytes on. */
export type Written = { rows: number; bytes: number }

/** The name of the file in the folder of exports, and its rows. */
export type BegunFile = { file: string; rows: number } & (
  | { bytes: number; growth?: undefined }
  /** A large one is still being written. `whole` resolves to its bytes when it is written, and rejects if that failed. */
  | { growth: Growth; whole: Promise<number> }
)

/**
 * Lets a thread write the file. Resolves when it is written, or when a large one has begun to be.
 * @throws what `performForRequest` throws
 */
export function beginFile<I extends JsonObject & { file: string }, R extends JsonObject & Written>(
  services: Pick<JobServices, 'pool' | 'fault'>,
  kind: WorkerKind<I, R>,
  input: I,
  caller: Pick<Staff, 'user'>,
): Promise<BegunFile> {
  const { file } = input
  const grows = growth()
  let isBegun = false
  return new Promise((resolve, reject) => {
    const result = performForRequest(services, kind, input, caller, (so: JsonObject) => {
      const { rows, bytes } = so as Written
      grows.grew(bytes)
      if (!isBegun) resolve({ rows, file, growth: grows, whole })
      isBegun = true
    })
    const whole = result.then(({ bytes }) => bytes)
    whole.catch(() => {}) // nobody may wait for it
    result.then(
      ({ rows, bytes }) => {
        grows.grew(bytes)
        grows.ended()
        resolve({ rows, bytes, file })
      },
      (reason) => {
        grows.ended(reason)
        reject(reason)
        // The response has begun: what becomes of it is not answered any more, only logged.
        if (isBegun && !(reason instanceof Problem)) services.fault(reason, kind.kind)
      },
    )
  })
}

/** A response whose body is the file. It is deleted when it is sent. @param path of the file */
export const responseWith = (path: string, { growth }: BegunFile): Response =>
  new Response(growth ? streamGrowing(path, growth) : streamAndDelete(path))
