/** Pages of 80 participants, by every sort and filter. */

import { cachedFolder, copyCached } from '../cache'
import { comparison, comparisonTable, type Table } from '../figures'
import type { ListFigures } from '../lists'
import { runToEnd, type Settings } from '../run'

export async function lists({ quick, rounds }: Settings): Promise<Table[]> {
  const count = quick ? 10_000 : 100_000
  const runs: ListFigures[][] = []
  const copy = copyCached(await cachedFolder(`people-${count}`, 'seed.ts', [1, count, 0, 'varied']))
  for (let round = 0; round < rounds; round++)
    runs.push(await runToEnd<ListFigures[]>('lists.ts', [copy.folder, quick ? '100' : '400']))
  copy.remove()
  const rows = runs[0]!.flatMap(({ search, page, total }, at) => {
    const of = (kind: 'floor' | 'ours', share: 'p50' | 'p99') => runs.map((run) => run[at]![kind][share])
    const name = `${search}: ${page} page of ${Math.ceil(total / 80).toLocaleString('en')}`
    return [
      comparison(`${name}: p50`, ' ms', of('floor', 'p50'), of('ours', 'p50'), {
        ratio: { most: 1.2 },
        value: { most: 0.5 },
      }),
      comparison(`${name}: p99`, ' ms', of('floor', 'p99'), of('ours', 'p99')),
    ]
  })
  return [comparisonTable(`Pages of ${count.toLocaleString('en')} participants`, rows)]
}
