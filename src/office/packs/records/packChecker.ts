/** Checks the packs of a csv as its rows arrive, and keeps them in a form that costs little memory until they are written. */

import type { Id } from '#kernel/id'
import { reason } from '#kernel/refusals/reason'
import type { Instant } from '#kernel/time'
import { type ChangeContext, type CheckedPack, type NewPack, requireUsable } from '#office/packs/change'
import { applyFields, requirePackType } from '#office/packs/fields'
import type { PackTypeRow } from '#office/packs/types/store'
import { packReader } from './packReader'
import type { CsvPart } from './task'

/** What packs need of the trial: their types, and the places and groups that they name. */
export type Requirements = { types: ReadonlySet<PackTypeRow>; uses: ReadonlySet<NewPack> }

/** Packs of one transaction, as JSON: as objects, 50,000 of them would make each garbage collection hold the requests of others. */
export type Chunk = Requirements & { packs: string }

/** All packs of a csv, after they were checked. */
export type CheckedPacks = Requirements & { chunks: readonly Chunk[]; count: number }

/** Packs in a transaction: some milliseconds of work. */
const PACKS = 50

type CheckContext = ChangeContext & { body: { packType?: Id } }

/** What is stored of a pack. */
type StoredPack = { type: Id; sent: Pick<NewPack, 'assignedToSite' | 'receivedAt'>; fields: CheckedPack['fields'] }

/** The packs of a chunk. */
export function packsIn({ packs, types }: Chunk): CheckedPack[] {
  const byId = new Map([...types].map((type) => [type._id, type]))
  const kept: StoredPack[] = JSON.parse(packs)
  return kept.map(({ type, ...pack }) => ({ type: byId.get(type)!, ...pack }))
}

/** Collects packs in chunks, and what they need. */
function packCollector() {
  const all = { chunks: [] as Chunk[], types: new Set<PackTypeRow>(), uses: new Set<NewPack>(), count: 0 }
  const known = new Map<string, NewPack>()
  let next: CheckedPack[] = []

  /** The places and groups of a pack: one object for all packs with the same ones. */
  function placementOf({ assignedToSite = null, availableToGroups = [] }: NewPack): NewPack {
    const key = JSON.stringify([assignedToSite, availableToGroups])
    const use = known.get(key) ?? { assignedToSite, availableToGroups }
    known.set(key, use)
    return use
  }

  function endChunk(): void {
    const kept = next.map(({ type, sent: { assignedToSite, receivedAt }, fields }) => {
      const sent = { ...(assignedToSite && { assignedToSite }), ...(receivedAt !== undefined && { receivedAt }) }
      return { type: type._id, sent, fields }
    })
    const types = new Set(next.map(({ type }) => type))
    const uses = new Set(next.map(({ sent }) => placementOf(sent)))
    all.chunks.push({ packs: JSON.stringify(kept), types, uses })
    for (const type of types) all.types.add(type)
    for (const use of uses) all.uses.add(use)
    next = []
  }

  return {
    add(pack: CheckedPack): void {
      all.count++
      if (next.push(pack) === PACKS) endChunk()
    },
    end(): CheckedPacks {
      if (next.length) endChunk()
      return all
    },
  }
}

/** The one type of all packs, if the request names it. */
const singleType = ({ db, trial, access, body }: CheckContext) =>
  body.packType === undefined ? undefined : requirePackType(db, trial._id, body.packType, access)

/** Checks the rows of a csv, which come in parts. */
export function packChecker(context: CheckContext) {
  const packs = packCollector()
  let reader: ReturnType<typeof packReader> | undefined
  let lines = 0
  let latest: Instant | undefined
  return {
    /** @throws 422 for headers that say nothing, 400 for a type that is not in the trial */
    take({ headers, rows }: CsvPart): void {
      reader ??= packReader(context, singleType(context), headers)
      lines += rows.length
      for (const row of rows) {
        const found = reader.read(row)
        if (!found) continue
        const { type, pack: sent } = found
        const { fields, problems } = applyFields(type, sent)
        for (const { path, problem } of problems) reader.add(row.line, problem, path.join('.'))
        if (sent.receivedAt !== undefined) latest = Math.max(latest ?? sent.receivedAt, sent.receivedAt)
        packs.add({ type, sent, fields })
      }
    },
    /** All packs. @throws 422 with the line and column of each problem; 400, 403 or 404 for places, groups and moments */
    end(): CheckedPacks {
      const all = packs.end()
      if (!lines) reader?.add(1, reason('noRows'))
      reader?.refuseAny()
      requireUsable(context, [...all.uses, ...(latest === undefined ? [] : [{ receivedAt: latest }])])
      return all
    },
  }
}
