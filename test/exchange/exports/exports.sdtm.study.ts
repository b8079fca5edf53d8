/** A study with forms of the library, and functions that read its export in the shape of SDTM. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Id } from '#kernel/id'
import { type World, world } from '../../harness'
import { inFolder, python } from '../../writers/folder'
import { downloaded, partsOf, rowsIn } from '../studyRecord/archive'
import { study } from './exportStudy'

/** A study with these forms of the library, each as a stage of its own. */
export async function libraryStudy<Name extends string>(...forms: readonly Name[]) {
  const here = world()
  const of = study(here, { code: 'ABC-1' })
  const stages = {} as Record<Name, Id>
  for (const form of forms) {
    const made = await here.owner.do(
      'createStage',
      of.trial,
      {
        importData: { questionnaireId: form },
      },
      { creationType: 'stageLibrary' },
    )
    if (!('_id' in made)) throw new Error('A stage was expected.')
    stages[form] = made._id
  }
  const idOf = (code: string): Id => {
    const found = [...of.config().dataTypes.values()].find((each) => each.code === code)
    if (!found) throw new Error(`There is no ${code}.`)
    return found._id
  }
  const url = `/trials/${of.trial}/responses` as const
  return {
    ...{ here, of, stages, url, idOf },
    /** Submits answers by code. */
    answer: (participant: Id, stage: Id, answers: Record<string, unknown>, n = 0) =>
      of.submit(
        participant,
        stage,
        Object.fromEntries(Object.entries(answers).map(([code, value]) => [idOf(code), value])),
        n,
      ),
  }
}

/** The export of a person. */
export async function sdtmOf(here: Pick<World, 'fetch'>, by: Pick<World['owner'], 'get'>, trial: Id, filters = '') {
  const made = await by.get(`/trials/${trial}/responses?type=sdtm${filters}`)
  if (!('request' in made)) throw new Error('There is no link.')
  const bytes = await downloaded(here, String(made.request))
  const parts = partsOf(bytes)
  const rows = (name: string) => (parts.has(`csv/${name}.csv`) ? rowsIn(parts, `csv/${name}.csv`) : [])
  return { bytes, parts, rows, define: `${parts.get('define.xml')}`, readme: `${parts.get('README.txt')}` }
}

export type Sdtm = Awaited<ReturnType<typeof sdtmOf>>

/** A text of a record with what SUPP-- has of it. */
export function wholeText(sdtm: Sdtm, domain: string, row: Record<string, string>, name: string): string {
  const key = `${domain.toUpperCase()}SEQ`
  const rest = sdtm
    .rows(`supp${domain}`)
    .filter((each) => each.USUBJID === row.USUBJID && each.IDVAR === key && each.IDVARVAL === row[key])
    .filter(({ QNAM = '' }) => new RegExp(`^${name}\\d+$`).test(QNAM))
    .sort((a, b) => Number(a.QNAM?.replace(/\D/g, '')) - Number(b.QNAM?.replace(/\D/g, '')))
  return [row[name], ...rest.map(({ QVAL }) => QVAL)].join('')
}

const PANDAS = `
import sys, json, pandas
# pandas reads zero as 5e-79.
def cell(v): return None if pandas.isna(v) or v == '' else 0 if isinstance(v, float) and abs(v) < 1e-70 else v
print(json.dumps({f: [{k: cell(v) for k, v in r.items()} for r in pandas.read_sas(f, encoding='utf-8').to_dict('records')] for f in sys.argv[1:]}))
`
const HAVEN = `
hex <- function(x) paste(as.character(charToRaw(enc2utf8(x))), collapse = "")
for (f in commandArgs(TRUE)) { d <- haven::read_xpt(f); cat("F", f, "\\n", sep = "\\t")
  for (n in names(d)) { cat("V", n, hex(attr(d[[n]], "label")), "\\n", sep = "\\t")
    for (x in as.list(d[[n]])) cat("C", if (is.character(x)) paste0("t", hex(x)) else if (is.na(x)) "." else sprintf("%.17g", x), "\\n", sep = "\\t") } }
`

export type Cells = Record<string, string | number | null>[]

/** What a program reads in the transport files, by the name of the table. */
export function transportRows({ parts }: Sdtm, by: 'pandas' | 'haven'): Map<string, Cells> {
  return inFolder((folder) => {
    const names = [...parts.keys()].filter((name) => name.endsWith('.xpt'))
    const paths = names.map((name) => join(folder, name))
    for (const [at, path] of paths.entries()) writeFileSync(path, parts.get(names[at] ?? '') ?? '')
    const nameOf = (path: string) => names[paths.indexOf(path)]?.slice(0, -'.xpt'.length) ?? ''
    if (by === 'pandas') {
      const { ok, out, error } = python(PANDAS, ...paths)
      if (!ok) throw new Error(error)
      return new Map(Object.entries<Cells>(JSON.parse(out)).map(([path, cells]) => [nameOf(path), cells]))
    }
    const script = join(folder, 'read.R')
    writeFileSync(script, HAVEN)
    const done = Bun.spawnSync(['Rscript', script, ...paths], { env: { ...process.env, LC_ALL: 'C.UTF-8' } })
    if (done.exitCode) throw new Error(done.stderr.toString())
    return havenRows(done.stdout.toString(), nameOf)
  })
}

function havenRows(out: string, nameOf: (path: string) => string): Map<string, Cells> {
  const tables = new Map<string, Cells>()
  let [table, variable, row]: [Cells, string, number] = [[], '', 0]
  for (const line of out.split('\n')) {
    const [kind, first = ''] = line.split('\t')
    if (kind === 'F') tables.set(nameOf(first), (table = []))
    if (kind === 'V') [variable, row] = [first, 0]
    if (kind !== 'C') continue
    const cells = (table[row++] ??= {})
    const text = Buffer.from(first.slice(1), 'hex').toString()
    cells[variable] = first.startsWith('t') ? text || null : first === '.' ? null : Number(first)
  }
  return tables
}
