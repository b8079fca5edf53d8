/** The tables of an export in the shape of SDTM, in temporary files, with what occurs in each variable. */
import type { Cell } from '#writers/cell'
import { type Spool, withSpool } from '#writers/spool'
import { TEXT_BYTES, type TransportCell } from '#writers/xpt/transport5'
import type { Value } from './answers'
import { domains, suppVariables } from './domains'
import type { SubjectRows } from './subject'
import { type DomainName, type DomainVariable, domainNames } from './variables'

/** What occurs in a variable, or in those of its values that belong to one test. */
export type VariableStatistics = {
  count: number
  /** The bytes of the longest text. */
  width: number
  isNumber: boolean
  isWhole: boolean
  /** The most digits after the point, and of the whole number. */
  decimals: number
  digits: number
  areDates: boolean
  areTimes: boolean
}

const noStatistics = (): VariableStatistics => ({
  ...{ count: 0, width: 1, isNumber: true, isWhole: true, decimals: 0, digits: 1, areDates: true, areTimes: true },
})

export type SdtmTable = {
  name: string
  domain: DomainName
  isSupp: boolean
  variables: readonly DomainVariable[]
  /** In the order of the variables. */
  statistics: readonly VariableStatistics[]
  /** Of results by test, and of qualifiers by name: `name of the variable`, `test`. */
  byTest: ReadonlyMap<string, ReadonlyMap<string, VariableStatistics>>
  /** The labels of qualifiers by name. */
  labels: ReadonlyMap<string, string>
  count(): number
  /** The rows, with the cells of these variables; the array of a row is used again for the next one. */
  rows(): Generator<readonly TransportCell[]>
}

type WritableTable = SdtmTable & { add(row: Record<string, Value>): void }

function tableOf(name: string, domain: DomainName, isSupp: boolean, spool: Spool): WritableTable {
  const variables = isSupp ? suppVariables : domains[domain].variables
  const statistics = variables.map(noStatistics)
  const [test, results] = isSupp ? ['QNAM', ['QVAL']] : [`${domain}TESTCD`, [`${domain}ORRES`, `${domain}STRESC`]]
  const byTest = new Map(results.map((result) => [result, new Map<string, VariableStatistics>()]))
  const labels = new Map<string, string>()
  const line: Cell[] = []
  return {
    ...{ name, domain, isSupp, variables, statistics, byTest, labels, count: spool.count },
    *rows() {
      for (const row of spool.rows()) yield row.map((cell) => (typeof cell === 'number' ? cell : textOf(cell)))
    },
    add(row) {
      for (const [at, { name }] of variables.entries()) {
        const value = row[name] ?? null
        line[at] = value === '' ? null : value
        const found = statistics[at]
        if (found) countValue(found, value)
      }
      const code = row[test]
      if (typeof code === 'string') {
        for (const [result, tests] of byTest) countValue(entryOf(tests, code), row[result] ?? null)
        if (isSupp) labels.set(code, String(row.QLABEL))
      }
      spool.add(line)
    },
  }
}

const textOf = (cell: Cell): string | null => (typeof cell === 'string' ? cell : null)

function entryOf(tests: Map<string, VariableStatistics>, code: string): VariableStatistics {
  const known = tests.get(code) ?? noStatistics()
  tests.set(code, known)
  return known
}

const NUMBER = /^-?(\d+)(?:\.(\d+))?$/

function countValue(found: VariableStatistics, value: Value): void {
  if (value === null || value === '') return
  const text = String(value)
  found.count += 1
  found.width = Math.max(found.width, Buffer.byteLength(text))
  if (found.width > TEXT_BYTES) throw new Error('A text of more than 200 bytes was not cut.')
  const [, digits, decimals = ''] = NUMBER.exec(text) ?? []
  if (digits === undefined) found.isNumber = false
  else {
    found.digits = Math.max(found.digits, text.length)
    found.decimals = Math.max(found.decimals, decimals.length)
    if (decimals) found.isWhole = false
  }
  if (text.length === 10) found.areTimes = false
  else found.areDates = false
}

/** Lends the tables to `use`: those of the domains, and SUPPQUAL of each. Their files are removed whatever happens. */
export async function withTables<T>(
  path: string,
  use: (tables: readonly SdtmTable[], add: (rows: SubjectRows) => void) => Promise<T>,
): Promise<T> {
  const wanted = domainNames.flatMap((domain) => [
    { domain, name: domain as string, isSupp: false },
    { domain, name: `SUPP${domain}`, isSupp: true },
  ])
  const made: WritableTable[] = []
  const open = ([next, ...rest]: typeof wanted): Promise<T> => {
    if (!next) return use(made, (rows) => addAll(made, rows))
    const width = (next.isSupp ? suppVariables : domains[next.domain].variables).length
    return withSpool(`${path}.${next.name}`, width, (spool) => {
      made.push(tableOf(next.name, next.domain, next.isSupp, spool))
      return open(rest)
    })
  }
  return open(wanted)
}

function addAll(tables: readonly WritableTable[], { rows, supp }: SubjectRows): void {
  for (const table of tables) for (const row of (table.isSupp ? supp : rows)[table.domain]) table.add(row)
}

/** Programs guess the number of records from the size of a file, and some guess wrong if a record has no more bytes. */
const LEAST_RECORD = 81

/** The variables of a table that are exported: not the permissible ones without a value. A record has at least 81 bytes. */
export function exportedVariables({ variables, statistics }: SdtmTable) {
  const exported = variables.flatMap((variable, at) => {
    const found = statistics[at] ?? noStatistics()
    return variable.core === 'P' && !found.count ? [] : [{ variable, found, at }]
  })
  const size = exported.reduce((sum, { variable, found }) => sum + (variable.isText ? found.width : 8), 0)
  if (size >= LEAST_RECORD) return exported
  const texts = exported.filter(({ variable }) => variable.isText)
  const widest = texts.toSorted((a, b) => b.found.width - a.found.width)[0]
  return exported.map((each) =>
    each === widest ? { ...each, found: { ...each.found, width: each.found.width + LEAST_RECORD - size } } : each,
  )
}
