import { packIds } from '#audit/packedIds'
import { readHash, readsStart } from '#audit/reads'
import { fault } from '#kernel/fault'
import { isId } from '#kernel/id'
import { isObject } from '#kernel/json'
import type { ReadsLine, ReadsRow } from './reads'

const isRow = (line: ReadsLine): line is ReadsRow =>
  'operation' in line && Array.isArray(line.participants) && line.participants.every(isId)

/** Where the trail of reads ends, as the description of the study says. */
function endIn(study: string): { trial: string; rows: number; hash: string } {
  const { trial, reads } = JSON.parse(study) as Record<string, unknown>
  if (isObject(trial) && isObject(reads) && typeof trial._id === 'string')
    if (typeof reads.rows === 'number' && typeof reads.hash === 'string')
      return { trial: trial._id, rows: reads.rows, hash: reads.hash }
  throw fault('Its study.json does not say where its trail of reads ends.')
}

function lineIn(text: string, number: number): ReadsLine {
  try {
    const line: unknown = JSON.parse(text)
    if (isObject(line)) return line as ReadsLine
  } catch {}
  throw fault(`Line ${number} of its trail of reads cannot be read.`)
}

/**
 * Computes the hashes of the trail of reads again, and compares the end with the description of the study. Returns how many rows are kept.
 * @throws a fault that names the first line that does not fit
 */
export async function checkReads(lines: AsyncIterable<string>, study: string): Promise<number> {
  const { trial, rows, hash: end } = endIn(study)
  let [hash, last, kept, count] = [readsStart(trial), 0, 0, 0]
  for await (const text of lines) {
    const line = lineIn(text, ++count)
    if (isRow(line)) {
      if (line.number !== last + 1) throw fault(`Read ${last + 1} of its trail of reads is missing.`)
      hash = readHash(hash, { ...line, participants: packIds(line.participants) })
      last = line.number
      kept++
    } else {
      if (line.firstRow !== last + 1 || line.previousHash !== hash)
        throw fault(`Block ${line.number} of its trail of reads does not follow what is before it.`)
      hash = line.hash
      last += line.rowCount
    }
  }
  if (last !== rows || hash !== end) throw fault('Its trail of reads does not end as study.json says.')
  return kept
}
