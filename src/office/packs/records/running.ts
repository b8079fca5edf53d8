/**
 * The imports of packs that this process runs. An equal one waits until the first has ended, and is refused then: who sends an import
 * twice, by a double click or because the answer takes long, gets the packs once (docs/packs.md, "Import and export").
 */
import type { Db } from '#db/open'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { nextTurn } from '#writers/stream'

/** @param ended resolves when the request has been performed or refused */
type Running = { trial: Id; packType: Id | undefined; content: string; ended: Promise<void> }

/** By the database of the process: each request has services of its own, for the links that it makes. */
const lists = new WeakMap<Db, Set<Running>>()

function runningIn({ db }: Services): Set<Running> {
  const known = lists.get(db)
  if (known) return known
  const list = new Set<Running>()
  lists.set(db, list)
  return list
}

type Importing = { services: Services; trial: { _id: Id }; body: { packType?: Id; content: string } }

/** Resolves when the transaction of a request has ended that begins right after `prepared`. */
async function endOf(services: Services, prepared: Promise<unknown>): Promise<void> {
  await prepared.catch(() => {})
  await nextTurn()
  // Transactions are performed in their order: this one comes after that of the request.
  await services.commit(() => {}).catch(() => {})
}

/**
 * Prepares an import, unless an equal one runs.
 * @throws what `prepare` throws; 400 when an equal one has ended meanwhile. A request with the same `Idempotency-Key` gets its answer then
 */
export async function prepareOnce<T>(
  { services, trial, body: { packType, content } }: Importing,
  prepare: () => Promise<T>,
): Promise<T> {
  const list = runningIn(services)
  for (const other of list) {
    if (other.trial !== trial._id || other.packType !== packType || other.content !== content) continue
    await other.ended
    throw refuse.bad(
      'The same import was running already, so this one was not performed. See in the list of packs how it ended.',
    )
  }
  const prepared = prepare()
  const own = { trial: trial._id, packType, content, ended: endOf(services, prepared) }
  list.add(own)
  const end = () => void list.delete(own)
  void own.ended.then(end)
  // Who corrects nothing and sends it again at once is told again what is wrong.
  prepared.catch(end)
  return prepared
}
