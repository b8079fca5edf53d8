/** A meeting of a participant and two nurses, on a server with a socket, and people who come to it. */
import { afterEach } from 'bun:test'
import type { ServerMessage } from '#conduct/meetingRooms/messages'
import { listen } from '#server/listen'
import { present } from '../../present'
import { until } from '../../until'
import { calendarStudy } from '../appointments/appointments.study'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const tokenOf = (url: string | null | undefined): string => present(present(url).split('/').at(-1))

/** A page in the room. */
export function openPage(url: string, headers: Record<string, string>) {
  // The types of a browser know no headers.
  const socket: WebSocket = Reflect.construct(WebSocket, [url, { headers }])
  const messages: ServerMessage[] = []
  let isClosed = false
  socket.addEventListener('message', ({ data }) => void messages.push(JSON.parse(`${data}`)))
  socket.addEventListener('close', () => {
    isClosed = true
  })
  const of = <T extends ServerMessage['type']>(type: T) =>
    messages.filter((each): each is Extract<ServerMessage, { type: T }> => each.type === type)
  return {
    socket,
    of,
    isClosed: () => isClosed,
    room: () => of('room').at(-1),
    say: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    close: () => socket.close(),
    /** Why the server has closed it. */
    reason: () => of('closed').at(-1)?.reason,
    /** Everything that was sent before has been read when the server answers this. */
    async ping(): Promise<void> {
      const before = of('pong').length
      socket.send('{"type":"ping"}')
      await until(() => of('pong').length > before || isClosed)
    },
  }
}

export async function meetingStudy() {
  const s = await calendarStudy()
  const [nurse, other] = [s.coordinator(), s.coordinator()]
  const all = `${s.of(s.anna)}/meetings` as const
  const fields = { name: 'Check-in', startAt: '2026-03-10T09:00:00Z', duration: 30, personnel: [nurse._id, other._id] }
  const meeting = await nurse.do('createMeeting', s.trial, s.anna, fields)
  const own = await s.signIn()
  const { meetings } = await own.do('listOwnMeetings')
  const tokens = {
    anna: tokenOf(meetings[0]?.joinUrl),
    nurse: tokenOf(meeting.joinUrl),
    other: tokenOf((await other.do('listMeetings', s.trial, s.anna)).meetings[0]?.joinUrl),
  }
  s.clock('2026-03-10T09:00:00Z')
  const server = listen(s.service, { host: '127.0.0.1', port: 0 })
  closing.push(server.stop)
  const host = `127.0.0.1:${server.port}`
  const address = (token: string, page: string) => `ws://${host}/meeting-rooms/${token}?page=${page}`
  return {
    ...s,
    ...{ nurse, other, all, meeting, tokens, host, server, own },
    ask: (token: string, headers: Record<string, string>, page = 'page') =>
      fetch(`http://${host}/meeting-rooms/${token}?page=${page}`, { headers }),
    /** Comes to the room, and waits until it answers. */
    async come(who: keyof typeof tokens, page = `page-of-${who}`) {
      const visit = openPage(address(tokens[who], page), {
        Origin: `http://${host}`,
        'User-Agent': `browser of ${who}`,
      })
      await until(() => visit.room() !== undefined || visit.reason() !== undefined)
      return visit
    },
    entries: async () => {
      const of = async (userType: string) => (await s.owner.do('readLogs', s.trial, { userType })).entries
      const entries = [...(await of('user')), ...(await of('participant'))]
      return entries.filter(({ type }) => /^(join|leave)Meeting$/.test(type)).sort((a, b) => a.number - b.number)
    },
  }
}
