/**
 * Clean-up after the tests of each file. The harness loads this before all files, because a hook in a module that several
 * files share runs for the first of them only.
 */
import { afterAll } from 'bun:test'

const steps: (() => unknown)[] = []
afterAll(async () => {
  for (const step of steps.splice(0).reverse()) await step()
})

/** Runs this after the tests of the current file. */
export const afterFile = (step: () => unknown): void => {
  steps.push(step)
}
