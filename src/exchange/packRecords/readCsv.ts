import type { Staff } from '#access/caller'
import type { NumberedRow } from '#exchange/imports/numberedRow'
import type { Services } from '#http/services'
import { performForRequest } from '#jobs/perform'
import type { JsonObject } from '#kernel/json'
import { readPackCsv } from './job'
import type { CsvPart } from './task'

export type Csv = { headers: readonly string[]; rows: readonly NumberedRow[] }

type Reading = { services: Services; caller: Staff; body: { content: string } }

/** Reads a csv in a process of its own, which sends the rows in parts. @throws 400 for a text that is not a table */
export async function readCsv({ services, caller, body: { content } }: Reading): Promise<Csv> {
  const rows: NumberedRow[] = []
  const add = (part: JsonObject) => void rows.push(...(part as CsvPart).rows)
  const { headers, count } = await performForRequest(services, readPackCsv, { csv: content }, caller, add)
  if (rows.length !== count) throw new Error(`Of ${count} rows of a csv, ${rows.length} arrived.`)
  return { headers, rows }
}
