/** Responses of twenty fields as csv and as a workbook, through a server that does nothing else. */
import { idle, memory } from '../accounting'
import { cachedFolder, copyCached } from '../cache'
import { comparison, comparisonTable, type Table } from '../figures'
import type { PlainFigures } from '../plain'
import { runToEnd, type Settings } from '../run'
import type { SeededDirectory } from '../seed'
import { startTrialbox } from '../servers'

const PEOPLE = 10_000
const formats = [
  { type: 'csv', share: 0.2, megabytes: 100 },
  { type: 'excel', share: 0.1, megabytes: 120 },
] as const

type ExportFigures = { perSecond: number; peak: number; firstByte: number }

async function fetched(url: string, headers: Record<string, string>): Promise<Response> {
  const answer = await fetch(url, { headers })
  if (!answer.ok) throw new Error(await answer.text())
  return answer
}

/** Exports everything from a server that has just started, so that its peak of memory is that of the export. */
async function exportOnce(
  data: string,
  { key, trials }: SeededDirectory,
  type: string,
  rows: number,
): Promise<ExportFigures> {
  const server = await startTrialbox(data)
  await idle(server.pid, 120_000)
  const began = performance.now()
  const headers = { Authorization: `Bearer ${key}` }
  let answer = await fetched(`${server.url}/trials/${trials[0]!.trial}/responses?type=${type}`, headers)
  // A workbook is sent by a link, which works at once.
  if (type === 'excel') answer = await fetched(((await answer.json()) as { request: string }).request, {})
  let firstByte = Number.NaN
  for await (const _ of answer.body!) if (Number.isNaN(firstByte)) firstByte = (performance.now() - began) / 1000
  const perSecond = (rows * 1000) / (performance.now() - began)
  const peak = memory('VmHWM', server.pid)
  await server.stop()
  return { perSecond, peak, firstByte }
}

export async function measureExports({ quick, rounds }: Settings): Promise<Table[]> {
  const days = quick ? 10 : 100
  const count = days * PEOPLE
  const plain = await cachedFolder(`plain-${count}`, 'plain.ts', [count])
  const copy = copyCached<SeededDirectory>(await cachedFolder(`responses-${count}`, 'stored.ts', [PEOPLE, days, 200]))
  const rows: string[][] = []
  for (const { type, share, megabytes } of formats) {
    const [floor, ours]: [PlainFigures[], ExportFigures[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      floor.push(await runToEnd('plain.ts', ['read', plain]))
      ours.push(await exportOnce(copy.data, copy.made, type, count))
    }
    const name = `${count.toLocaleString('en')} responses as ${type}`
    const of = <F>(list: F[], figure: (each: F) => number) => list.map(figure)
    rows.push(
      comparison(
        `${name}: rate`,
        ' rows/s',
        of(floor, (f) => f.perSecond),
        of(ours, (f) => f.perSecond),
        {
          ratio: { least: share },
        },
      ),
      comparison(
        `${name}: peak memory of the server`,
        ' MB',
        of(floor, (f) => f.peak),
        of(ours, (f) => f.peak),
        {
          value: { most: megabytes },
        },
      ),
    )
    rows.push(
      comparison(
        `${name}: first byte`,
        ' s',
        [],
        of(ours, (f) => f.firstByte),
        { value: { most: 1 } },
      ),
    )
  }
  copy.remove()
  return [comparisonTable('Exports, beside plain reading', rows)]
}
