/**
 * Writes the packs of a csv in many short transactions, so that other requests hardly wait. Nobody sees one of them until the
 * last transaction shows them all; what an import leaves that fails or is interrupted is deleted in the background.
 */
import { trialById } from '#design/trials/store'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { MINUTE } from '#kernel/time'
import { type ChangeContext, type CheckedPack, insertPacks, requireUsable } from '#office/packs/change'
import { fieldsAfter, typeIn } from '#office/packs/fields'
import { keepImport, showImport } from '#office/packs/store'
import { nextTurn } from '#writers/stream'
import { packReader } from './import'
import type { Csv } from './readCsv'

/** Rows that are checked at a time, and packs in a transaction: some milliseconds of work. */
const ROWS = 200
const PACKS = 50

/** An import whose next transaction does not come within this time is given up. */
const PATIENCE = 10 * MINUTE

type ImportContext = ChangeContext & { services: Services; body: { packType?: Id } }

/** Parts of a list, each in a turn of its own. */
async function* inTurns<T>(all: readonly T[], size: number): AsyncGenerator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) {
    await nextTurn()
    yield all.slice(from, from + size)
  }
}

/** The one type of all packs, if the request names it. */
const singleType = ({ db, trial, access, body }: ImportContext) =>
  body.packType === undefined ? undefined : typeIn(db, trial._id, body.packType, access)

/** The packs of a csv. @throws 422 with the line and column of each problem; 400, 403 or 404 for places and groups */
async function checkedPacks(context: ImportContext, { headers, rows }: Csv): Promise<CheckedPack[]> {
  const reader = packReader(context, singleType(context), headers)
  const packs: CheckedPack[] = []
  for await (const some of inTurns(rows, ROWS)) {
    for (const row of some) {
      const found = reader.read(row)
      if (!found) continue
      const { fields, problems } = fieldsAfter(found.type, found.pack)
      for (const { path, problem } of problems) reader.add(row.line, `, ${path.join('.')}: ${problem}`)
      packs.push({ type: found.type, sent: found.pack, fields })
    }
  }
  if (!rows.length) reader.add(1, ': There is no row besides the headers.')
  reader.refuseAny()
  requireUsable(
    context,
    packs.map(({ sent }) => sent),
  )
  return packs
}

/** @throws 404 if the trial was deleted since the packs were checked; 400 if their types were changed, or sites or groups deleted */
function requireUnchanged(context: ImportContext, packs: readonly CheckedPack[]): void {
  const { db, trial, access } = context
  found(trialById(db, trial._id), 'trial')
  for (const type of new Set(packs.map((pack) => pack.type))) {
    const now = typeIn(db, trial._id, type._id, access)
    if (JSON.stringify(now) !== JSON.stringify(type))
      throw refuse.bad(
        `The pack type “${type.name}” was changed during the import. Nothing was imported: send it again.`,
      )
  }
  requireUsable(
    context,
    packs.map(({ sent }) => sent),
  )
}

/** Packs that are written and not shown yet. */
export type Written = { importId: Id; packs: readonly CheckedPack[]; first: Id | undefined; last: Id | undefined }

/** Checks all packs of a csv, and writes them. @throws as `checkedPacks` does, before it writes anything */
export async function writePacks(context: ImportContext, csv: Csv): Promise<Written> {
  const { services, trial } = context
  const packs = await checkedPacks(context, csv)
  const importId = context.id()
  let [first, last]: (Id | undefined)[] = []
  try {
    for await (const some of inTurns(packs, PACKS)) {
      const written = await services.commit(() => {
        requireUnchanged(context, some)
        keepImport(context.db, importId, trial._id, services.clock.now() + PATIENCE)
        return insertPacks(context, some, importId).map(({ _id }) => _id)
      })
      first ??= written[0]
      last = written.at(-1)
    }
  } catch (reason) {
    await services.commit(() => keepImport(context.db, importId, trial._id, 0)).catch(() => {})
    throw reason
  }
  return { importId, packs, first, last }
}

/** Shows the packs, in the transaction of the request. @throws 400 if what they were checked against has changed meanwhile */
export function showPacks(context: ImportContext, { importId, packs }: Written): void {
  requireUnchanged(context, packs)
  if (!showImport(context.db, importId, context.services.clock.now()))
    throw refuse.bad('The import took too long. Nothing was imported: send it again.')
}
