/** Worker threads as performers of tasks. Each opens the database read-only: the main thread is the only writer. */
import type { FromWorker, StartPerformer } from './messages'

/** The error of an uncaught exception on a worker thread. Its text holds the stack of that thread, for the log. */
const uncaughtError = (text: string): Error =>
  Object.assign(
    new Error(`The worker thread stopped: ${text || 'the reason is not known'}`),
    text ? { stack: text } : {},
  )

/** @param spawn starts a worker thread */
export const threads =
  (spawn: () => Worker): StartPerformer =>
  ({ onMessage, onEnd }) => {
    const worker = spawn()
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => onMessage(data)
    worker.onerror = (event) => {
      worker.terminate()
      onEnd(uncaughtError(event.message))
    }
    worker.addEventListener('close', () => onEnd(new Error('The worker thread stopped before the work was done.')))
    return { post: (message) => worker.postMessage(message), end: () => worker.terminate() }
  }
