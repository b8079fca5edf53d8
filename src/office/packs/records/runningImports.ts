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
type RunningImport = { trial: Id; packType: Id | undefined; content: string; ended: Promise<void> }

/** By the database of the process: each request has services of its own, for the links that it makes. */
const importsByDatabase = new WeakMap<Db, Set<RunningImport>>()

function runningImports({ db }: Services): Set<RunningImport> {
  const known = importsByDatabase.get(db)
  if (known) return known
  const list = new Set<RunningImport>()
  importsByDatabase.set(db, list)
  return list
}

type ImportRequest = { services: Services; trial: { _id: Id }; body: { packType?: Id; content: string } }

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
  { services, trial, body: { packType, content } }: ImportRequest,
  prepare: () => Promise<T>,
): Promise<T> {
  const list = runningImports(services)
  for (const other of list) {
    if (other.trial !== trial._id || other.packType !== packType || other.content !== content) continue
    await other.ended
    throw refuse.bad('packImportRunning')
  }
  const prepared = prepare()
  const own = { trial: trial._id, packType, content, ended: endOf(services, prepared) }
  list.add(own)
  const end = () => void list.delete(own)
  void own.ended.then(end)
  // If the same faulty import is sent again at once, its problems are returned again.
  prepared.catch(end)
  return prepared
}
