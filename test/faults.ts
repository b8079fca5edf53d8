/** Faults that the service reports during a test. A test fails unless it expects them. */

/** A fault that a service reported while a test ran: its place, and the reason. */
export type Fault = [about: string, reason: unknown]

const described = ([about, reason]: Fault) =>
  `${about}: ${reason instanceof Error ? (reason.stack ?? reason.message) : Bun.inspect(reason)}`

/**
 * Refuses faults that no test has taken. The harness does this after each test.
 * @throws an error that describes all of them
 */
export function requireNoFaults(faults: readonly Fault[]): void {
  if (!faults.length) return
  throw new Error(
    `The service reported faults that the test does not expect (one that does takes them with \`takeFaults\`):\n${faults.map(described).join('\n')}`,
  )
}
