/** How long requests in progress may take to finish. */
const PATIENCE_MS = 20_000

/**
 * Calls `run` once on the first SIGTERM or SIGINT and exits with 0 when it is done (docs/decisions.md, "The process"). A
 * second signal, a `run` that fails or one that takes longer than 20 seconds makes it exit with 1: an answered request is on
 * disk in any case.
 * @returns the function that stops as a first signal does, and does nothing if it stops already
 * @param report called with the reason of an early exit; the text contains nothing that a user entered
 */
export function onStop(
  run: () => Promise<void> | void,
  report: (reason: string) => void,
  timeout = PATIENCE_MS,
): () => void {
  let isStopping = false
  const stop = async (): Promise<void> => {
    if (isStopping) {
      report('stopped at once by a second signal')
      process.exit(1)
    }
    isStopping = true
    setTimeout(() => {
      report(`stopped although requests were unfinished after ${timeout / 1000} s`)
      process.exit(1)
    }, timeout).unref()
    try {
      await run()
    } catch (error) {
      report(`stopping failed (${error instanceof Error ? error.constructor.name : typeof error})`)
      process.exit(1)
    }
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  return () => void (isStopping || stop())
}
