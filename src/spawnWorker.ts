/**
 * Starts a worker thread. In the executable every module lies in one folder, at the place of the entry points: so this
 * file and the worker's entry point both stand at the root of the sources.
 */
export const spawnWorker = (): Worker => new Worker(new URL('./worker.ts', import.meta.url).href)
