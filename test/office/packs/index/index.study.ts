/** A study of packs whose index is whole, and searches in it. */
import { expect } from 'bun:test'
import type { Db, Sqlite } from '#db/open'
import { verifyPackIndex } from '#office/packs/index/maintenance'
import { completeIndex, findCandidates } from '#office/packs/index/store'
import { MOST_CANDIDATES } from '#office/packs/listStore'
import { searchTerm } from '#office/packs/store'
import type { World } from '../../../harness'
import { until } from '../../../until'
import { packStudy } from '../pack.study'

/** Waits until nothing is left to put into the index, or to take out of it. */
export async function upkeepDone({ service, db }: { service: Pick<World['service'], 'services'>; db: Db }) {
  const left = db.$client.query<{ n: number }, []>(
    `SELECT count(*) AS n FROM cursors WHERE name IN ('packTrigrams', 'packTrigramsRebuilt')`,
  )
  await until(async () => {
    await service.services.tick()
    return left.get()!.n === 0
  })
}

/** Lets searches do without the index until it is called with true. */
export function useIndex(db: Db, isUsed: boolean): void {
  if (isUsed) completeIndex(db)
  else db.$client.run('DELETE FROM packTrigrams WHERE rowid < 0')
}

/** Whether the pages of the index hold a trigram, also of a deleted pack. It must be the only one that begins with its first letter. */
export const pagesHold = (sqlite: Sqlite, trigram: string): boolean =>
  sqlite
    .query<{ block: Uint8Array }, []>('SELECT block FROM packTrigrams_data')
    .all()
    .some(({ block }) => Buffer.from(block).includes(trigram))

/** All trigrams of the packs in the index, without the mark of the trial. */
export function trigramsIn(sqlite: Sqlite): string[] {
  sqlite.run(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab('main', 'packTrigrams', 'row')`)
  const words = sqlite.query<{ term: string }, []>('SELECT term FROM temp.vocabulary').all()
  sqlite.run('DROP TABLE temp.vocabulary')
  return words.map(({ term }) => term.slice(5))
}

export async function indexedPacks() {
  const s = await packStudy()
  await upkeepDone(s)
  return {
    ...s,
    upkeep: () => upkeepDone(s),
    /** How many packs the index names for a term; undefined if it is not asked, or names many. */
    named: (term: string, most = MOST_CANDIDATES) => findCandidates(s.db, s.trial, searchTerm(term), most)?.length,
    /** What `verify` says of the index, which has all packs. */
    verified: () => expect(verifyPackIndex(s.db.$client)).toEndWith('packs are found by their names and batch numbers'),
  }
}
