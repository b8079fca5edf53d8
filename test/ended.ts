/**
 * What is undone after the tests of each file. The harness loads this before them all: a hook in a module that several files
 * share runs for the first of them only.
 */
import { afterAll } from 'bun:test'

const steps: (() => unknown)[] = []
afterAll(async () => {
  for (const step of steps.splice(0).reverse()) await step()
})

/** Does this once the tests of the running file are over. */
export const afterFile = (step: () => unknown): void => {
  steps.push(step)
}
