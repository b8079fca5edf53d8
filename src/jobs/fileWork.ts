/** Work in a thread whose result is a file for a caller that waits. A large file may be sent while it is written. */
import type { Staff } from '#access/caller'
import type { JsonObject } from '#kernel/json'
import { Problem } from '#kernel/problem'
import { createGrowth, type Growth, streamGrowing } from '#storage/growingFile'
import { streamAndDelete } from '#storage/temporaryFiles'
import type { JobServices, TaskKind } from './kind'
import { performForRequest } from './perform'

/** What is written of a large file so far, and how many rows it will have. Work reports it from the first bytes on. */
export type WriteProgress = { rows: number; bytes: number }

/** The name of the file in the folder of exports, and its rows. */
export type StartedFile = { file: string; rows: number } & (
  | { bytes: number; growth?: undefined }
  /** A large one is still being written. `whole` resolves to its bytes when it is written, and rejects if that failed. */
  | { growth: Growth; whole: Promise<number> }
)

/**
 * Lets a thread write the file. Resolves when it is written, or when a large one has begun to be.
 * @throws what `performForRequest` throws
 */
export function startFile<I extends JsonObject & { file: string }, R extends JsonObject & WriteProgress>(
  services: Pick<JobServices, 'pool' | 'fault'>,
  kind: TaskKind<I, R>,
  input: I,
  caller: Pick<Staff, 'user'>,
): Promise<StartedFile> {
  const { file } = input
  const fileGrowth = createGrowth()
  let isStarted = false
  return new Promise((resolve, reject) => {
    const result = performForRequest(services, kind, input, caller, (progress: JsonObject) => {
      const { rows, bytes } = progress as WriteProgress
      fileGrowth.setSize(bytes)
      if (!isStarted) resolve({ rows, file, growth: fileGrowth, whole })
      isStarted = true
    })
    const whole = result.then(({ bytes }) => bytes)
    whole.catch(() => {}) // there may be no caller that waits for it
    result.then(
      ({ rows, bytes }) => {
        fileGrowth.setSize(bytes)
        fileGrowth.finish()
        resolve({ rows, bytes, file })
      },
      (reason) => {
        fileGrowth.finish(reason)
        reject(reason)
        // The response has begun: a later failure can only be logged.
        if (isStarted && !(reason instanceof Problem)) services.fault(reason, kind.kind)
      },
    )
  })
}

/** A response whose body is the file. It is deleted when it is sent. @param path of the file */
export const responseWith = (path: string, { growth }: StartedFile): Response =>
  new Response(growth ? streamGrowing(path, growth) : streamAndDelete(path))
