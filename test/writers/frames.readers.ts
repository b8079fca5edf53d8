/** Programs that read data frames, transport files of SAS and tables of Prism. One process reads many files. */
import { join } from 'node:path'
import { python } from './folder'
import type { ReadCell, ReadVariable } from './statistics.readers'

const textIn = (hex: string): string => Buffer.from(hex, 'hex').toString()
const NUMBERS: Record<string, number> = { Inf: Number.POSITIVE_INFINITY, '-Inf': Number.NEGATIVE_INFINITY }

function cellIn(written: string): ReadCell {
  if (written.startsWith('t')) return { text: textIn(written.slice(1)) }
  return /^\.[A-Z]?$/.test(written) ? { missing: written } : { number: NUMBERS[written] ?? Number(written) }
}

export type Frame = { rows: number; variables: ReadVariable[] }

/** What R reads in files, by file. */
export function readByR(paths: readonly string[]): Map<string, Frame> {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['Rscript', join(import.meta.dir, 'frames.R'), ...paths], {
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
  if (exitCode !== 0) throw new Error(stderr.toString())
  const files = new Map<string, Frame>()
  let frame: Frame = { rows: 0, variables: [] }
  for (const line of stdout.toString().split('\n')) {
    const [kind, first = '', second = '', third = ''] = line.split('\t')
    const variable = frame.variables.at(-1)
    if (kind === 'F') {
      frame = { rows: 0, variables: [] }
      files.set(first, frame)
    }
    if (kind === 'R') frame.rows = Number(first)
    if (kind === 'V')
      frame.variables.push({
        name: textIn(first),
        label: textIn(second),
        format: third,
        missing: [],
        labels: new Map(),
        cells: [],
      })
    const cell = cellIn(second)
    if (kind === 'L' && 'text' in cell) variable?.labels.set(cell.text, textIn(first))
    if (kind === 'L' && 'number' in cell) variable?.labels.set(cell.number, textIn(first))
    if (kind === 'C') variable?.cells.push(cellIn(first))
  }
  return files
}

const PRISM = `
import sys, json, xml.etree.ElementTree as tree
n = '{http://graphpad.com/prism/Prism.htm}'
def column(c): return {'title': c.findtext(n + 'Title'), 'cells': [d.text for d in c.find(n + 'Subcolumn').findall(n + 'd')]}
def table(t):
    titles = t.find(n + 'RowTitlesColumn')
    return {'title': t.findtext(n + 'Title'), 'rows': None if titles is None else column(titles)['cells'],
      'columns': [column(c) for c in t.findall(n + 'YColumn')]}
print(json.dumps([{'notes': tree.parse(p).getroot().find(n + 'Info').findtext(n + 'Notes'),
  'tables': [table(t) for t in tree.parse(p).getroot().findall(n + 'Table')]} for p in sys.argv[1:]]))
`

export type PrismFile = {
  notes: string
  tables: {
    title: string
    rows: (string | null)[] | null
    columns: { title: string; cells: (string | null)[] }[]
  }[]
}

/** What a parser of XML reads in files of Prism, in their order. */
export function readPrism(paths: readonly string[]): PrismFile[] {
  const { ok, out, error } = python(PRISM, ...paths)
  if (!ok) throw new Error(error)
  return JSON.parse(out)
}
