import type { Option } from './options'

/** How the names of the temporary directories of test servers begin. */
export const TEST_DIRECTORY = 'trialbox-test-'

/** Switches that only `--test` takes. They have no variables: one that is set for a whole machine must not lift its limits. */
export const testOptions: readonly Option[] = [
  { flag: 'no-limits', summary: 'with --test: no rate limits' },
  { flag: 'detached', summary: 'with --test: keep running when the program that started it ends' },
]
