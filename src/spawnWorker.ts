/**
 * Starts a worker thread. In the executable all modules are in one folder, that of the entry points: so this file and the
 * worker's entry point are both at the root of the sources.
 */
export const spawnWorker = (): Worker => new Worker(new URL('./worker.ts', import.meta.url).href)
