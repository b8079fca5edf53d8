import { bodyFieldsOf } from '#http/bodyFields'
import type { OfferedOperation } from '#http/offeredOperation'
import type { AnyOperation } from '#http/operation'
import { loadTimelines } from '#server/timelines'

/** Offers operations of a test. As for those of a server, what every write needs is loaded before the first one. */
export const offerOperations = (operations: readonly AnyOperation[]): OfferedOperation[] =>
  operations.map((op) => ({
    method: op.method,
    path: op.path,
    load: async () => {
      await loadTimelines()
      return { op, fields: bodyFieldsOf(op, operations) }
    },
  }))
