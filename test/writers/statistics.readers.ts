/** Programs that read files of SPSS and Stata. One process reads many files, because R takes a second to start. */
import { join } from 'node:path'
import { isProof } from '../proof'
import { hasPython, python } from './folder'

/** A variable as a program read it. Cells are numbers, texts, `.` for missing and `.a` for a missing value with a letter. */
export type ReadVariable = {
  name: string
  label: string
  format: string
  missing: string[]
  labels: Map<string | number, string>
  cells: ReadCell[]
}

export type ReadCell = { text: string } | { number: number } | { missing: string }

const run = (...command: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  return { ok: exitCode === 0, out: stdout.toString(), error: stderr.toString() }
}

/** Whether a program works, in the proof. If it is missing, CI fails; elsewhere its tests are skipped. */
export function hasReader(what: string, ...command: string[]): boolean {
  if (!isProof) return false
  let found = false
  try {
    found = run(...command).ok
  } catch {}
  if (!found && process.env.CI === 'true') throw new Error(`${what} is needed on CI.`)
  return found
}

export const hasHaven = hasReader('R with haven', 'Rscript', '-e', 'library(haven)')
export const hasForeign = hasReader('R with foreign', 'Rscript', '-e', 'library(foreign)')
export const hasPspp = hasReader('pspp', 'pspp', '--version')
export const hasReadStat = hasReader('readstat', 'readstat', '--version')
export const hasPandas = hasPython('pandas')

const textIn = (hex: string): string => Buffer.from(hex, 'hex').toString()

function cellIn(written: string): ReadCell {
  if (written.startsWith('t')) return { text: textIn(written.slice(1)) }
  return /^\.[a-z]?$/.test(written) ? { missing: written } : { number: Number(written) }
}

export const plain = (cell: ReadCell): string | number =>
  'text' in cell ? cell.text : 'number' in cell ? cell.number : cell.missing

/** What haven reads in files, by file. */
export function readByHaven(paths: readonly string[]): Map<string, { rows: number; variables: ReadVariable[] }> {
  const { ok, out, error } = run('Rscript', join(import.meta.dir, 'statistics.R'), ...paths)
  if (!ok) throw new Error(error)
  const files = new Map<string, { rows: number; variables: ReadVariable[] }>()
  let file = { rows: 0, variables: [] as ReadVariable[] }
  for (const line of out.split('\n')) {
    const [kind, first = '', second = '', third = '', fourth = ''] = line.split('\t')
    const variable = file.variables.at(-1)
    if (kind === 'F') files.set(first, (file = { rows: 0, variables: [] }))
    if (kind === 'R') file.rows = Number(first)
    if (kind === 'V')
      file.variables.push({
        name: textIn(first),
        label: textIn(second),
        format: third,
        missing: fourth.split(' ').filter(Boolean),
        labels: new Map(),
        cells: [],
      })
    if (kind === 'L') variable!.labels.set(plain(cellIn(second)), textIn(first))
    if (kind === 'C') variable!.cells.push(cellIn(first))
  }
  return files
}

const PANDAS = `
import sys, json, math, warnings
import pandas as pd
warnings.simplefilter('ignore')
def cell(v):
    if isinstance(v, str): return {'text': v}
    if isinstance(v, pd.io.stata.StataMissingValue): return {'missing': str(v)}
    return {'missing': '.'} if v is None or math.isnan(v) else {'number': float(v)}
files = []
for path in sys.argv[1:]:
    d = pd.read_stata(path, convert_dates=False, convert_categoricals=False, convert_missing=True)
    with pd.io.stata.StataReader(path) as r:
        labels = r.value_labels()
        files.append({'names': list(d.columns), 'labels': r.variable_labels(), 'title': r.data_label, 'stamp': r.time_stamp,
          'values': {k: [[int(c), t] for c, t in v.items()] for k, v in labels.items()},
          'cells': [[cell(v) for v in d[c]] for c in d.columns]})
print(json.dumps(files))
`

export type PandasFile = {
  names: string[]
  labels: Record<string, string>
  title: string
  stamp: string
  values: Record<string, [number, string][]>
  cells: ReadCell[][]
}

/** What pandas reads in Stata files, in their order. */
export function readByPandas(paths: readonly string[]): PandasFile[] {
  const { ok, out, error } = python(PANDAS, ...paths)
  if (!ok) throw new Error(error)
  return JSON.parse(out)
}

/** What pspp prints when it runs a program of SPSS. */
export async function runPspp(folder: string, syntax: string): Promise<string> {
  const path = join(folder, 'program.sps')
  await Bun.write(path, syntax)
  const { out, error } = run('pspp', '-O', 'format=csv', path)
  return out + error
}

/** Reads a file with readstat, and returns the error or the table as csv. */
export async function readByReadStat(folder: string, path: string): Promise<{ error: string; csv: string }> {
  const to = join(folder, `${Bun.hash(path)}.csv`)
  const { ok, out, error } = run('readstat', path, to)
  return { error: ok ? '' : out + error || 'failed', csv: ok ? await Bun.file(to).text() : '' }
}

/** What R's package foreign reads in a system file. */
export function readByForeign(path: string) {
  const { ok, out, error } = run('Rscript', join(import.meta.dir, 'statistics.foreign.R'), path)
  if (!ok) throw new Error(error)
  const variables = out
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  const pairs = (text = '') => [...text.matchAll(/(\S+) (\S+)/g)].map(([, label, value]) => [textIn(label!), value!])
  return {
    names: variables.map(([name]) => textIn(name!)),
    cells: variables.map(([, cells]) => cells!.split(' ').map((cell) => plain(cellIn(cell)))),
    labels: new Map(variables.map(([name, , labels]) => [textIn(name!), pairs(labels)])),
  }
}
