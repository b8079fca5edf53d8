/**
 * Starts threads. In the executable all modules are in one folder, that of the entry points: so this file is beside the entry points
 * of the threads.
 */

/** Starts a worker thread. */
export const spawnWorker = (): Worker => new Worker(new URL('./worker.ts', import.meta.url).href)

/** Starts the thread of checkpoints. */
export const spawnCheckpointer = (): Worker => new Worker(new URL('./checkpointer.ts', import.meta.url).href)
