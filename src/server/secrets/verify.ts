/** Whether the keys of the directory open what is sealed in its database. */
import { drizzleOf, type Sqlite } from '#db/open'
import type { Keys } from '#kernel/keyring'
import { unreadableIn } from './renew'

/**
 * The check for `verify`. Values that no key opens are not damaged: this is the state after a restore without the secrets. The check reports them, since
 * those secrets must be set anew.
 */
export function secretsCheck(keys: Keys) {
  let notes: string[] = []
  return {
    name: 'secrets',
    run(sqlite: Sqlite): string {
      const found = unreadableIn(drizzleOf(sqlite), keys)
      notes = linesOf(found)
      const closed = [...found.unreadable.values()].reduce((sum, count) => sum + count, 0)
      return `${found.all - closed} of ${found.all} values that keys of the server made can be read`
    },
    notes: () => notes,
  }
}

/** A sentence for each column with values that no key opens. */
export const linesOf = ({ unreadable }: Pick<ReturnType<typeof unreadableIn>, 'unreadable'>): string[] =>
  Array.from(
    unreadable,
    ([place, count]) => `${count} values in ${place} cannot be read with the keys of this directory: set them anew`,
  )
