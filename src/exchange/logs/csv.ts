import { instantText } from '#kernel/time'
import { csvText } from '#writers/csv'
import { streamOf } from '#writers/stream'
import type { Entry } from './rules'

const columns = [
  'number',
  'createdAt',
  'userEmail',
  'type',
  'participantId',
  'event',
  'address',
  'device',
  'apiToken',
].map((header) => ({ header }))

const rowOf = (entry: Entry) => [
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

const table = (entries: readonly Entry[]) => csvText({ name: 'log', columns, rows: entries.map(rowOf) })
const HEADERS = table([])

/** The lines of some entries, without the headers. */
const lines = (entries: readonly Entry[]) => table(entries).slice(HEADERS.length)

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

function* pieces(pages: Iterable<Entry[]>): Generator<string> {
  yield `{"csv":"${inJson(HEADERS)}`
  for (const page of pages) yield inJson(lines(page))
  yield '"}'
}

/** Returns `{csv}` as a stream: each page is read after the one before is sent, so that memory stays constant. */
export const csvAnswer = (pages: Iterable<Entry[]>): Response => new Response(streamOf(pieces(pages)))
