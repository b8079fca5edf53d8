/** What is open while a server takes up another certificate stays open: a WebSocket, and an answer that is being sent. */
import { expect, test } from 'bun:test'
import type { MeetingRoomRoute } from '#conduct/meetingRooms/connection'
import type { Services } from '#http/services'
import { systemClock } from '#kernel/time'
import { configure } from '#server/config/settings'
import { listen } from '#server/listen'
import type { Service } from '#server/service'
import { certificateFor } from '#server/tls/certificate'
import { freshFolder } from '../process/folder'

const certificate = async () => (await certificateFor(configure({}, {}), freshFolder(), systemClock.now()))!
const trusting = { tls: { rejectUnauthorized: false } }

/** A server whose rooms answer each message with itself, and whose answer to `/stream` the test writes. */
function serving(stream: ReadableStream<Uint8Array>) {
  const meetingRoom: MeetingRoomRoute = async () => ({
    onOpen() {},
    onMessage: (socket, content) => void socket.send(`${content}`),
    onClose() {},
  })
  return {
    services: { version: '1.0.0+abc', fault: () => {} } as unknown as Services,
    operations: async () => [],
    onRequest: () => {},
    closeRooms: async () => {},
    meetingRoom,
    handle: async () => new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } }),
  } as unknown as Service
}

test.skipIf(process.platform !== 'linux')('a WebSocket and a stream go on over several certificates', async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const server = listen(serving(readable), { host: '127.0.0.1', port: 0, certificate: await certificate() })
  const url = `127.0.0.1:${server.port}`
  const socket = new WebSocket(`wss://${url}/meeting-rooms/x`, trusting as object as string[])
  let isClosed = false
  socket.onclose = () => {
    isClosed = true
  }
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  const echoed = (text: string) =>
    new Promise((resolve) => {
      socket.addEventListener('message', ({ data }) => resolve(data), { once: true })
      socket.send(text)
    })
  const writer = writable.getWriter()
  void writer.write(new TextEncoder().encode('data: 0\n\n'))
  const answer = await fetch(`https://${url}/stream`, trusting)
  for (const each of [1, 2, 3]) {
    expect(server.replaceCertificate(await certificate())).toBe(true)
    expect(await echoed(`message ${each}`)).toBe(`message ${each}`)
    void writer.write(new TextEncoder().encode(`data: ${each}\n\n`))
  }
  void writer.close()
  expect(await answer.text()).toBe('data: 0\n\ndata: 1\n\ndata: 2\n\ndata: 3\n\n')
  expect(isClosed).toBe(false)
  socket.close()
  await server.stop()
})
