import { instantText } from '#kernel/time'
import { csvText } from '#writers/csv'
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

/** Returns `{csv}` as a stream: each page is read after the one before is sent, so that memory stays constant. */
export function csvAnswer(pages: Iterator<Entry[]>): Response {
  const encoder = new TextEncoder()
  const send = (controller: ReadableStreamDefaultController, text: string) => controller.enqueue(encoder.encode(text))
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
  return new Response(
    new ReadableStream({
      start: (controller) => send(controller, `{"csv":"${inJson(HEADERS)}`),
      pull(controller) {
        const { done, value } = pages.next()
        if (!done) return send(controller, inJson(lines(value)))
        send(controller, '"}')
        controller.close()
      },
    }),
  )
}
