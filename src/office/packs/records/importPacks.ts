/**
 * Writes the packs of a csv in many short transactions, so that other requests hardly wait. The packs are hidden until the
 * last transaction shows them all; what an import leaves that fails or is interrupted is deleted in the background.
 */
import type { Staff } from '#access/caller'
import { trialById } from '#design/trials/store'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { MINUTE } from '#kernel/time'
import { type ChangeContext, insertPacks, requireUsable } from '#office/packs/change'
import { requirePackType } from '#office/packs/fields'
import { extendImport, publishImport } from '#office/packs/store'
import { nextTurn } from '#writers/stream'
import { type CheckedPacks, packChecker, packsIn, type Requirements } from './packChecker'
import { readCsv } from './readCsv'

/** An import whose next transaction does not come within this time is given up. */
const PATIENCE = 10 * MINUTE

type ImportContext = ChangeContext & { services: Services; caller: Staff; body: { packType?: Id; content: string } }

/** @throws 404 if the trial was deleted since the packs were checked; 400 if their types were changed, or sites or groups deleted */
function requireUnchanged(context: ImportContext, { types, uses }: Requirements): void {
  const { db, trial, access } = context
  found(trialById(db, trial._id), 'trial')
  for (const type of types) {
    const now = requirePackType(db, trial._id, type._id, access)
    if (JSON.stringify(now) !== JSON.stringify(type)) throw refuse.bad('packTypeChanged', { type: type.name })
  }
  requireUsable(context, [...uses])
}

/** Packs that are written and not shown yet. */
export type WrittenPacks = { importId: Id; packs: CheckedPacks; first: Id | undefined; last: Id | undefined }

/**
 * Checks all packs of the csv in the body, and writes them.
 * @throws before it writes anything: 422 with the line and column of each problem; 400, 403 or 404 for places and groups
 */
export async function writePacks(context: ImportContext): Promise<WrittenPacks> {
  const { services, trial } = context
  const checker = packChecker(context)
  await readCsv(context, checker.take)
  const packs = checker.end()
  const importId = context.id()
  let [first, last]: (Id | undefined)[] = []
  try {
    for (const chunk of packs.chunks) {
      await nextTurn()
      const written = await services.commit(() => {
        requireUnchanged(context, chunk)
        extendImport(context.db, importId, trial._id, services.clock.now() + PATIENCE)
        return insertPacks(context, packsIn(chunk), importId).map(({ _id }) => _id)
      })
      first ??= written[0]
      last = written.at(-1)
    }
  } catch (reason) {
    await services.commit(() => extendImport(context.db, importId, trial._id, 0)).catch(() => {})
    throw reason
  }
  return { importId, packs, first, last }
}

/** Shows the packs, in the transaction of the request. @throws 400 if what they were checked against has changed meanwhile */
export function publishPacks(context: ImportContext, { importId, packs }: WrittenPacks): void {
  requireUnchanged(context, packs)
  if (!publishImport(context.db, importId, context.services.clock.now())) throw refuse.bad('packImportTooLong')
}
