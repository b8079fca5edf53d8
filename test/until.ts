/** Waiting for what happens after an answer, or elsewhere. */

const LIMIT_MS = 150_000

/**
 * Waits for a condition that becomes true soon, such as that the server has detected a broken connection. On a busy machine that takes
 * seconds, so the limit is just below that of a test.
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + LIMIT_MS; performance.now() < end; await Bun.sleep(2)) if (await holds()) return
  throw new Error('The condition never became true.')
}
