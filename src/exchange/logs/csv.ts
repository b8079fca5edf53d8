import { instantText } from '#kernel/time'
import type { Cell } from '#writers/cell'
import { csvAnswer } from '#writers/csvAnswer'
import type { Entry } from './rules'

const HEADERS = ['number', 'createdAt', 'userEmail', 'type', 'participantId', 'event', 'address', 'device', 'apiToken']

const rowOf = (entry: Entry): Cell[] => [
  entry.number,
  instantText(entry.createdAt),
  entry.userEmail,
  entry.type,
  entry.participantId,
  JSON.stringify(entry.event),
  entry.client?.address,
  entry.client?.device,
  entry.apiToken,
]

function* rowsOf(pages: Iterable<Entry[]>): Generator<Cell[][]> {
  for (const page of pages) yield page.map(rowOf)
}

/** Returns `{csv}` of the entries as a stream. */
export const logCsv = (pages: Iterable<Entry[]>): Response => csvAnswer(HEADERS, rowsOf(pages))
