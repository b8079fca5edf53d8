import type { Staff } from '#access/caller'
import type { NumberedRow } from '#documents/numberedRow'
import type { Services } from '#http/services'
import { performForRequest } from '#jobs/perform'
import type { JsonObject } from '#kernel/json'
import { readPackCsv } from './job'
import type { CsvPart } from './task'

type CsvRequest = { services: Services; caller: Staff; body: { content: string } }

/**
 * Reads a csv in a process of its own.
 * @param onPart called with the headers and the next rows, at least once
 * @throws 400 for a text that is not a table; what `take` throws
 */
export async function readCsv({ services, caller, body }: CsvRequest, onPart: (part: CsvPart) => void): Promise<void> {
  let received = 0
  let refusal: { reason: unknown } | undefined
  const report = (value: JsonObject) => {
    const part = value as CsvPart
    received += part.rows.length
    if (refusal) return
    try {
      onPart(part)
    } catch (reason) {
      refusal = { reason }
    }
  }
  const { headers, count } = await performForRequest(services, readPackCsv, { csv: body.content }, caller, report)
  if (received !== count) throw new Error(`Of ${count} rows of a csv, ${received} arrived.`)
  if (!count) report({ headers, rows: [] })
  if (refusal) throw refusal.reason
}

/** The same for a csv that is small enough to be read at once. */
export async function readWholeCsv(request: CsvRequest): Promise<{ headers: string[]; rows: NumberedRow[] }> {
  const csv = { headers: [] as string[], rows: [] as NumberedRow[] }
  await readCsv(request, ({ headers, rows }) => {
    csv.headers = headers
    csv.rows.push(...rows)
  })
  return csv
}
